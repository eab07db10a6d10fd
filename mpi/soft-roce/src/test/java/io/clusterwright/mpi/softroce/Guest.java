package io.clusterwright.mpi.softroce;

import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Debian guest under QEMU whose kernel has RDMA devices: this system's programs, Debian's kernel, soft-RoCE. It has no way out, and is
 * reached through ports of the loopback interface only. It ends with {@link #close()}, with this JVM, and after 20 minutes.
 */
final class Guest implements AutoCloseable {
    private static final Duration DOWNLOAD = Duration.ofMinutes(5);
    private static final Duration BOOT = Duration.ofMinutes(3);
    private static final Duration END = Duration.ofSeconds(20);
    private static final String READY = "guest: ready";
    /** Of the guest itself, and of each node in it. */
    private static final List<Integer> PORTS = List.of(22, 2201, 2202);

    private final Process process;
    private final Path console;
    private final List<Integer> forwarded;

    private Guest(Process process, Path console, List<Integer> forwarded) {
        this.process = process;
        this.console = console;
        this.forwarded = forwarded;
    }

    /**
     * Boots a guest.
     *
     * @param folder for what it boots from and its console
     * @param hostKey its host key
     * @param login who may log in as root
     */
    static Guest boot(Path folder, SshKeyPair hostKey, SshPublicKey login) throws IOException {
        Path seed = Files.createDirectories(folder.resolve("seed"));
        Files.writeString(seed.resolve("hostkey"), hostKey.privateKey().reveal());
        Files.writeString(seed.resolve("authorized_keys"), login + "\n");
        Path kernel = kernel();
        Path initrd = folder.resolve("initrd.gz");
        HostProgram.run("make-initrd", DOWNLOAD, kernel.toString(), seed.toString(), initrd.toString());

        List<Integer> free = freePorts();
        List<String> arguments = new ArrayList<>(List.of(kernel.toString(), initrd.toString()));
        for (int i = 0; i < PORTS.size(); i++) {
            arguments.add(free.get(i) + "=" + PORTS.get(i));
        }
        Path console = folder.resolve("console.log");
        Process process = new ProcessBuilder(HostProgram.command("run-guest", arguments))
                .redirectErrorStream(true)
                .redirectOutput(console.toFile())
                .start();
        Guest guest = new Guest(process, console, free);
        try {
            guest.awaitReady();
            return guest;
        } catch (IOException | RuntimeException | Error e) {
            guest.close();
            throw e;
        }
    }

    /** Downloaded once and kept: which release of the kernel it is does not matter to the tests. */
    private static Path kernel() throws IOException {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
        Path folder = Path.of(cache, "clusterwright", "soft-roce-kernel");
        if (!Files.exists(folder.resolve("vmlinuz"))) {
            Files.createDirectories(folder.getParent());
            HostProgram.run("fetch-kernel", DOWNLOAD, folder.toString());
        }
        return folder;
    }

    private static List<Integer> freePorts() throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < PORTS.size(); i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private void awaitReady() throws IOException {
        long deadline = System.nanoTime() + BOOT.toNanos();
        while (!console().contains(READY)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("the guest "
                        + (process.isAlive() ? "was not ready within " + BOOT.toSeconds() + " s" : "ended")
                        + "; its console says:\n" + console());
            }
            pause();
        }
    }

    /** What the guest's console says. */
    String console() throws IOException {
        return Files.readString(console, StandardCharsets.ISO_8859_1);
    }

    /** Where to dial: 0 is the guest itself, 1 and 2 are its nodes. */
    Endpoint endpoint(int which) {
        return new Endpoint(InetAddress.getLoopbackAddress().getHostAddress(), forwarded.get(which));
    }

    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                all.forEach(ProcessHandle::destroyForcibly);
            }
        } catch (IOException e) {
            all.forEach(ProcessHandle::destroyForcibly);
        } catch (InterruptedException e) {
            all.forEach(ProcessHandle::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }

    /** Whether nothing of it runs on this machine. */
    boolean ended() {
        return !process.isAlive() && process.descendants().findAny().isEmpty();
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the guest boots", e);
        }
    }
}
