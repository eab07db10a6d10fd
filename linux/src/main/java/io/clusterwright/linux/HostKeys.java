package io.clusterwright.linux;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.client.config.hosts.KnownHostEntry;

/** Host keys of known_hosts files, sshd(8), also of hashed names and patterns. */
final class HostKeys {
    private static final List<String> PREFERENCE = List.of("ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa");

    private final List<Path> files;
    private final List<KnownHostEntry> entries;

    private HostKeys(List<Path> files, List<KnownHostEntry> entries) {
        this.files = files;
        this.entries = entries;
    }

    /** Reads the files that exist. */
    static HostKeys read(List<Path> files) {
        List<KnownHostEntry> entries = new ArrayList<>();
        for (Path file : files) {
            if (Files.isRegularFile(file)) {
                try {
                    entries.addAll(KnownHostEntry.readKnownHostEntries(file));
                } catch (IOException | RuntimeException e) {
                    throw new ClusterwrightException(
                            "cannot read the known hosts in " + file + ": " + e.getMessage(), e);
                }
            }
        }
        return new HostKeys(List.copyOf(files), List.copyOf(entries));
    }

    /** The key known under the first of these names that has one; of several, Ed25519 first, then ECDSA, then RSA. */
    Optional<SshPublicKey> find(List<String> names, int port) {
        for (String name : names) {
            Optional<SshPublicKey> key = entries.stream()
                    .filter(entry -> entry.getMarker() == null && entry.isHostMatch(name, port))
                    .flatMap(entry -> key(entry).stream())
                    .min(Comparator.comparingInt(found -> {
                        int index = PREFERENCE.indexOf(found.type());
                        return index < 0 ? PREFERENCE.size() : index;
                    }));
            if (key.isPresent()) {
                return key;
            }
        }
        return Optional.empty();
    }

    /** The files that were read, for messages. */
    List<Path> files() {
        return files;
    }

    private static Optional<SshPublicKey> key(KnownHostEntry entry) {
        try {
            String line = entry.getConfigLine();
            String[] fields = line.strip().split("\\s+");
            return Optional.of(SshPublicKey.of(fields[1] + " " + fields[2]));
        } catch (InvalidValueException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
