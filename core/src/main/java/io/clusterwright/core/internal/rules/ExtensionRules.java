package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Extensions that install drivers, against sizes, images and regions. */
final class ExtensionRules {
    private static final String UPDATE = "RDMAUpdateForLinux";
    private static final String LINUX_DRIVER = "InfiniBandDriverLinux";
    private static final String WINDOWS_DRIVER = "InfiniBandDriverWindows";
    private static final String OLD_WINDOWS_DRIVER = "HpcVmDrivers";
    private static final Set<String> REGIONS_WITHOUT_UPDATE = Set.of("westus", "westeurope", "japaneast");
    private static final List<String> KNOWN = List.of(
            UPDATE,
            OLD_WINDOWS_DRIVER,
            LINUX_DRIVER,
            WINDOWS_DRIVER,
            "CustomScript",
            "CustomScriptForLinux",
            "CustomScriptExtension",
            "HPCComputeNode",
            "LinuxNodeAgent2016U1",
            "JsonADDomainExtension",
            "DSC",
            "BGInfo");

    private ExtensionRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-EXT-001",
                        CLOUD,
                        "the RDMA driver update of SLES 12 HPC must not be applied in West US, West Europe and Japan East",
                        "leave RDMAUpdateForLinux out in this region",
                        ExtensionRules::updateForbidden),
                Rule.warning(
                        "CW-EXT-002",
                        CLOUD,
                        "SLES 12 HPC needs the RDMA driver update in this region",
                        "add extension {name: RDMAUpdateForLinux}",
                        ExtensionRules::updateMissing),
                Rule.error(
                        "CW-EXT-003",
                        CLOUD,
                        "a driver extension is for another operating system",
                        "use InfiniBandDriverLinux on Linux, InfiniBandDriverWindows on Windows",
                        ExtensionRules::otherSystem),
                Rule.error(
                        "CW-EXT-004",
                        CLOUD,
                        "a driver extension finds no adapter it can drive, and fails",
                        "leave it out, or choose a size that it knows",
                        ExtensionRules::otherSize),
                Rule.warning(
                        "CW-EXT-005",
                        CLOUD,
                        "an extension is not in the catalog, so its publisher and version are not known",
                        "correct the name, or give publisher, type and version",
                        ExtensionRules::unknown),
                Rule.error(
                        "CW-EXT-006",
                        CLOUD,
                        "an extension is given twice, and a machine holds one of each type",
                        "keep one of them",
                        ExtensionRules::twice),
                Rule.error(
                        "CW-EXT-007",
                        CLOUD,
                        "the custom script extension takes either a command or a script",
                        "keep commandToExecute or script",
                        ExtensionRules::commandAndScript));
    }

    private static boolean sles(ClusterSpec spec, Facts facts) {
        boolean automatic =
                SpecQueries.automaticImage(spec) && SpecQueries.linux(spec) && SpecQueries.networkDirect(spec, facts);
        return automatic || SpecQueries.marketplace(spec).matches("suse:sles-hpc(-priority)?:12");
    }

    private static void updateForbidden(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.hasExtension(spec, UPDATE) && REGIONS_WITHOUT_UPDATE.contains(SpecQueries.region(spec))) {
            report.say(
                    SpecQueries.extensionPath(spec, UPDATE),
                    UPDATE + " must not be applied in " + spec.requireRegion());
        }
    }

    private static void updateMissing(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (sles(spec, facts)
                && SpecQueries.networkDirect(spec, facts)
                && !SpecQueries.hasExtension(spec, UPDATE)
                && !REGIONS_WITHOUT_UPDATE.contains(SpecQueries.region(spec))) {
            report.say("extensions", "SLES 12 HPC comes with an RDMA driver too old for " + spec.requireRegion());
        }
    }

    private static void otherSystem(ClusterSpec spec, Facts facts, Rule.Report report) {
        List<String> foreign =
                SpecQueries.linux(spec) ? List.of(WINDOWS_DRIVER, OLD_WINDOWS_DRIVER) : List.of(LINUX_DRIVER, UPDATE);
        foreign.stream()
                .filter(type -> SpecQueries.hasExtension(spec, type))
                .forEach(type -> report.say(
                        SpecQueries.extensionPath(spec, type), type + " does not run on " + spec.operatingSystem()));
    }

    private static void otherSize(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.size(spec, facts).isEmpty()) {
            return;
        }
        Map<String, Boolean> fits = new LinkedHashMap<>();
        fits.put(LINUX_DRIVER, SpecQueries.sriov(spec, facts));
        fits.put(WINDOWS_DRIVER, SpecQueries.rdma(spec, facts));
        fits.put(UPDATE, SpecQueries.networkDirect(spec, facts));
        fits.put(OLD_WINDOWS_DRIVER, SpecQueries.networkDirect(spec, facts));
        fits.forEach((type, good) -> {
            if (!good && SpecQueries.hasExtension(spec, type)) {
                report.say(
                        SpecQueries.extensionPath(spec, type),
                        type + " cannot drive " + spec.nodes().requireSize());
            }
        });
    }

    private static void unknown(ClusterSpec spec, Facts facts, Rule.Report report) {
        for (int i = 0; i < spec.extensions().size(); i++) {
            ExtensionSpec extension = spec.extensions().get(i);
            String name = extension.name().orElse("");
            if (!name.isEmpty()
                    && extension.publisher().isEmpty()
                    && KNOWN.stream().noneMatch(name::equalsIgnoreCase)) {
                String remedy = NearestName.of(name, KNOWN)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("");
                report.say("extensions[" + i + "].name", "the catalog has no extension " + name, remedy);
            }
        }
    }

    private static void twice(ClusterSpec spec, Facts facts, Rule.Report report) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < spec.extensions().size(); i++) {
            ExtensionSpec extension = spec.extensions().get(i);
            String type = extension.type().or(extension::name).orElse("").toLowerCase(Locale.ROOT);
            if (!type.isEmpty() && !seen.add(type)) {
                report.say("extensions[" + i + "]", type + " is there already");
            }
        }
    }

    private static void commandAndScript(ClusterSpec spec, Facts facts, Rule.Report report) {
        for (int i = 0; i < spec.extensions().size(); i++) {
            if (spec.extensions().get(i).settings().keySet().containsAll(List.of("commandToExecute", "script"))) {
                report.say("extensions[" + i + "].settings", "both commandToExecute and script are given");
            }
        }
    }
}
