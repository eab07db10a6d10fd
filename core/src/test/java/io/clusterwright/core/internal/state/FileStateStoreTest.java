package io.clusterwright.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterException;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.FullDisk;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FileStateStoreTest {
    private static final ClusterName DEMO = new ClusterName("demo");
    private static final ClusterName OTHER = new ClusterName("other");

    @TempDir
    Path folder;

    private FileStateStore store() {
        return new FileStateStore(folder);
    }

    private Path journal(ClusterName name) {
        return folder.resolve("clusters").resolve(name.value()).resolve("journal.jsonl");
    }

    @Test
    @Tag("breadth")
    void removesTheTornPartOfAnEntryThatCouldNotBeWritten() throws IOException {
        try (FullDisk disk = new FullDisk(folder.resolve("small"))) {
            StateStore store = new FileStateStore(disk.folder());
            try (StateStore.Writer writer = store.open(DEMO)) {
                writer.append("{\"a\":1}");
                disk.fill();
                assertThatThrownBy(() -> writer.append("{\"b\":\"" + "x".repeat(9000) + "\"}"))
                        .isInstanceOf(ClusterwrightException.class)
                        .hasMessageContaining(
                                "cannot write the journal in " + disk.folder().resolve("clusters/demo"))
                        .hasMessageContaining("No space left on device")
                        .hasMessageContaining("has room, or set CLUSTERWRIGHT_STATE");
                disk.empty();
                writer.append("{\"c\":3}");
            }
            assertThat(store.read(DEMO)).containsExactly("{\"a\":1}", "{\"c\":3}");
        }
    }

    @Test
    void hasOneIdThatAllWritersAgreeOnAndThatOutlivesItsClusters() throws Exception {
        assertThat(store().owner()).isEmpty();
        assertThat(Files.list(folder)).isEmpty();
        List<Optional<String>> made =
                Tasks.each("writer", 8, Collections.nCopies(8, folder), each -> store().makeOwner(), (each, cause) -> {
                    throw new AssertionError(cause);
                });
        assertThat(made).containsOnly(store().owner());
        assertThat(made.get(0).orElseThrow()).matches("[0-9a-f]{16}");
        try (StateStore.Writer writer = store().open(DEMO)) {
            writer.append("{}");
            writer.forget();
        }
        assertThat(store().owner()).isEqualTo(made.get(0));
        assertThat(store().clusters()).isEmpty();
        assertThat(new FileStateStore(folder.resolve("another")).makeOwner()).isNotEqualTo(made.get(0));

        Files.writeString(folder.resolve("owner"), "0123");
        assertThat(store().owner()).isEmpty();
        assertThat(store().makeOwner()).isEqualTo(store().owner()).isPresent();
    }

    @Test
    void dropsALastLineThatWasNotWrittenWhole() throws IOException {
        try (StateStore.Writer writer = store().open(DEMO)) {
            writer.append("{\"a\":1}");
        }
        Files.writeString(journal(DEMO), "{\"a\":1}\n{\"b");
        try (StateStore.Writer writer = store().open(DEMO)) {
            writer.append("{\"c\":3}");
        }
        assertThat(store().read(DEMO)).containsExactly("{\"a\":1}", "{\"c\":3}");
    }

    @Test
    void leavesNothingWhereARecordCannotBeOpened() throws IOException {
        Path clusters = folder.resolve("clusters");
        Files.createDirectories(clusters.resolve("demo/journal.jsonl/in-the-way"));
        assertThatThrownBy(() -> store().open(DEMO))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining(clusters.resolve("demo/journal.jsonl") + " is no regular file");
    }

    @Test
    void hasNoClustersOnlyWhereTheirFolderIsAbsent() throws IOException {
        assertThat(store().clusters()).isEmpty();
        Files.writeString(folder.resolve("clusters"), "");
        assertThatThrownBy(() -> store().clusters())
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("cannot list the clusters in " + folder.resolve("clusters"));
    }

    @Test
    @Tag("breadth")
    void refusesAnEmptyFolderOfAnotherUser() throws IOException {
        Files.setAttribute(folder, "unix:uid", 4242);
        try {
            assertThatThrownBy(() -> store().clusters()).hasMessageContaining(folder + " belongs to user 4242");
        } finally {
            Files.setAttribute(folder, "unix:uid", 0);
        }
    }

    @Test
    void forgetsARecordAtOnceAndRemovesWhatAKilledProcessLeft() throws IOException {
        try (StateStore.Writer writer = store().open(DEMO)) {
            writer.append("{}");
            store().secrets(DEMO).put("login", Secret.of("private"));
            writer.forget();
        }
        assertThat(folder.resolve("clusters")).doesNotExist();

        Path killed = folder.resolve("clusters/.forgotten-demo-0/secrets");
        Files.createDirectories(killed);
        Files.writeString(killed.resolve("login"), "private");
        assertThat(store().clusters()).isEmpty();
        assertThat(killed.getParent()).doesNotExist();
    }

    @Test
    void listsARecordThatEndedBeforeItsFirstEntry() {
        store().open(DEMO).close();
        assertThat(store().clusters()).containsExactly(DEMO);
        assertThat(ClusterRecords.all(store())).isEmpty();
    }

    @Test
    void ignoresAFolderThatNoClusterCanHave() throws IOException {
        Files.createDirectories(folder.resolve("clusters/Not a cluster"));
        Files.writeString(folder.resolve("clusters/Not a cluster/journal.jsonl"), "{}\n");
        assertThat(store().clusters()).isEmpty();
    }

    @Test
    void aDamagedRecordHidesNoOther() throws IOException {
        Map<ClusterName, String> damages = Map.of(
                DEMO,
                "{\"at\":\"yesterday\",\"entry\":\"began\",\"id\":\"3f09c1d27a5be804\",\"provider\":\"local\",\"folder\":\"/\",\"spec\":\"{}\"}\n",
                OTHER,
                "{\"at\":\"2026-01-01T00:00:00Z\",\"entry\":\"creating\",\"kind\":\"machine\",\"name\":\"m1\"}\n"
                        + "null\n");
        for (Map.Entry<ClusterName, String> damage : damages.entrySet()) {
            store().open(damage.getKey()).close();
            Files.writeString(journal(damage.getKey()), damage.getValue());
        }
        assertThat(ClusterRecords.all(store()))
                .hasSize(2)
                .allSatisfy(record -> assertThat(record.phase()).isEqualTo(ClusterPhase.DAMAGED));
        assertThat(ClusterRecords.all(store()).get(0).damage())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("line 1 of " + journal(DEMO) + " cannot be read: ")
                        .contains("yesterday"));
        assertThat(ClusterRecords.all(store()).get(1).damage())
                .hasValueSatisfying(
                        reason -> assertThat(reason).startsWith("line 2 of " + journal(OTHER) + " cannot be read"));
        assertThat(new ClusterRecords(store(), "local").readable(OTHER).map(ClusterRecord::resources))
                .hasValueSatisfying(found -> assertThat(found).hasToString("[machine m1]"));
        assertThatThrownBy(() -> new ClusterRecords(store(), "local").find(DEMO))
                .isExactlyInstanceOf(ClusterwrightException.class)
                .hasMessageStartingWith("the record of cluster demo is damaged: line 1 of " + journal(DEMO));
    }

    @Test
    @Tag("breadth")
    void refusesAFolderBehindALinkOfAnotherUser() throws IOException {
        Path real = Files.createDirectories(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        StateStore store = new FileStateStore(link.resolve("state"));
        store.open(DEMO).close();
        Files.setAttribute(link, "unix:uid", 4242, java.nio.file.LinkOption.NOFOLLOW_LINKS);

        assertThatThrownBy(() -> store.open(OTHER))
                .isExactlyInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("the state folder " + link.resolve("state") + " is not used: " + link
                        + " belongs to user 4242, who could replace it")
                .hasMessageContaining("set CLUSTERWRIGHT_STATE to a folder of your own");
        assertThatThrownBy(store::clusters).hasMessageContaining("belongs to user 4242");
        assertThat(real.resolve("state/clusters/other")).doesNotExist();
    }

    @Test
    @Tag("breadth")
    void refusesAFolderOfAnotherUser() throws IOException {
        store().open(DEMO).close();
        Files.setAttribute(folder.resolve("clusters"), "unix:uid", 4242);

        assertThatThrownBy(() -> store().clusters())
                .isExactlyInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("the state folder " + folder + " is not used: " + folder.resolve("clusters")
                        + " belongs to user 4242, who could replace it, with its records and keys")
                .hasMessageContaining("set CLUSTERWRIGHT_STATE to a folder of your own");
        assertThatThrownBy(() -> store().open(OTHER)).hasMessageContaining("belongs to user 4242");
        assertThatThrownBy(() -> store().read(DEMO)).hasMessageContaining("belongs to user 4242");
    }

    @Test
    void refusesAFolderInWhichOtherUsersMayWrite() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> new FileStateStore(shared).open(DEMO))
                .isExactlyInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("other users may write to " + shared + " and could replace it")
                .hasMessageContaining("run: chmod go-w " + shared);
        assertThat(shared).isEmptyDirectory();
    }

    /** Another user could have written what is there: {@code clusters} of mode 1777 and a folder {@code demo} with a journal in it. */
    @ParameterizedTest
    @CsvSource({
        ".,                          1777",
        ".,                          0770",
        "..,                         1777",
        "journal.jsonl,              0622",
        "lock,                       0666",
        "secrets,                    1777",
        "secrets/login,              0606",
    })
    void refusesPartsOfARecordThatOtherUsersMayWrite(String part, String mode) throws IOException {
        Path demo = record();
        Path open = demo.resolve(part).normalize();
        Files.setAttribute(open, "unix:gid", 4242);
        Files.setAttribute(open, "unix:mode", Integer.parseInt(mode, 8));
        assertRefused("other users may write to " + open + " and could replace it", "run: chmod go-w " + open);

        Files.setAttribute(open, "unix:mode", Integer.parseInt(mode, 8) & ~022);
        useAll();
        assertThat(Files.readAttributes(demo.resolve("journal.jsonl"), PosixFileAttributes.class)
                        .permissions())
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "journal.jsonl", "lock", "secrets", "secrets/login"})
    @Tag("breadth")
    void refusesPartsOfARecordThatAnotherUserOwns(String part) throws IOException {
        Path foreign = record().resolve(part).normalize();
        Files.setAttribute(foreign, "unix:uid", 4242);
        assertRefused(foreign + " belongs to user 4242, who could replace it", "or remove it");

        PrivateFiles.removeTree(foreign);
        useAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"journal.jsonl", "lock", "secrets/login"})
    void refusesLinksInThePlaceOfItsFiles(String part) throws IOException {
        Path file = record().resolve(part);
        Path elsewhere = Files.move(file, folder.resolve("elsewhere"));
        Files.createSymbolicLink(file, elsewhere);
        assertRefused(file + " is no regular file", "or remove it");
    }

    /** The folder of a record with all its parts. */
    private Path record() {
        useAll();
        return folder.resolve("clusters/demo");
    }

    private void useAll() {
        store().open(DEMO).close();
        store().read(DEMO);
        store().secrets(DEMO).put("login", Secret.of("private"));
        assertThat(store().secrets(DEMO).get("login")).isPresent();
    }

    private void assertRefused(String reason, String remedy) {
        assertThatThrownBy(() -> {
                    store().open(DEMO).close();
                    store().read(DEMO);
                    store().secrets(DEMO).get("login");
                })
                .isExactlyInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("the state folder " + folder + " is not used: " + reason)
                .hasMessageEndingWith(remedy);
    }

    @Test
    void itsFilesAreForTheirOwnerAlone() throws IOException {
        store().makeOwner();
        try (StateStore.Writer writer = store().open(DEMO)) {
            writer.append("{}");
            store().secrets(DEMO).put("login", Secret.of("private"));
        }
        Files.setPosixFilePermissions(journal(DEMO), PosixFilePermissions.fromString("rw-r--r--"));
        store().open(DEMO).close();

        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(path -> !path.equals(folder)))
                    .hasSizeGreaterThan(6)
                    .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .endsWith("------"));
        }
    }

    @Test
    void aSecretThatIsRemovedIsGone() {
        store().secrets(DEMO).put("host-demo1", Secret.of("private"));
        store().secrets(DEMO).remove("host-demo1");
        store().secrets(DEMO).remove("host-demo2");
        assertThat(store().secrets(DEMO).get("host-demo1")).isEmpty();
    }

    @Test
    @Tag("breadth")
    void keepsTheSecretsOfAnOlderFileWholeWhenThereIsNoRoom() throws IOException {
        try (FullDisk disk = new FullDisk(folder.resolve("small"))) {
            StateStore store = new FileStateStore(disk.folder());
            store.secrets(DEMO).put("login", Secret.of("old"));
            disk.fill();
            assertThatThrownBy(() -> store.secrets(DEMO).put("login", Secret.of("new")))
                    .hasMessageContaining("cannot write the secret");
            assertThat(store.secrets(DEMO).get("login").map(Secret::reveal)).hasValue("old");
            assertThat(List.of(disk.folder()
                            .resolve("clusters/demo/secrets")
                            .toFile()
                            .list()))
                    .containsExactly("login");
        }
    }

    /** A process that closes any descriptor of a file loses its lock on it. */
    @Test
    void aSecondUseOfARecordInOneProcessLeavesItsLockInForce() throws Exception {
        try (StateStore.Writer writer = store().open(DEMO)) {
            Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
            for (Path way : List.of(folder, link)) {
                assertThatThrownBy(() -> new FileStateStore(way).open(DEMO))
                        .isInstanceOf(ClusterException.InUse.class)
                        .hasMessageContaining(
                                "process " + ProcessHandle.current().pid() + ";");
            }
            assertThat(openInAnotherProcess())
                    .startsWith("cluster demo is being changed by process "
                            + ProcessHandle.current().pid());
            writer.append("{}");
        }
        assertThat(openInAnotherProcess()).isEqualTo("opened");
        store().open(DEMO).close();
    }

    private String openInAnotherProcess() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherWriter.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader answer = other.inputReader()) {
            return String.valueOf(answer.readLine());
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    /** Opens the record in a folder and prints the outcome. */
    static final class OtherWriter {
        private OtherWriter() {}

        public static void main(String[] arguments) {
            try (StateStore.Writer writer = new FileStateStore(Path.of(arguments[0])).open(DEMO)) {
                System.out.println(writer == null ? "" : "opened");
            } catch (ClusterException.InUse e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** A removal on a full disk marks no lock; a writer that had opened that lock got it, beside the writer of a new record. */
    @Test
    void aLockCountsOnlyIfItIsStillTheFileOfItsRecord() {
        store().open(DEMO).close();
        List<StateStore.Writer> others = new ArrayList<>();
        Path gone = folder.resolve("gone");
        StateStore late = new FileStateStore(folder, () -> {
            if (others.isEmpty()) {
                try {
                    Files.move(folder.resolve("clusters/demo"), gone);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                others.add(store().open(DEMO));
            }
        });
        assertThatThrownBy(() -> late.open(DEMO)).isInstanceOf(ClusterException.InUse.class);
        others.get(0).append("{}");
        others.get(0).close();
        assertThat(gone.resolve("journal.jsonl")).isEmptyFile();
        late.open(DEMO).close();
    }

    /** One that waited for the lock of a removed record got it, beside the writer of a new record of that name. */
    @Test
    void aRemovedRecordGivesItsLockToNobody() throws Exception {
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Callable<Integer> work = () -> {
            int opened = 0;
            for (int i = 0; i < 150; i++) {
                try (StateStore.Writer writer = store().open(DEMO)) {
                    most.accumulateAndGet(writers.incrementAndGet(), Math::max);
                    opened++;
                    Thread.onSpinWait();
                    writers.decrementAndGet();
                    writer.forget();
                } catch (ClusterwrightException e) {
                    assertThat(e).isInstanceOf(ClusterException.InUse.class);
                }
            }
            return opened;
        };
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            int opened = 0;
            for (Future<Integer> one : threads.invokeAll(List.of(work, work, work))) {
                opened += one.get();
            }
            assertThat(opened).isPositive();
        } finally {
            threads.shutdownNow();
        }
        assertThat(most).hasValue(1);
    }
}
