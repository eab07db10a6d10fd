package io.clusterwright.core.internal.relay;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A session that runs commands by scripts over the relay of its node, for where there is no network way to it. Slow: each step is one
 * script, and on Azure a script takes seconds to half a minute.
 *
 * <p>What is different from a session over SSH:
 *
 * <ul>
 *   <li>Connecting asks nothing; the first command does.
 *   <li>Output comes while somebody awaits the command, in pieces; {@link #run} keeps the last 256 KiB of each stream.
 *   <li>{@link Command#openInput()} is refused, and so is what needs it, such as companions that talk with a process.
 *   <li>Files of up to 16 MiB go there and of up to 1 MiB come back.
 *   <li>A command runs on when the library dies; a machine that restarts forgets it.
 * </ul>
 */
public final class RunCommandSession implements NodeSession, SessionResources.Holder {
    private static final int KEPT_BYTES = 256 * 1024;
    private static final int LARGEST_UPLOAD = 16 * 1024 * 1024;
    private static final int LARGEST_DOWNLOAD = 1024 * 1024;
    private static final Duration FILE_LIMIT = Duration.ofMinutes(10);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final int SHOWN_LINES = 4;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final UserName user;
    private final RelayLine line;
    private final Set<RelayJob> running = ConcurrentHashMap.newKeySet();
    private final SessionResources resources = new SessionResources();
    private volatile boolean open = true;

    /** Opens sessions to nodes of one kind of system. */
    public static NodeTransport transport(RelayShell shell) {
        return new NodeTransport() {
            @Override
            public NodeSession connect(Target target) {
                return new RunCommandSession(shell, target);
            }

            @Override
            public void close() {}
        };
    }

    private RunCommandSession(RelayShell shell, Target target) {
        this.user = target.user();
        this.line = new RelayLine(target.node(), shell, target.relay());
    }

    @Override
    public NodeName node() {
        return line.node();
    }

    @Override
    public UserName user() {
        return user;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public CommandResult run(Command command) {
        long begin = System.nanoTime();
        Ended ended = finish(command, command.timeout(), KEPT_BYTES);
        return new CommandResult(
                node(),
                command,
                ended.status,
                kept(ended.out, ended.job.lost(Stream.STDOUT)),
                kept(ended.err, ended.job.lost(Stream.STDERR)),
                Duration.ofNanos(System.nanoTime() - begin));
    }

    @Override
    public RunningCommand start(Command command, OutputListener output) {
        RelayJob job = job(command, output, Long.MAX_VALUE);
        job.launch(user, Duration.ZERO);
        return job;
    }

    private RelayJob job(Command command, OutputListener output, long kept) {
        if (!open) {
            throw new NodeUnreachableException(node(), "the session to " + node() + " is closed; open a new session");
        }
        if (command.inputOpen()) {
            throw new ClusterwrightException("`" + command + "` needs open standard input, and commands on " + node()
                    + " run as scripts without it; pass all input before the start, or connect to the node over SSH");
        }
        byte[] random = new byte[8];
        RANDOM.nextBytes(random);
        RelayJob[] made = new RelayJob[1];
        made[0] = new RelayJob(
                line, command, HexFormat.of().formatHex(random), output, kept, () -> running.remove(made[0]));
        running.add(made[0]);
        return made[0];
    }

    private Ended finish(Command command, Duration limit, long kept) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        RelayJob job = job(
                command,
                (stream, bytes, length) -> (stream == Stream.STDOUT ? out : err).write(bytes, 0, length),
                kept);
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "command timeout", limit);
        try {
            job.launch(user, limit);
            OptionalInt status = job.await(deadline.remaining());
            if (status.isPresent()) {
                return new Ended(status.getAsInt(), out, err, job);
            }
            job.cancel(GRACE);
        } finally {
            running.remove(job);
        }
        throw timedOut(command, out, err);
    }

    private record Ended(int status, ByteArrayOutputStream out, ByteArrayOutputStream err, RelayJob job) {}

    private CommandException.TimedOut timedOut(Command command, ByteArrayOutputStream out, ByteArrayOutputStream err) {
        String seen = command.sensitive()
                ? " (output withheld: it may hold a secret)"
                : lastSeen("standard error", err) + lastSeen("standard output", out);
        return new CommandException.TimedOut(
                node(),
                "on " + node() + ", `" + command + "` did not end within the command's timeout of "
                        + command.timeout().toSeconds() + " s, and was stopped" + seen
                        + "; raise the timeout: --timeout SECONDS (Command.timeout)");
    }

    private static String lastSeen(String name, ByteArrayOutputStream output) {
        List<String> lines = output.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return lines.isEmpty()
                ? ""
                : "; last on " + name + ": "
                        + String.join(" | ", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }

    private static CommandResult.Output kept(ByteArrayOutputStream output, long lost) {
        byte[] bytes = output.toByteArray();
        int from = Math.max(0, bytes.length - KEPT_BYTES);
        return new CommandResult.Output(Arrays.copyOfRange(bytes, from, bytes.length), lost + from);
    }

    @Override
    public void write(byte[] content, String remotePath, int mode) {
        requireRoom(remotePath, content.length);
        CommandResult result =
                run(line.shell().writing(remotePath, mode).input(content).timeout(FILE_LIMIT));
        if (!result.succeeded()) {
            throw new ClusterwrightException("cannot write " + remotePath + " on " + node() + " as " + user + ": "
                    + PrintableText.output(result.stderr() + result.stdout()));
        }
    }

    @Override
    public void upload(Path local, String remotePath, int mode) {
        try {
            requireRoom(remotePath, Files.size(local));
            write(Files.readAllBytes(local), remotePath, mode);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot read " + local + " to copy it to " + node() + ": " + Reason.of(e), e);
        }
    }

    @Override
    public void download(String remotePath, Path local) {
        Command reading = line.shell().reading(remotePath, LARGEST_DOWNLOAD).timeout(FILE_LIMIT);
        Ended ended = finish(reading, FILE_LIMIT, LARGEST_DOWNLOAD);
        if (ended.status == RelayShell.TOO_LARGE) {
            throw tooLarge(
                    remotePath,
                    "from",
                    ended.err.toString(StandardCharsets.UTF_8).strip(),
                    LARGEST_DOWNLOAD,
                    "have the node put it into a storage account");
        }
        if (ended.status != 0) {
            throw new ClusterwrightException("cannot read " + remotePath + " on " + node() + " as " + user + ": "
                    + ended.err.toString(StandardCharsets.UTF_8).strip());
        }
        try {
            PrivateFiles.replace(local, false, ended.out::writeTo);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot write " + local + ", the copy of " + remotePath + " from " + node() + ": " + Reason.of(e),
                    e);
        }
    }

    private void requireRoom(String remotePath, long size) {
        if (size > LARGEST_UPLOAD) {
            throw tooLarge(
                    remotePath,
                    "to",
                    Long.toString(size),
                    LARGEST_UPLOAD,
                    "have the node fetch it from a storage account");
        }
    }

    private ClusterwrightException tooLarge(String path, String way, String size, int largest, String remedy) {
        return new ClusterwrightException(path + " has " + size + " bytes, and a copy " + way + " " + node()
                + " by scripts may have " + largest + "; " + remedy + ", or connect to the node over SSH");
    }

    @Override
    public SessionResources resources() {
        return resources;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        resources.close();
        for (RelayJob job : List.copyOf(running)) {
            try {
                job.close();
            } catch (ClusterwrightException e) {
                // Closing goes on with the others; a machine that is gone has nothing to end.
            }
        }
    }
}
