package io.clusterwright.linux.internal.packages;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A distribution as its os-release(5) describes it.
 *
 * @param id such as {@code debian}
 * @param idLike what it is like, blank-separated; may be empty
 * @param prettyName its name for people
 */
record OsRelease(String id, String idLike, String prettyName) {
    private static final Pattern LINE = Pattern.compile("([A-Z_]+)=[\"']?(.*?)[\"']?");

    static OsRelease parse(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().map(String::strip).forEach(line -> {
            Matcher pair = LINE.matcher(line);
            if (pair.matches()) {
                values.put(pair.group(1), pair.group(2));
            }
        });
        String id = values.getOrDefault("ID", "linux");
        return new OsRelease(id, values.getOrDefault("ID_LIKE", ""), values.getOrDefault("PRETTY_NAME", id));
    }

    /** The package manager, when the distribution is one we know. */
    Optional<PackageManager> packageManager() {
        for (String family : (id + " " + idLike).split("\\s+")) {
            switch (family) {
                case "debian", "ubuntu" -> {
                    return Optional.of(new Apt());
                }
                case "suse", "sles", "sle_hpc", "opensuse", "opensuse-leap", "opensuse-tumbleweed" -> {
                    return Optional.of(new Zypper());
                }
                case "azurelinux", "mariner", "photon" -> {
                    return Optional.of(new Dnf("tdnf"));
                }
                case "rhel", "fedora", "centos", "almalinux", "rocky", "ol" -> {
                    return Optional.of(new Dnf("dnf"));
                }
                default -> {
                    // The next word may be known.
                }
            }
        }
        return Optional.empty();
    }
}
