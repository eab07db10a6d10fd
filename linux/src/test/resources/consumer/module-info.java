module consumer {
    requires io.clusterwright.linux;
    requires org.apache.sshd.osgi;
    requires org.apache.sshd.sftp;
    requires org.jnrproject.posix;
}
