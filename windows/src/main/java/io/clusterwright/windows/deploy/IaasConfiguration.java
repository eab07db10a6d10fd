package io.clusterwright.windows.deploy;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.windows.internal.iaas.IaasLint;
import io.clusterwright.windows.internal.iaas.IaasRepair;
import io.clusterwright.windows.internal.iaas.IaasSchema;
import io.clusterwright.windows.internal.iaas.IaasToSpec;
import io.clusterwright.windows.internal.iaas.SpecToIaas;
import io.clusterwright.windows.internal.xml.XmlElement;
import io.clusterwright.windows.internal.xml.XmlFile;
import io.clusterwright.windows.internal.xml.XmlParser;
import io.clusterwright.windows.internal.xml.XmlSyntaxException;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of an {@code HPCIaaSClusterConfig.xml}, from which the deployment script of HPC Pack 2012 R2, {@code New-HPCIaaSCluster.ps1},
 * makes a cluster. Immutable and safe for use by several threads.
 *
 * <p>Values are read and set by the element names of the file. Unknown elements, attributes and comments are kept and written again. Reading
 * is lenient: a missing or forbidden value is reported by {@link #lint()}, not by an exception. The classic deployment model that the script
 * needs is retired; {@link HpcPackTemplate} works today.
 *
 * <p>Source: the union of all published examples and the published descriptions of the elements (azure-docs,
 * {@code classic/hpcpack-cluster-powershell-script.md} and the articles that use the script); the schema itself is not published apart
 * from the script.
 */
public final class IaasConfiguration {
    /** The name of the file. */
    public static final String FILE_NAME = IaasToSpec.FILE_NAME;

    private final XmlFile file;

    private IaasConfiguration(XmlFile file) {
        this.file = file;
    }

    /**
     * Reads the text of a file.
     *
     * @throws InvalidIaasConfigurationException when it is not well-formed, with the place and, where possible, a repaired text; or when it
     *     is something else
     */
    public static IaasConfiguration parse(String text) {
        String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
        XmlFile file;
        try {
            file = XmlParser.parse(plain);
        } catch (XmlSyntaxException e) {
            throw IaasRepair.explain(plain, e);
        }
        if (!file.root().name().equals(SpecToIaas.ROOT)) {
            throw new InvalidIaasConfigurationException(
                    "the root is " + file.root() + " and not <" + SpecToIaas.ROOT
                            + ">; give a file for New-HPCIaaSCluster.ps1",
                    Math.max(1, file.root().line()),
                    Math.max(1, file.root().column()),
                    null);
        }
        return new IaasConfiguration(file);
    }

    /**
     * The configuration that makes the cluster of a spec.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException with everything the file needs and the spec lacks
     */
    public static IaasConfiguration of(ClusterSpec spec) {
        return new IaasConfiguration(XmlFile.of(SpecToIaas.of(spec)));
    }

    /** The reasons why the script cannot make the cluster of a spec; empty when it can. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        return SpecToIaas.problems(spec);
    }

    /** The whole content, for reading and as the start of another one. */
    public Section root() {
        return new Section(file.root());
    }

    /**
     * The same file with other content.
     *
     * @throws InvalidValueException when the section is not a root
     */
    public IaasConfiguration root(Section content) {
        if (!content.name().equals(SpecToIaas.ROOT)) {
            throw new InvalidValueException(
                    "root of a configuration", content.name(), SpecToIaas.ROOT, "configuration.root()");
        }
        return new IaasConfiguration(file.root(content.element));
    }

    /** Errors, unusual values and risks, with line and column where they were read from a text; their paths have the element names. */
    public List<Finding> lint() {
        return IaasLint.of(file.root());
    }

    /**
     * The cluster that the script would make, as far as a spec can express it; {@link #notInSpec()} has the rest.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException when there are no Windows compute nodes, or no location
     */
    public ClusterSpec toSpec() {
        return IaasToSpec.of(file.root()).spec();
    }

    /** The parts that only one of the configuration and {@link #toSpec()} can express; empty when both say the same. */
    public List<Finding> notInSpec() {
        return IaasToSpec.of(file.root()).notSaid();
    }

    /**
     * The text of the file, in the order of the published examples, to be saved in UTF-8.
     *
     * <p>It holds the passwords of the certificates: write it where only its owner may read.
     */
    public String toXml() {
        return XmlWriter.write(file.root(IaasSchema.ROOT.sorted(file.root())));
    }

    /** Whether both have the same text when they are written. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IaasConfiguration that && toXml().equals(that.toXml());
    }

    @Override
    public int hashCode() {
        return toXml().hashCode();
    }

    @Override
    public String toString() {
        return root().toString();
    }

    /**
     * A section of the file: an element with its values, which are found by a path of element names such as {@code HeadNode/VMName}, where
     * the first of several of a name counts. Immutable.
     */
    public static final class Section {
        private static final String PASSWORD = "Password";

        private final XmlElement element;

        private Section(XmlElement element) {
            this.element = element;
        }

        /** An empty section, such as {@code Certificate}. */
        public static Section of(String name) {
            return new Section(XmlElement.of(name));
        }

        /** The name of its element. */
        public String name() {
            return element.name();
        }

        /**
         * The text of an element; empty where it is missing or empty.
         *
         * @throws InvalidValueException for a password, which {@link #secret} gives
         */
        public Optional<String> value(String path) {
            if (path.endsWith(PASSWORD)) {
                throw new InvalidValueException(
                        "element to read as text", path, "an element without a secret", "secret(\"Password\")");
            }
            return text(path);
        }

        /** The number of an element; empty where it is missing or no number. */
        public OptionalInt number(String path) {
            return element.at(path).stream()
                    .findFirst()
                    .filter(found -> found.text().matches("[0-9]{1,9}"))
                    .map(found -> OptionalInt.of(Integer.parseInt(found.text())))
                    .orElse(OptionalInt.empty());
        }

        /** The text of an element that is secret, such as the password of a certificate. */
        public Optional<Secret> secret(String path) {
            return text(path).map(Secret::of);
        }

        private Optional<String> text(String path) {
            return element.at(path).stream().findFirst().map(XmlElement::text).filter(text -> !text.isEmpty());
        }

        /** An attribute of an element, such as {@code HPCPackInstalled} of {@code ImageName}. */
        public Optional<String> attribute(String path, String attribute) {
            return element.at(path).stream()
                    .findFirst()
                    .map(found -> found.attributes().get(attribute));
        }

        /** Whether an element is there; some, such as {@code EnableRESTAPI}, are switched on by that. */
        public boolean has(String path) {
            return !element.at(path).isEmpty();
        }

        /** All sections at a path, such as {@code ComputeNodes} or {@code Certificates/Certificate}. */
        public List<Section> sections(String path) {
            return element.at(path).stream().map(Section::new).toList();
        }

        /** The same with a text for one of its elements, which replaces others of that name; an empty text switches it on. */
        public Section with(String name, String text) {
            return with(new Section(text.isEmpty() ? XmlElement.of(name) : XmlElement.of(name, text)));
        }

        /** The same with a section that replaces all others of its name. */
        public Section with(Section section) {
            return new Section(element.replace(section.name(), List.of(section.element)));
        }

        /** The same with one more section. */
        public Section add(Section section) {
            return new Section(element.add(section.element));
        }

        /** The same without the elements of a name. */
        public Section without(String name) {
            return new Section(element.replace(name, List.of()));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Section that && element.equals(that.element);
        }

        @Override
        public int hashCode() {
            return element.hashCode();
        }

        /** The values in it, without passwords. */
        @Override
        public String toString() {
            return element.name()
                    + element.elements().stream().map(Section::shown).collect(Collectors.joining(", ", "[", "]"));
        }

        private static String shown(XmlElement child) {
            String text = child.name().equals(PASSWORD) ? "***" : child.text();
            return text.isEmpty() ? child.name() : child.name() + "=" + text;
        }
    }
}
