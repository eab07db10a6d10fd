package io.clusterwright.mpi;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** This machine as a node: commands are processes of a session of their own, ended as a whole. */
public final class LocalSession implements NodeSession, SessionResources.Holder {
    public static final NodeName NODE = NodeName.of("here");

    private final SessionResources resources = new SessionResources();

    @Override
    public NodeName node() {
        return NODE;
    }

    @Override
    public UserName user() {
        return UserName.of(System.getProperty("user.name"));
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public CommandResult run(Command command) {
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        long start = System.nanoTime();
        try (RunningCommand running = start(
                command,
                (stream, bytes, length) ->
                        (stream == OutputListener.Stream.STDOUT ? stdout : stderr).write(bytes, 0, length))) {
            int status = running.await(command.timeout())
                    .orElseThrow(() -> new CommandException.TimedOut(NODE, command + " took too long"));
            return new CommandResult(
                    NODE,
                    command,
                    status,
                    stdout.toString(StandardCharsets.UTF_8),
                    stderr.toString(StandardCharsets.UTF_8),
                    Duration.ofNanos(System.nanoTime() - start));
        }
    }

    @Override
    public RunningCommand start(Command command, OutputListener output) {
        List<String> argv = new ArrayList<>(List.of("setsid"));
        argv.addAll(command.arguments());
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.environment().putAll(command.environment());
        try {
            Process process = builder.start();
            Running running = new Running(
                    process,
                    List.of(
                            pump(process.getInputStream(), OutputListener.Stream.STDOUT, output),
                            pump(process.getErrorStream(), OutputListener.Stream.STDERR, output)));
            running.send(command.input());
            if (!command.inputOpen()) {
                running.endInput();
            }
            return running;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread pump(InputStream in, OutputListener.Stream stream, OutputListener output) {
        Thread thread = new Thread(() -> {
            byte[] buffer = new byte[4096];
            try {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    synchronized (output) {
                        output.onOutput(stream, buffer, n);
                    }
                }
            } catch (IOException e) {
                // The process was ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void write(byte[] content, String remotePath, int mode) {
        try {
            Path path = Path.of(remotePath);
            Path fresh = path.resolveSibling(path.getFileName() + ".new");
            Files.write(fresh, content);
            StringBuilder text = new StringBuilder();
            for (int bit = 8; bit >= 0; bit--) {
                text.append((mode >> bit & 1) == 1 ? "xwr".charAt(bit % 3) : '-');
            }
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString(text.toString()));
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void upload(Path local, String remotePath, int mode) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void download(String remotePath, Path local) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SessionResources resources() {
        return resources;
    }

    @Override
    public void close() {
        resources.close();
    }

    private record Running(Process process, List<Thread> pumps) implements RunningCommand {
        @Override
        public OptionalInt await(Duration limit) {
            try {
                if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                    return OptionalInt.empty();
                }
                for (Thread pump : pumps) {
                    pump.join(5000);
                }
                return OptionalInt.of(process.exitValue());
            } catch (InterruptedException e) {
                throw new IllegalStateException("the supervisor is never interrupted", e);
            }
        }

        @Override
        public void send(byte[] bytes) {
            try {
                process.getOutputStream().write(bytes);
                process.getOutputStream().flush();
            } catch (IOException e) {
                // The program did not want its input.
            }
        }

        @Override
        public void endInput() {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // It had ended.
            }
        }

        @Override
        public void cancel(Duration grace) {
            signal("TERM");
            if (await(grace).isEmpty()) {
                signal("KILL");
            }
        }

        @Override
        public void close() {
            if (process.isAlive()) {
                signal("KILL");
            }
        }

        private void signal(String name) {
            try {
                new ProcessBuilder("kill", "-" + name, "--", "-" + process.pid())
                        .redirectErrorStream(true)
                        .start()
                        .waitFor();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
