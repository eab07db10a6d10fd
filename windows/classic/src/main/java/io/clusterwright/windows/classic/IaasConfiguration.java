package io.clusterwright.windows.classic;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.classic.internal.iaas.IaasLint;
import io.clusterwright.windows.classic.internal.iaas.IaasRepair;
import io.clusterwright.windows.classic.internal.iaas.IaasSchema;
import io.clusterwright.windows.classic.internal.iaas.IaasToSpec;
import io.clusterwright.windows.classic.internal.iaas.SpecToIaas;
import io.clusterwright.windows.internal.xml.Xml;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The content of an {@code HPCIaaSClusterConfig.xml}, from which the deployment script of HPC Pack 2012 R2, {@code
 * New-HPCIaaSCluster.ps1}, makes a cluster. Use it to read, check and convert old files: the classic deployment model
 * is retired, and {@link io.clusterwright.windows.deploy.HpcPackTemplate} works today. Immutable and safe for use by
 * several threads.
 *
 * <pre>{@code
 * try {
 *     IaasConfiguration file = IaasConfiguration.of(text);
 *     file.lint().forEach(System.out::println); // findings with line and column
 *     ClusterSpec spec = file.toSpec();
 *     System.out.println(spec.name() + ", not in the spec: " + file.notInSpec());
 * } catch (InvalidIaasConfigurationException refused) {
 *     System.out.println(refused.line() + ":" + refused.column() + ": " + refused.getMessage());
 * }
 * }</pre>
 *
 * <p>Unknown elements, attributes and comments are kept and written again. Reading is lenient: {@link #lint()}
 * reports a missing or forbidden value, and no exception is thrown.
 *
 * <p>Source: the union of all published examples and the published descriptions of the elements (azure-docs, {@code
 * classic/hpcpack-cluster-powershell-script.md} and the articles that use the script); the schema itself is not
 * published apart from the script.
 */
public final class IaasConfiguration {
    /** The name of the file. */
    public static final String FILE_NAME = IaasToSpec.FILE_NAME;

    private static final String PASSWORD = "Password";

    private final Document file;

    private IaasConfiguration(Document file) {
        this.file = file;
    }

    /**
     * Reads the text of a file.
     *
     * @throws InvalidIaasConfigurationException when it is not well-formed, with the place and, where possible, a repaired text; or when it
     *     is something else
     */
    public static IaasConfiguration of(String text) {
        String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
        Document file;
        try {
            file = Xml.parse(plain);
        } catch (Xml.Malformed e) {
            throw IaasRepair.explain(plain, e);
        }
        Element root = file.getDocumentElement();
        if (!root.getTagName().equals(SpecToIaas.ROOT)) {
            throw new InvalidIaasConfigurationException(
                    "the root is <" + root.getTagName() + ">, expected <" + SpecToIaas.ROOT
                            + ">; use a configuration file of New-HPCIaaSCluster.ps1",
                    Xml.place(root).line(),
                    Xml.place(root).column(),
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
        return new IaasConfiguration(SpecToIaas.of(spec).getOwnerDocument());
    }

    /** The reasons why the script cannot make the cluster of a spec; empty when it can. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        return SpecToIaas.problems(spec);
    }

    /**
     * The text of an element, by a path of element names such as {@code HeadNode/VMName}; the first of several
     * counts. Absent where there is
     * no such element; empty for one without text, such as {@code HeadNode/EnableRESTAPI}.
     *
     * @throws InvalidValueException for a password, which only {@link #toXml()} has
     */
    public Optional<String> value(String path) {
        if (path.endsWith(PASSWORD)) {
            throw InvalidValueException.of(
                    "the element " + path + " is a secret, and its text cannot be read",
                    "use toXml() to write the whole file");
        }
        return Xml.first(root(), path).map(Xml::text);
    }

    private Element root() {
        return file.getDocumentElement();
    }

    /** Errors, unusual values and risks, with line and column where they were read from a text. */
    public List<Finding> lint() {
        return IaasLint.of(root());
    }

    /**
     * The cluster that the script would make, as far as a spec can express it; {@link #notInSpec()} has the rest.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException when there are no Windows compute nodes, or no location
     */
    public ClusterSpec toSpec() {
        return IaasToSpec.of(root()).spec();
    }

    /** The parts that only one of the configuration and {@link #toSpec()} can express; empty when both say the same. */
    public List<Finding> notInSpec() {
        return IaasToSpec.of(root()).notSaid();
    }

    /**
     * The text of the file, in the order of the published examples, to be saved in UTF-8.
     *
     * <p>It holds the passwords of the certificates: write it where only its owner may read.
     */
    public String toXml() {
        return XmlWriter.write(file, IaasSchema::ordered);
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

    /** The elements of the root with their texts, without passwords. */
    @Override
    public String toString() {
        return Xml.elements(root()).stream()
                .map(child -> child.getTagName() + (Xml.text(child).isEmpty() ? "" : "=" + Xml.text(child)))
                .collect(Collectors.joining(", ", SpecToIaas.ROOT + "[", "]"));
    }
}
