package io.clusterwright.examples.crash;

import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The records of a process: those in a folder, each change of which is an effect. */
record RecordGate(SimulatedProcess process, Path folder) implements StateStore {
    private StateStore files() {
        return StateStore.inFolder(folder);
    }

    @Override
    public List<ClusterName> clusters() {
        return process.read(() -> files().clusters());
    }

    @Override
    public List<String> read(ClusterName cluster) {
        return process.read(() -> files().read(cluster));
    }

    @Override
    public Optional<String> owner() {
        return process.read(() -> files().owner());
    }

    @Override
    public Optional<String> makeOwner() {
        Optional<String> there = owner();
        if (there.isPresent()) {
            return there;
        }
        return process.effect(new Effect(Effect.Kind.SECRET, "owner"), () -> {
            requireRoom("write the id of the state folder");
            return files().makeOwner();
        });
    }

    @Override
    public SecretStore secrets(ClusterName cluster) {
        SecretStore real = files().secrets(cluster);
        return new SecretStore() {
            @Override
            public Optional<Secret> get(String name) {
                return process.read(() -> real.get(name));
            }

            @Override
            public void put(String name, Secret secret) {
                process.effect(new Effect(Effect.Kind.SECRET, name), () -> {
                    requireRoom("write the secret " + name);
                    real.put(name, secret);
                    return name;
                });
            }

            @Override
            public void remove(String name) {
                process.effect(new Effect(Effect.Kind.SECRET, name), () -> {
                    real.remove(name);
                    return name;
                });
            }
        };
    }

    private void requireRoom(String what) {
        if (process.diskFull()) {
            IOException cause = new IOException("No space left on device");
            throw new ClusterwrightException("cannot " + what + ": " + cause, cause);
        }
    }

    @Override
    public Writer open(ClusterName cluster) {
        Writer real = process.read(() -> files().open(cluster));
        process.holds(real::close);
        Path record = folder.resolve("clusters").resolve(cluster.value());
        return new Writer() {
            @Override
            public void append(String entry) {
                String name = entry.replaceFirst(".*\"entry\":\"([^\"]*)\".*", "$1");
                process.effect(
                        new Effect(Effect.Kind.JOURNAL, name),
                        () -> tear(record.resolve("journal.jsonl"), entry),
                        () -> {
                            requireRoom("write the journal in " + record);
                            real.append(entry);
                        });
            }

            @Override
            public void forget() {
                process.effect(
                        new Effect(Effect.Kind.FORGET, cluster.value()),
                        () -> deleteOne(record.resolve("secrets")),
                        real::forget);
            }

            @Override
            public void close() {
                real.close();
            }
        };
    }

    private static void tear(Path journal, String entry) {
        try {
            Files.writeString(journal, entry.substring(0, entry.length() / 2), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteOne(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> first = files.sorted().findFirst();
            if (first.isPresent()) {
                Files.delete(first.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
