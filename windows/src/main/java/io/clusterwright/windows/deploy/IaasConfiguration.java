package io.clusterwright.windows.deploy;

import io.clusterwright.core.internal.finding.ReadingFinding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.windows.internal.xml.XmlElement;
import io.clusterwright.windows.internal.xml.XmlFile;
import io.clusterwright.windows.internal.xml.XmlParser;
import io.clusterwright.windows.internal.xml.XmlSyntaxException;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What the deployment script of HPC Pack 2012 R2, {@code New-HPCIaaSCluster.ps1}, makes: the content of an
 * {@code HPCIaaSClusterConfig.xml}. Immutable and safe for use by several threads.
 *
 * <p>Elements, attributes and comments that are not known here are kept and written again. Reading is generous: a value that is missing
 * or not allowed is told by {@link #lint()}, not by an exception. The classic deployment model that the script needs is retired; what is
 * live today is {@code io.clusterwright.windows.resourcemanager}.
 *
 * <p>Source: the union of all published examples and the published descriptions of the elements (azure-docs,
 * {@code classic/hpcpack-cluster-powershell-script.md} and the articles that use the script); the schema itself is not published apart
 * from the script.
 */
public final class IaasConfiguration {
    /** The name of the file. */
    public static final String FILE_NAME = "HPCIaaSClusterConfig.xml";

    static final String ROOT = "IaaSClusterConfig";

    private final XmlFile file;

    private IaasConfiguration(XmlFile file) {
        this.file = file;
    }

    /**
     * Reads the text of a file.
     *
     * @throws InvalidIaasConfigurationException when it is not well-formed, with the place and, where it can be had, the text as it was
     *     meant; or when it is something else
     */
    public static IaasConfiguration parse(String text) {
        String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
        XmlFile file;
        try {
            file = XmlParser.parse(plain);
        } catch (XmlSyntaxException e) {
            throw IaasRepair.explain(plain, e);
        }
        if (!file.root().name().equals(ROOT)) {
            throw new InvalidIaasConfigurationException(
                    "the root is " + file.root() + " and not <" + ROOT + ">; give a file for New-HPCIaaSCluster.ps1",
                    Math.max(1, file.root().line()),
                    Math.max(1, file.root().column()),
                    null);
        }
        return new IaasConfiguration(file);
    }

    /**
     * What carries out a description by the script.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException with everything the file needs and the description lacks
     */
    public static IaasConfiguration of(ClusterSpec spec) {
        return FromSpec.of(spec);
    }

    /** What keeps a description from being carried out by the script; empty when nothing does. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        return FromSpec.problems(spec);
    }

    /** Starts with nothing. */
    public static Builder builder() {
        return new Builder(XmlFile.of(XmlElement.of(ROOT)));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(file);
    }

    /** The subscription. */
    public Optional<IaasSubscription> subscription() {
        return file.root().element("Subscription").map(IaasSubscription::new);
    }

    /** The affinity group of everything. */
    public Optional<String> affinityGroup() {
        return text("AffinityGroup");
    }

    /** The region by the classic name, such as {@code West US}. */
    public Optional<String> location() {
        return text("Location");
    }

    /** The virtual network. */
    public Optional<IaasNetwork> network() {
        return file.root().element("VNet").map(IaasNetwork::new);
    }

    /** The domain. */
    public Optional<IaasDomain> domain() {
        return file.root().element("Domain").map(IaasDomain::new);
    }

    /** The databases. */
    public Optional<IaasDatabase> database() {
        return file.root().element("Database").map(IaasDatabase::new);
    }

    /** The head node. */
    public Optional<IaasHeadNode> headNode() {
        return file.root().element("HeadNode").map(IaasHeadNode::new);
    }

    /** The management certificates. */
    public List<IaasCertificate> certificates() {
        return file.root().elements("Certificates").stream()
                .flatMap(list -> list.elements("Certificate").stream())
                .map(IaasCertificate::new)
                .toList();
    }

    /** The nodes of one kind; a file commonly has one section of a kind. */
    public List<IaasNodes> nodes(IaasNodes.Kind kind) {
        return file.root().elements(kind.element()).stream().map(IaasNodes::new).toList();
    }

    /** The number of the certificate with which nodes are added and removed by need. */
    public OptionalInt autoGrowShrinkCertificate() {
        Optional<XmlElement> section = file.root().element("AutoGrowShrink");
        return section.isPresent() ? new IaasCertificate(section.get()).number("CertificateId") : OptionalInt.empty();
    }

    /** The node templates of worker roles. */
    public List<IaasAzureTemplate> azureNodeTemplates() {
        return file.root().elements("AzureBurst").stream()
                .flatMap(list -> list.elements("AzureNodeTemplate").stream())
                .map(IaasAzureTemplate::new)
                .toList();
    }

    /** What is wrong, unusual or risky in it, with its line and column where it was read from a text. */
    public List<ReadingFinding> lint() {
        return IaasLint.of(this);
    }

    /** As far as a description can say the same, the cluster that the script would make. */
    public IaasSpec toSpec() {
        return ToSpec.of(this);
    }

    /**
     * The text of the file, in the order of the published examples, to be saved in UTF-8.
     *
     * <p>It holds the passwords of the certificates: write it where only its owner may read.
     */
    public String toXml() {
        return XmlWriter.write(file.root(IaasSchema.ROOT.sorted(file.root())));
    }

    XmlElement root() {
        return file.root();
    }

    private Optional<String> text(String name) {
        return file.root().element(name).map(XmlElement::text).filter(value -> !value.isEmpty());
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
        return ROOT + file.root().elements();
    }

    /** Collects the parts of an {@link IaasConfiguration}. */
    public static final class Builder {
        private final XmlFile file;
        private XmlElement root;

        Builder(XmlFile file) {
            this.file = file;
            this.root = file.root();
        }

        /** Sets {@link IaasConfiguration#subscription()}. */
        public Builder subscription(IaasSubscription subscription) {
            return put(subscription);
        }

        /** Sets {@link IaasConfiguration#affinityGroup()}. */
        public Builder affinityGroup(String affinityGroup) {
            return put("AffinityGroup", List.of(XmlElement.of("AffinityGroup", affinityGroup)));
        }

        /** Sets {@link IaasConfiguration#location()}. */
        public Builder location(String location) {
            return put("Location", List.of(XmlElement.of("Location", location)));
        }

        /** Sets {@link IaasConfiguration#network()}. */
        public Builder network(IaasNetwork network) {
            return put(network);
        }

        /** Sets {@link IaasConfiguration#domain()}. */
        public Builder domain(IaasDomain domain) {
            return put(domain);
        }

        /** Sets {@link IaasConfiguration#database()}. */
        public Builder database(IaasDatabase database) {
            return put(database);
        }

        /** Sets {@link IaasConfiguration#headNode()}. */
        public Builder headNode(IaasHeadNode headNode) {
            return put(headNode);
        }

        /** Replaces {@link IaasConfiguration#certificates()}. */
        public Builder certificates(List<IaasCertificate> certificates) {
            return list("Certificates", certificates);
        }

        /** Appends a section of nodes. */
        public Builder addNodes(IaasNodes nodes) {
            root = root.add(nodes.element());
            return this;
        }

        /** Replaces {@link IaasConfiguration#nodes(IaasNodes.Kind)} of one kind. */
        public Builder nodes(IaasNodes.Kind kind, List<IaasNodes> nodes) {
            return put(kind.element(), nodes.stream().map(IaasPart::element).toList());
        }

        /** Sets {@link IaasConfiguration#autoGrowShrinkCertificate()}. */
        public Builder autoGrowShrinkCertificate(int certificateId) {
            XmlElement id = XmlElement.of("CertificateId", Integer.toString(certificateId));
            return put("AutoGrowShrink", List.of(XmlElement.of("AutoGrowShrink").add(id)));
        }

        /** Replaces {@link IaasConfiguration#azureNodeTemplates()}. */
        public Builder azureNodeTemplates(List<IaasAzureTemplate> templates) {
            return list("AzureBurst", templates);
        }

        /** The configuration; whether it is a good one is told by {@link IaasConfiguration#lint()}. */
        public IaasConfiguration build() {
            return new IaasConfiguration(file.root(root));
        }

        private Builder put(IaasPart part) {
            return put(part.element().name(), List.of(part.element()));
        }

        private Builder list(String name, List<? extends IaasPart> parts) {
            XmlElement list = XmlElement.of(name)
                    .children(parts.stream().map(IaasPart::element).toList());
            return put(name, parts.isEmpty() ? List.of() : List.of(list));
        }

        private Builder put(String name, List<XmlElement> elements) {
            root = root.replace(name, elements);
            return this;
        }
    }
}
