package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.session.Reconnection;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.client.SftpClient.CloseableHandle;
import org.apache.sshd.sftp.client.SftpClient.OpenMode;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHPosixRenameExtension;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies files over SFTP, on a channel that is opened for the first file and kept. */
final class SftpFiles implements AutoCloseable {
    private static final int CHUNK = 32 * 1024;
    /** More than a connection takes before it breaks, of a file that does not arrive. */
    private static final int ARRIVED = 4 * 1024 * 1024;

    private static final Duration UNTIL_STOPPED = Duration.ofSeconds(10);
    /** By then the keep-alive knows of a connection that is lost. */
    private static final Duration ANSWER = Duration.ofSeconds(20);

    /** The file timeout: how long a copy may stand still. */
    static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(SftpFiles.class);

    private final NodeName node;
    private final UserName user;
    private final SshLinks links;
    private final Executor workers;
    private final Duration timeout;
    private final WaitTime.Source time;
    private volatile @Nullable SftpClient open;

    SftpFiles(NodeName node, UserName user, SshLinks links, Executor workers, Duration timeout) {
        this(node, user, links, workers, timeout, WaitTime.RUNNING);
    }

    /** @param time the clock of the limit on a connection that breaks again and again */
    SftpFiles(NodeName node, UserName user, SshLinks links, Executor workers, Duration timeout, WaitTime.Source time) {
        this.time = time;
        this.node = node;
        this.user = user;
        this.links = links;
        this.workers = workers;
        this.timeout = timeout;
    }

    void write(byte[] content, String path, int mode) {
        attempt(
                "writing " + path,
                true,
                progress -> overAnyConnection(
                        progress, sftp -> put(sftp, () -> new ByteArrayInputStream(content), path, mode, progress)));
    }

    void upload(Path local, String path, int mode) {
        attempt(
                "copying " + local + " to " + path,
                true,
                progress -> overAnyConnection(
                        progress, sftp -> put(sftp, () -> Files.newInputStream(local), path, mode, progress)));
    }

    void download(String path, Path local) {
        attempt(
                "copying " + path + " to " + local,
                false,
                progress -> overAnyConnection(progress, sftp -> get(sftp, path, local, false, progress)));
    }

    void uploadTree(Path local, String path) {
        SftpTree tree = new SftpTree(local, path);
        attempt(
                "copying " + local + " to " + path,
                true,
                progress -> overAnyConnection(progress, sftp -> tree.upload(sftp, progress)));
    }

    void downloadTree(String path, Path local) {
        String what = "copying " + path + " to " + local;
        boolean into = Files.isDirectory(local);
        attempt(what, false, progress -> {
            SftpDownload.Limits limits = SftpDownload.Limits.of(local);
            overAnyConnection(
                    progress,
                    sftp -> SftpDownload.run(sftp, "on " + node + ", " + what, path, local, into, progress, limits));
        });
    }

    static void put(SftpClient sftp, Source source, String path, int mode, Progress progress) throws IOException {
        String temporary = path + ".clusterwright-" + Nonce.next();
        boolean renamed = false;
        progress.temporary = temporary;
        try (InputStream in = source.open()) {
            createEmpty(sftp, temporary, mode);
            try (OutputStream out = sftp.write(temporary, OpenMode.Write)) {
                copy(in, out, progress);
            }
            rename(sftp, temporary, path);
            renamed = true;
        } finally {
            if (!renamed) {
                removeIfThere(sftp, temporary);
            }
        }
    }

    /** The permissions are in force before the first byte of content. */
    private static void createEmpty(SftpClient sftp, String path, int mode) throws IOException {
        try (CloseableHandle handle = sftp.open(path, OpenMode.Write, OpenMode.Create, OpenMode.Exclusive)) {
            sftp.setStat(handle, new Attributes().perms(mode));
        }
    }

    private static void rename(SftpClient sftp, String from, String to) throws IOException {
        OpenSSHPosixRenameExtension atomic = sftp.getExtension(OpenSSHPosixRenameExtension.class);
        if (atomic != null && atomic.isSupported()) {
            atomic.posixRename(from, to);
        } else {
            removeIfThere(sftp, to);
            sftp.rename(from, to);
        }
    }

    private static void removeIfThere(SftpClient sftp, String path) throws IOException {
        try {
            sftp.remove(path);
        } catch (SftpException e) {
            if (e.getStatus() != SftpConstants.SSH_FX_NO_SUCH_FILE) {
                throw e;
            }
        }
    }

