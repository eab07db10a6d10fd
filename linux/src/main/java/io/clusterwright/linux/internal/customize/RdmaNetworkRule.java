package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.Rule.Where;
import io.clusterwright.linux.NetworkConfigGuard;
import io.clusterwright.linux.UneditableFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Refuses files and scripts of a spec that configure eth1 before a machine is billed for them. Source: Azure, "Set up a Linux RDMA cluster to
 * run MPI applications", "Network topology considerations": eth1 is reserved for RDMA traffic, and its settings are not to be changed.
 */
public final class RdmaNetworkRule {
    private static final Pattern ETH1 = Pattern.compile("(?<![A-Za-z0-9])eth1(?![0-9])");
    private static final Pattern COMMANDS = Pattern.compile("[;|]|&&");

    /** A command that reads and changes nothing. */
    private static final Pattern QUERY = Pattern.compile(
            "\\s*(?:if |while |until )?\\s*(?:sudo )?"
                    + "(?:cat|ls|grep|test|\\[{1,2}|echo|ethtool -i|ifconfig eth1\\s*$|ip(?: -\\S+)* \\w+ (?:show|list|ls))\\b?[^>]*");

    private static final long LONGEST = 4 << 20;

    private RdmaNetworkRule() {}

    /** The rule. */
    public static Rule rule() {
        return Rule.error(
                "CW-NET-006",
                Where.EVERYWHERE,
                "a file or a script of the spec configures eth1, which is reserved for the RDMA network",
                "remove eth1 from the script or file, and configure eth0 in a separate file",
                RdmaNetworkRule::check);
    }

    private static void check(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.operatingSystem() != OperatingSystem.LINUX) {
            return;
        }
        Customization customize = spec.image().customize();
        for (int i = 0; i < customize.files().size(); i++) {
            Customization.FileCopy file = customize.files().get(i);
            try {
                NetworkConfigGuard.check(file.to(), text(spec.resolve(file.from())));
            } catch (UneditableFileException e) {
                report.add(
                        "image.customize.files[" + i + "]",
                        file.from() + " would become " + file.to() + ", which configures eth1; eth1 is reserved for the"
                                + " RDMA network");
            }
        }
        for (int i = 0; i < customize.scripts().size(); i++) {
            String path = customize.scripts().get(i).path();
            List<String> lines = text(spec.resolve(path)).lines().toList();
            for (int line = 0; line < lines.size(); line++) {
                if (configures(lines.get(line))) {
                    report.add(
                            "image.customize.scripts[" + i + "].path",
                            "line " + (line + 1) + " of " + path
                                    + " configures eth1, which is reserved for the RDMA network: "
                                    + lines.get(line).strip());
                    break;
                }
            }
        }
    }

    /** Whether a line of a script names eth1 in anything but a comment or a command that only reads. */
    static boolean configures(String line) {
        String code = line.replaceFirst("(^|\\s)#.*", "");
        return COMMANDS.splitAsStream(code)
                .anyMatch(command ->
                        ETH1.matcher(command).find() && !QUERY.matcher(command).matches());
    }

    /** The text of a file; empty if the file cannot be read, which another finding reports. */
    private static String text(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= LONGEST
                    ? Files.readString(file, StandardCharsets.ISO_8859_1)
                    : "";
        } catch (IOException e) {
            return "";
        }
    }
}
