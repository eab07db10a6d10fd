package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("breadth")
class SharedEmulatorTest {
    @TempDir
    private Path folder;

    private SharedEmulator shared() {
        return SharedEmulator.of(folder.resolve("state"));
    }

    private List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SharedEmulatorProgram.class.getName(),
                folder.resolve("state").toString());
    }

    private static int status(URI url, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/subscriptions?api-version=2022-12-01"))
                .header("Authorization", "Bearer " + token)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void startsOnceForConcurrentUsersAndEndsWithTheLast()
            throws InterruptedException, ExecutionException, TimeoutException, IOException {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<SharedEmulator.Lease> one = threads.submit(() -> shared().lease(command()));
            Future<SharedEmulator.Lease> other = threads.submit(() -> shared().lease(command()));
            SharedEmulator.Lease first = one.get(2, TimeUnit.MINUTES);
            SharedEmulator.Lease second = other.get(2, TimeUnit.MINUTES);
            assertThat(second.server.url()).isEqualTo(first.server.url());
            assertThat(second.server.subscription()).isEqualTo(first.server.subscription());

            first.close();
            URI url = second.server.url();
            String token = shared().token(url).orElseThrow().reveal();
            assertThat(status(url, token)).isEqualTo(200);
            assertThat(status(url, "none")).isEqualTo(401);
            assertThat(shared().token(URI.create("http://127.0.0.1:1"))).isEmpty();
            assertThat(shared().hasOrphans()).isFalse();

            second.close();
            assertThatThrownBy(() -> status(url, token)).isInstanceOf(ConnectException.class);
            assertThat(folder.resolve("state")).doesNotExist();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void doesNotStartForAQuery() {
        assertThat(shared().findLease()).isEmpty();
        assertThat(shared().stop()).isFalse();
        assertThat(folder.resolve("state")).doesNotExist();
    }

    @Test
    void reportsTheOutputOfAProgramThatDoesNotServe() {
        assertThatThrownBy(() -> shared().lease(List.of("sh", "-c", "echo no such folder; exit 3")))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("The emulated Azure ended at once, with status 3")
                .hasMessageContaining("no such folder");
    }

    @Test
    void ignoresTheRecordOfADeadProcess() throws IOException {
        Path record = folder.resolve("state/emulator/server.json");
        Files.createDirectories(record.getParent());
        long pid = ProcessHandle.current().pid();
        Files.writeString(
                record,
                "{\"url\":\"http://127.0.0.1:9\",\"subscriptionId\":\"s\",\"pid\":" + pid
                        + ",\"startedMillis\":1,\"whileUsed\":true}");

        assertThat(shared().findLease())
                .as("this process has the number, but was started later")
                .isEmpty();
    }

    @Test
    void keepsItsRecordFromOtherUsers() throws IOException {
        Path own = folder.resolve("state/emulator");
        SharedEmulator shared = shared();
        LocalMachines local = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
        try (MachineHost host = local.host();
                ArmEmulator served = shared.serve(ArmEmulator.builder(), host)) {
            Path record = own.resolve("server.json");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(record)))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(record))
                    .contains(served.token().orElseThrow().reveal());
        }
    }

    @Test
    void refusesAFolderThatAnotherUserOwnsOrMayWrite() throws IOException {
        Path own = folder.resolve("state/emulator");
        Files.createDirectories(own);
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> shared().findLease())
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("does not use " + own + ", because it may be written by other users");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setAttribute(own, "unix:uid", 65534);
        assertThatThrownBy(() -> shared().findLease()).hasMessageContaining("belongs to the user with number 65534");
        Files.delete(own);
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(own, elsewhere);
        assertThatThrownBy(() -> shared().lease(command())).hasMessageContaining("is a symbolic link");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void ignoresARecordThatAnotherUserPlanted() throws IOException {
        Path record = folder.resolve("state/emulator/server.json");
        Files.createDirectories(record.getParent());
        Files.writeString(
                record,
                "{\"url\":\"http://127.0.0.1:9\",\"pid\":"
                        + ProcessHandle.current().pid() + "}");
        Files.setAttribute(record, "unix:uid", 65534);
        assertThatThrownBy(() -> shared().stop())
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("does not use " + record);
    }

    @Test
    void removesOrphansOfAKilledEmulator() throws IOException {
        Path made = folder.resolve("state/emulator/made.jsonl");
        Files.createDirectories(made.getParent());
        Files.writeString(made, "{\"image\":\"arm-00000000\"}\n{\"image\":\"arm-0000");

        assertThat(shared().hasOrphans()).isTrue();
        assertThatThrownBy(() -> shared().lease(command()))
                .hasMessageContaining("has ended without deleting its machines")
                .hasMessageContaining("Destroy its clusters, or run `clusterwright emulator --stop`");

        LocalMachines local = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
        try (MachineHost host = local.host()) {
            shared().removeOrphans(host);
        }
        assertThat(shared().hasOrphans()).isFalse();
        assertThat(folder.resolve("state")).doesNotExist();
    }
}