    static void get(SftpClient sftp, String path, Path local, boolean closed, Progress progress) throws IOException {
        boolean whole = PrivateFiles.isReplaced(local);
        PrivateFiles.replace(local, closed, out -> {
            if (!whole && progress.appended) {
                throw new FileSystemException(
                        local.toString(), null, "the connection broke while a part was in it; name a file");
            }
            try (InputStream in = sftp.read(path)) {
                progress.appended = !whole;
                copy(in, out, progress);
            }
        });
    }

    /** A copy that goes on where its last whole file was, over another connection, when a connection breaks. */
    private void overAnyConnection(Progress progress, Copy copy) throws IOException {
        ClientSession further = null;
        Reconnection reconnection = null;
        try {
            while (true) {
                try {
                    SftpClient sftp = further == null ? client() : open(further);
                    if (progress.temporary != null) {
                        removeIfThere(sftp, progress.temporary);
                    }
                    copy.run(sftp);
                    return;
                } catch (IOException e) {
                    boolean local = e instanceof FileSystemException || e instanceof InterruptedIOException;
                    if (local || isAnswer(e) || !(further == null ? links.broken() : SshLinks.isGone(further))) {
                        throw e;
                    }
                    LOG.debug("the connection to {} broke during a copy, and is opened again", node, e);
                    if (progress.hasMoved() || reconnection == null) {
                        reconnection = new Reconnection(time);
                    } else if (reconnection.isOver()) {
                        throw e;
                    } else {
                        links.pause(reconnection);
                    }
                }
                if (further != null) {
                    further.close(true);
                }
                further = links.redial(reconnection, () -> progress.step(0));
                progress.further = further;
                progress.step(0);
            }
        } finally {
            if (further != null) {
                further.close(true);
            }
        }
    }

    /** Whether the node said why not, so that the connection is there. */
    private static boolean isAnswer(IOException failure) {
        return failure instanceof SftpException e
                && (e.getStatus() == SftpConstants.SSH_FX_NO_SUCH_FILE
                        || e.getStatus() == SftpConstants.SSH_FX_PERMISSION_DENIED);
    }

    private synchronized SftpClient client() throws IOException {
        links.requireOpen();
        SftpClient current = open;
        if (current != null && current.isOpen()) {
            return current;
        }
        AtomicReference<@Nullable SftpClient> fresh = new AtomicReference<>();
        links.open(Purpose.CONTROL, Deadline.in("file timeout", timeout), session -> {
            SftpClient made = open(session);
            fresh.set(made);
            return made.getClientChannel();
        });
        SftpClient made = Objects.requireNonNull(fresh.get());
        open = made;
        return made;
    }

