package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.type.InvalidValueException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The catalog of extensions, and the specs of the extensions that clusters need most. Use it to add a driver to the spec of a
 * cluster on Azure. Immutable.
 *
 * <pre>{@code
 * ClusterSpec withDriver = spec.toBuilder()
 *         .addExtension(Extensions.infiniBandDriverLinux())
 *         .build();
 * Optional<ExtensionFacts> facts = Extensions.standard().find(Extensions.infiniBandDriverLinux());
 * }</pre>
 */
public final class Extensions {
    private static final CatalogFile<ExtensionFacts> FILE = new CatalogFile<>(
            "publisher* type* version* os* drivers_for purpose settings reboots images not_in_regions status source*",
            ExtensionFacts::new,
            row -> (row.required("publisher") + "." + row.required("type") + " " + row.required("version"))
                    .toLowerCase(Locale.ROOT));
    private static final Extensions STANDARD = new Extensions(FILE.resource("extensions.csv"));

    private final Map<String, ExtensionFacts> extensions;

    private Extensions(Map<String, ExtensionFacts> extensions) {
        this.extensions = extensions;
    }

    /** The catalog that comes with the library, as published. */
    public static Extensions standard() {
        return STANDARD;
    }

    /** OFED drivers for SR-IOV sizes whose image has no drivers. */
    public static ExtensionSpec infiniBandDriverLinux() {
        return ExtensionSpec.named("InfiniBandDriverLinux");
    }

    /** Network Direct or WinOF-2 drivers, as the size needs. */
    public static ExtensionSpec infiniBandDriverWindows() {
        return ExtensionSpec.named("InfiniBandDriverWindows");
    }

    /** The driver update that SLES 12 HPC needs in most regions; see {@link ExtensionFacts#excludedRegions()}. */
    public static ExtensionSpec rdmaUpdateForLinux() {
        return ExtensionSpec.named("RDMAUpdateForLinux");
    }

    /** Runs a script on a Linux machine; what it runs is a setting. */
    public static ExtensionSpec customScriptLinux() {
        return ExtensionSpec.named("CustomScript");
    }

    /** Runs a command on a Windows machine; what it runs is a setting. */
    public static ExtensionSpec customScriptWindows() {
        return ExtensionSpec.named("CustomScriptExtension");
    }

    /**
     * This catalog with the rows of a file, which win over rows of the same publisher, type and version, and are found
     * before the others.
     *
     * @param file CSV with the columns of the library's own {@code extensions.csv}; needed are {@code publisher},
     *     {@code type}, {@code version}, {@code os} and {@code source}
     * @throws io.clusterwright.core.spec.InvalidSpecException with every row that cannot be used, its line and what is allowed
     */
    public Extensions plus(Path file) {
        Map<String, ExtensionFacts> merged = FILE.file(file);
        extensions.forEach(merged::putIfAbsent);
        return new Extensions(merged);
    }

    /** All extensions, one entry for each version, in the order of the catalog. */
    public List<ExtensionFacts> all() {
        return List.copyOf(extensions.values());
    }

    /** Finds an extension by its name, which is its type; case does not matter. */
    public Optional<ExtensionFacts> find(String name) {
        return extensions.values().stream()
                .filter(extension -> extension.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** Finds the extension of a spec: by its name, or else its type and publisher. */
    public Optional<ExtensionFacts> find(ExtensionSpec spec) {
        return extensions.values().stream()
                .filter(extension -> spec.name().or(spec::type).orElse("").equalsIgnoreCase(extension.name()))
                .filter(extension ->
                        spec.publisher().orElse(extension.publisher()).equalsIgnoreCase(extension.publisher()))
                .findFirst();
    }

    /** The name of the extension that a mistyped one most likely means, when there is a near one. */
    public Optional<String> nearest(String name) {
        return CatalogFile.nearest(
                name, all().stream().map(ExtensionFacts::name).distinct().toList());
    }

    /**
     * The spec with what it leaves to the catalog: publisher, type and version.
     *
     * @throws InvalidValueException when it names an extension that the catalog does not have
     */
    public ExtensionSpec complete(ExtensionSpec spec) {
        Optional<ExtensionFacts> facts = find(spec);
        if (facts.isEmpty() && (spec.publisher().isEmpty() || spec.type().isEmpty())) {
            String name = spec.name().or(spec::type).orElse("");
            throw new InvalidValueException(
                    "extension",
                    name,
                    "a name from the catalog, or write publisher and type",
                    nearest(name).orElse("InfiniBandDriverLinux"));
        }
        ExtensionSpec.Builder complete = spec.toBuilder();
        facts.ifPresent(known -> {
            complete.publisher(spec.publisher().orElse(known.publisher()));
            complete.type(spec.type().orElse(known.type()));
            spec.version().or(known::exactVersion).ifPresent(complete::version);
        });
        return complete.build();
    }

    /** The number of extensions. */
    @Override
    public String toString() {
        return extensions.size() + " extensions";
    }
}
