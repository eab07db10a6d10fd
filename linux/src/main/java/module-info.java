import org.jspecify.annotations.NullMarked;

/** Linux nodes on this machine, sessions over SSH, and the files of Linux nodes. Start with {@link io.clusterwright.linux.local.LocalMachines}. */
@NullMarked
module io.clusterwright.linux {
    requires transitive io.clusterwright.core;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires org.apache.sshd.osgi;
    requires org.apache.sshd.sftp;
    requires org.bouncycastle.provider;
    requires org.jnrproject.constants;
    requires org.jnrproject.ffi;
    requires org.jnrproject.posix;
    requires org.slf4j;
    requires static org.jspecify;

    // jnr-ffi has no descriptor that could ask for it.
    requires org.objectweb.asm;

    exports io.clusterwright.linux;
    exports io.clusterwright.linux.local;
    exports io.clusterwright.linux.probe;

    provides io.clusterwright.core.spi.ClusterCheck with
            io.clusterwright.linux.internal.local.PackagesCheck;
    provides io.clusterwright.core.spi.MachineProvider with
            io.clusterwright.linux.internal.local.LocalProvider;
    provides io.clusterwright.core.spi.NodeBackend with
            io.clusterwright.linux.internal.LinuxBackend;
    provides io.clusterwright.core.spi.Renderer with
            io.clusterwright.linux.internal.LinuxRenderer;
    provides io.clusterwright.core.spi.RuleSet with
            io.clusterwright.linux.internal.local.LocalRules;
}