    /** Whether the connection still carries commands; it waits until a connection that is lost is known to be. */
    private static boolean answers(ClientSession session) throws IOException {
        ClientChannel channel = session.createExecChannel("exit 0");
        channel.setOut(OutputStream.nullOutputStream());
        channel.setErr(OutputStream.nullOutputStream());
        try {
            channel.open().verify(ANSWER);
            return channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), ANSWER)
                            .contains(ClientChannelEvent.CLOSED)
                    && session.isOpen();
        } catch (IOException e) {
            return false;
        } finally {
            channel.close(true);
        }
    }

    /** A server without SFTP refuses a channel of it, and keeps the connection. */
    private SftpClient open(ClientSession session) throws IOException {
        try {
            return SftpClientFactory.instance().createSftpClient(session);
        } catch (IOException e) {
            if (SshLinks.isRefusal(e) || !answers(session)) {
                throw e;
            }
            throw new ClusterwrightException(
                    "on " + node
                            + ", sshd offers no SFTP, which copies of files need: write \"Subsystem sftp internal-sftp\""
                            + " into /etc/ssh/sshd_config there and reload sshd",
                    e);
        }
    }

    private static void copy(InputStream in, OutputStream out, Progress progress) throws IOException {
        byte[] buffer = new byte[CHUNK];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            progress.step(read);
            out.write(buffer, 0, read);
        }
    }

    /** Works on a separate thread: the client drops a connection whose use was interrupted. */
    private void attempt(String what, boolean writing, Transfer transfer) {
        Progress progress = new Progress();
        CompletableFuture<Void> done = new CompletableFuture<>();
        SshThreads.execute(workers, node, () -> {
            try {
                transfer.run(progress);
                done.complete(null);
            } catch (IOException | RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        try {
            await(done, progress);
        } catch (TimeoutException e) {
            progress.stopped = true;
            abandon(progress);
            throw new NodeUnreachableException(
                    node,
                    "on " + node + ", " + what + " made no progress for the file timeout of " + Deadline.text(timeout)
                            + " and was stopped; check the node's disk, its load and the log of sshd",
                    e);
        } catch (InterruptedException e) {
            progress.stopped = true;
            if (!SshFutures.awaitQuietly(done, UNTIL_STOPPED)) {
                abandon(progress);
            }
            throw new OperationInterruptedException("interrupted while " + what + " on " + node, e);
        } catch (ExecutionException e) {
            throw failure(what, writing, Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private void await(CompletableFuture<Void> done, Progress progress)
            throws InterruptedException, ExecutionException, TimeoutException {
        for (long seen = 0; ; seen = progress.pieces.get()) {
            try {
                WaitTime.get(done, timeout);
                return;
            } catch (TimeoutException e) {
                if (seen == progress.pieces.get()) {
                    throw e;
                }
            }
        }
    }

    /** Ends what waits for an answer; the next file opens another channel. A connection that a copy opened again is the copy's alone. */
    private void abandon(Progress progress) {
        ClientSession further = progress.further;
        SftpClient stuck = open;
        if (further != null) {
            further.close(true);
        } else if (stuck != null) {
            stuck.getClientChannel().close(true);
        }
    }

    private RuntimeException failure(String what, boolean writing, Throwable cause) {
        if (cause instanceof SftpException refused) {
            return new ClusterwrightException(
                    "on " + node + ", " + what + " as " + user + " failed: " + reason(refused, writing), refused);
        }
        if (cause instanceof ClusterwrightException own) {
            return own;
        }
        boolean local = cause instanceof FileSystemException;
        return local || !links.broken()
                ? new ClusterwrightException("on " + node + ", " + what + " failed: " + Reason.of(cause), cause)
                : new NodeUnreachableException(node, "the connection to " + node + " broke while " + what, cause);
    }

    private static String reason(SftpException e, boolean writing) {
        return switch (e.getStatus()) {
            case SftpConstants.SSH_FX_NO_SUCH_FILE -> "there is no such file or folder";
            case SftpConstants.SSH_FX_PERMISSION_DENIED ->
                "permission denied; "
                        + (writing
                                ? "use a folder of this account, such as /tmp, or another account"
                                : "use an account that may read it");
            default -> SftpConstants.getStatusName(e.getStatus()) + " " + e.getMessage();
        };
    }

    @Override
    public void close() {
        SftpClient current = open;
        if (current != null) {
            try {
                current.close();
            } catch (IOException e) {
                current.getClientChannel().close(true);
            }
        }
    }

    interface Source {
        InputStream open() throws IOException;
    }

    private interface Copy {
        void run(SftpClient sftp) throws IOException;
    }

    private interface Transfer {
        void run(Progress progress) throws IOException;
    }

    static final class Progress {
        private final AtomicLong pieces = new AtomicLong();
        private final Set<Object> copied = new HashSet<>();
        private final Set<Object> made = new HashSet<>();
        private volatile boolean stopped;
        /** The connection that was opened again for this transfer. */
        private volatile @Nullable ClientSession further;
        /** The file on the node that is to become a copy, or became one. */
        private @Nullable String temporary;

        /** Whether something may have been written that is not replaced by a repetition, as into a pipe. */
        private boolean appended;

        private long left = Long.MAX_VALUE;
        private Supplier<? extends RuntimeException> refusal = IllegalStateException::new;
        private boolean limited;
        /** The bytes since the last whole file. */
        private long begun;
        /** The bytes since {@link #hasMoved} was called last, and the copies by then. */
        private long bytesMoved;

        private int copiedBefore;

        /** Notes that a file was copied, or a folder made, so that it is not copied again over another connection. */
        void copied(Object target) {
            copied.add(target);
            begun = 0;
        }

        /** Notes that a folder is new, before it is made: its mode is set by this transfer, over whichever connection. */
        void made(Object folder) {
            made.add(folder);
        }

        boolean isMade(Object folder) {
            return made.contains(folder);
        }

        /** Whether something arrived since the last call. */
        boolean hasMoved() {
            boolean moved = bytesMoved > ARRIVED || copied.size() > copiedBefore;
            bytesMoved = 0;
            copiedBefore = copied.size();
            return moved;
        }

        boolean isCopied(Object target) {
            return copied.contains(target);
        }

        /** Ends the transfer with this exception when it has more bytes; a transfer that goes on has its limit already. */
        void limit(long bytes, Supplier<? extends RuntimeException> tooMuch) {
            left = limited ? left + begun : bytes;
            begun = 0;
            limited = true;
            refusal = tooMuch;
        }

        /** Notes that the transfer goes on, with this number of bytes more. */
        void step(int bytes) throws InterruptedIOException {
            if (stopped) {
                throw new InterruptedIOException("stopped");
            }
            pieces.incrementAndGet();
            left -= bytes;
            begun += bytes;
            bytesMoved += bytes;
            if (left < 0) {
                throw refusal.get();
            }
        }
    }
}
