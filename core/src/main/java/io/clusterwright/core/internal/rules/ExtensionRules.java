package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.catalog.ExtensionFacts;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.Interconnect;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Extensions that install drivers, against sizes, images and regions. */
final class ExtensionRules {
    private ExtensionRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-EXT-001",
                        CLOUD,
                        "the RDMA driver update of SLES 12 HPC must not be applied in West US, West Europe and Japan East",
                        "remove RDMAUpdateForLinux from extensions",
                        ExtensionRules::updateForbidden),
                Rule.info(
                        "CW-EXT-002",
                        CLOUD,
                        "the image lacks the RDMA driver of the size or its update, so an extension installs it",
                        "nothing to do; name the extension in extensions to choose its version",
                        ExtensionRules::added),
                Rule.error(
                        "CW-EXT-003",
                        CLOUD,
                        "a driver extension is for another operating system",
                        "use InfiniBandDriverLinux on Linux, InfiniBandDriverWindows on Windows",
                        ExtensionRules::otherSystem),
                Rule.error(
                        "CW-EXT-004",
                        CLOUD,
                        "a driver extension fails on a size without its adapter",
                        "remove the extension, or choose a size with its adapter",
                        ExtensionRules::otherSize),
                Rule.error(
                        "CW-EXT-005",
                        CLOUD,
                        "an extension is not in the catalog, and its publisher or type is missing",
                        "correct the name, or write publisher, type and version",
                        ExtensionRules::unknown),
                Rule.error(
                        "CW-EXT-006",
                        CLOUD,
                        "an extension is written twice, and a machine has one extension of a type",
                        "remove one of the two extensions",
                        ExtensionRules::twice),
                Rule.error(
                        "CW-EXT-007",
                        CLOUD,
                        "the custom script extension runs either a command or a script",
                        "remove commandToExecute or script",
                        ExtensionRules::commandAndScript));
    }

    private static void updateForbidden(ClusterSpec spec, Facts facts, Rule.Report report) {
        eachKnown(spec, (path, extension) -> {
            if (extension.excludedRegions().contains(SpecQueries.region(spec))) {
                report.add(path, extension.type() + " must not be installed in region " + spec.requireRegion());
            }
        });
    }

    private static void added(ClusterSpec spec, Facts facts, Rule.Report report) {
        SizeDefaults.unnamedDriver(spec, facts.sizes())
                .ifPresent(extension -> report.add(
                        "extensions",
                        SizeDefaults.baseImage(spec, facts.sizes()) + " lacks the RDMA driver of "
                                + spec.nodes().requireSize() + " or its update, so "
                                + extension.name().orElseThrow() + " is installed"));
    }

    private static void otherSystem(ClusterSpec spec, Facts facts, Rule.Report report) {
        eachKnown(spec, (path, extension) -> {
            if (!extension.driversFor().isEmpty() && extension.operatingSystem() != spec.operatingSystem()) {
                report.add(
                        path,
                        extension.type() + " is for " + extension.operatingSystem() + ", and operatingSystem is "
                                + spec.operatingSystem());
            }
        });
    }

    private static void otherSize(ClusterSpec spec, Facts facts, Rule.Report report) {
        facts.size(spec)
                .ifPresent(size -> eachKnown(spec, (path, extension) -> {
                    Set<Interconnect> drivers = extension.driversFor();
                    if (!drivers.isEmpty() && !drivers.contains(size.interconnect())) {
                        report.add(
                                path,
                                extension.type() + " is the driver for "
                                        + drivers.stream()
                                                .map(Interconnect::toString)
                                                .sorted()
                                                .collect(Collectors.joining(" and "))
                                        + ", and the interconnect of " + size.size() + " is " + size.interconnect());
                    }
                }));
    }

    private static void eachKnown(ClusterSpec spec, BiConsumer<String, ExtensionFacts> action) {
        for (int i = 0; i < spec.extensions().size(); i++) {
            String path = "extensions[" + i + "]";
            Extensions.standard().find(spec.extensions().get(i)).ifPresent(extension -> action.accept(path, extension));
        }
    }

    private static void unknown(ClusterSpec spec, Facts facts, Rule.Report report) {
        for (int i = 0; i < spec.extensions().size(); i++) {
            ExtensionSpec extension = spec.extensions().get(i);
            boolean complete =
                    extension.publisher().isPresent() && extension.type().isPresent();
            if (!complete && Extensions.standard().find(extension).isEmpty()) {
                String name = extension.name().or(extension::type).orElse("");
                String field = extension.name().isPresent() ? "name" : "type";
                String remedy = Extensions.standard()
                        .nearest(name)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("");
                report.add(
                        "extensions[" + i + "]." + field,
                        "the catalog has no extension " + name
                                + extension
                                        .publisher()
                                        .map(publisher -> " of publisher " + publisher)
                                        .orElse(""),
                        remedy);
            }
        }
    }

    private static void twice(ClusterSpec spec, Facts facts, Rule.Report report) {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < spec.extensions().size(); i++) {
            ExtensionSpec extension = spec.extensions().get(i);
            String type = extension.type().or(extension::name).orElse("");
            Integer first = type.isEmpty() ? null : seen.putIfAbsent(type.toLowerCase(Locale.ROOT), i);
            if (first != null) {
                report.add(
                        "extensions[" + i + "]",
                        "extensions[" + first + "] and extensions[" + i + "] are of type " + type
                                + ", and a machine has one extension of a type");
            }
        }
    }

    private static void commandAndScript(ClusterSpec spec, Facts facts, Rule.Report report) {
        for (int i = 0; i < spec.extensions().size(); i++) {
            if (spec.extensions().get(i).settings().keySet().containsAll(List.of("commandToExecute", "script"))) {
                report.add(
                        "extensions[" + i + "].settings",
                        "commandToExecute and script are both written, and the extension runs either a command or a script");
            }
        }
    }
}
