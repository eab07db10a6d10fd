package io.clusterwright.windows.deploy;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.HpcPackLinuxNodes;
import io.clusterwright.core.spec.HpcPackResourceManager;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDomain;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.NodeGroup;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.VmSize;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of HPC Pack 2019 as a template of Resource Manager, and as parameters for Microsoft's own templates. Use
 * it to deploy a new cluster of Windows nodes. Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * HpcPackTemplate template = HpcPackTemplate.of(spec, Facts.offline());
 * String json = template.template(); // az deployment group create --template-file …
 * String parameters = template.parameters();
 * }</pre>
 *
 * <p>Deploying it makes machines that are billed. It makes: network, domain controller (unless the domain is there already), head
 * node, availability set for RDMA sizes, compute nodes with their InfiniBand driver, then the node agent, and then open firewalls for the
 * programs of {@code hpcPack.firewall}.
 *
 * <p>Source: Azure/hpcpack-template, Bicep, @dea762e.
 */
public final class HpcPackTemplate {
    /** The name of the file of parameters for Microsoft's Bicep templates. */
    public static final String BICEP_FILE = "hpcpack.bicepparam";
    /** The name of the template's file. */
    public static final String TEMPLATE_FILE = "azuredeploy.json";
    /** The name of the file of the template's parameters. */
    public static final String PARAMETERS_FILE = "azuredeploy.parameters.json";

    private static final String BICEP_TEMPLATES = "the folder Bicep of Azure/hpcpack-template";

    private final ClusterSpec spec;
    private final Facts facts;
    private final HpcPackResourceManager manager;
    private final @Nullable LinuxPart linux;

    /** Nodes with Linux and their image. */
    record LinuxPart(NodeGroup nodes, ImageReference image) {}

    private HpcPackTemplate(ClusterSpec spec, Facts facts, HpcPackResourceManager manager, @Nullable LinuxPart linux) {
        this.spec = spec;
        this.facts = facts;
        this.manager = manager;
        this.linux = linux;
    }

    /**
     * The template of a spec of scenario {@code resource-manager}.
     *
     * @param facts with the catalogs, which know the sizes with InfiniBand
     * @throws io.clusterwright.core.spec.InvalidSpecException with everything the template needs and the spec lacks
     */
    public static HpcPackTemplate of(ClusterSpec spec, Facts facts) {
        List<SpecProblem> problems = problems(spec);
        if (!problems.isEmpty()) {
            throw new InvalidSpecException(problems);
        }
        HpcPackTemplate template = new HpcPackTemplate(
                spec,
                facts,
                spec.hpcPack().flatMap(HpcPackSpec::resourceManager).orElseThrow(),
                null);
        return spec.hpcPack()
                .flatMap(HpcPackSpec::linuxNodes)
                .map(linux -> template.linuxNodes(
                        NodeGroup.builder()
                                .count(linux.count())
                                .size(linux.size())
                                .namePattern(linux.namePattern())
                                .build(),
                        ImageReference.of(linux.image())))
                .orElse(template);
    }

    /** The problems that keep a spec from a template of HPC Pack; empty for none. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        List<SpecProblem> problems = new ArrayList<>();
        if (spec.hpcPack().flatMap(HpcPackSpec::resourceManager).isEmpty()) {
            problems.add(SpecProblem.of(
                    "hpcPack.resourceManager",
                    "resourceManager needs clusterName and certificate",
                    "write resourceManager: {clusterName: hpc1, certificate: {keyVault: hpc1-kv, secretName:"
                            + " hpcpack}}"));
        }
        String prefix = spec.nodes().pattern().prefix();
        if (!prefix.matches("[A-Za-z][A-Za-z0-9-]{0,11}")) {
            problems.add(SpecProblem.of(
                    spec.nodes().namePattern().isPresent() ? "nodes.namePattern" : "nodes.prefix",
                    "the templates of HPC Pack accept 1 to 12 letters, digits or '-' before the number, found \""
                            + prefix + "\"",
                    "write nodes: {namePattern: HPCCN-%000%}"));
        }
        try {
            AgentExtensions.firewall(spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of()));
        } catch (InvalidValueException e) {
            problems.add(SpecProblem.of("hpcPack.firewall", e));
        }
        spec.hpcPack()
                .flatMap(HpcPackSpec::linuxNodes)
                .map(HpcPackLinuxNodes::image)
                .filter(image -> !deployable(image))
                .ifPresent(image -> problems.add(SpecProblem.of(
                        "hpcPack.linuxNodes.image",
                        image + " is neither a marketplace image nor a resource id",
                        "write image: microsoft-dsvm:ubuntu-hpc:2204:latest")));
        if (spec.image().base() instanceof ImageReference.Local) {
            problems.add(SpecProblem.of(
                    "image.base",
                    "a local image cannot be deployed",
                    "write image: {base: auto}, or a marketplace image"));
        }
        return problems;
    }

    private static boolean deployable(String image) {
        try {
            ImageReference parsed = ImageReference.of(image);
            return parsed instanceof ImageReference.Marketplace || parsed instanceof ImageReference.ResourceId;
        } catch (InvalidValueException e) {
            return false;
        }
    }

    private HpcPackTemplate linuxNodes(NodeGroup nodes, ImageReference image) {
        return new HpcPackTemplate(spec, facts, manager, new LinuxPart(nodes, image));
    }

    /** The template. */
    public String template() {
        return new TemplateWriter(this).template();
    }

    /** Its parameters, without secrets and without values that only the key vault has: the deployer is asked for them. */
    public String parameters() {
        return new TemplateWriter(this).parameters();
    }

    /** Returns the cluster as parameters of Microsoft's Bicep templates, which must be in the folder of the file. */
    public String bicepParameters() {
        return new BicepWriter(this).text();
    }

    /** The steps of a deployment. */
    public List<PlanStep> steps() {
        return TemplateSteps.of(this);
    }

    /**
     * The policy for {@code az keyvault certificate create --policy @FILE} that makes the certificate of a cluster,
     * valid for 60 months.
     */
    public static String certificatePolicy() {
        return CommunicationCertificate.policy();
    }

    /**
     * The problems that make a certificate unusable for a cluster; empty for none. A certificate does not say whether
     * its private key can be
     * exported.
     *
     * @param at when it is to be used
     */
    public static List<String> certificateProblems(X509Certificate certificate, Instant at) {
        return CommunicationCertificate.problems(certificate, at);
    }

    ClusterSpec spec() {
        return spec;
    }

    HpcPackResourceManager manager() {
        return manager;
    }

    Optional<LinuxPart> linux() {
        return Optional.ofNullable(linux);
    }

    /** The head node bears the name of the cluster, as Microsoft's templates have it. */
    String headName() {
        return manager.clusterName();
    }

    VmSize headSize() {
        return canonical(spec.headNode().flatMap(HeadNode::size).orElse(PlannedMachines.DEFAULT_HEAD_SIZE));
    }

    VmSize nodeSize() {
        return canonical(spec.nodes().requireSize());
    }

    /** Whether the size has InfiniBand for MPI: such nodes belong into one availability set and need a driver. */
    boolean rdma(VmSize size) {
        return facts.sizes()
                .find(size)
                .map(VmSizeFacts::interconnect)
                .filter(interconnect -> interconnect != Interconnect.NONE)
                .isPresent();
    }

    boolean availabilitySet() {
        return rdma(nodeSize())
                && !spec.nodes().spot().enabled()
                && spec.placement().kind() != Placement.Kind.NONE;
    }

    /** Whether the Linux nodes need an availability set: those with RDMA reach each other within one only. */
    boolean linuxAvailabilitySet() {
        return linux != null
                && rdma(linux.nodes().requireSize())
                && spec.placement().kind() != Placement.Kind.NONE;
    }

    ImageReference nodeImage() {
        return SizeDefaults.baseImage(spec, facts.sizes());
    }

    /** Head node and nodes of one generation: MS-MPI of Server 2019 fails against MS-MPI of Server 2022. */
    String headSystem() {
        return nodeImage().toString().contains(":2022-") ? "2022" : "2019";
    }

    HpcPackDomain domain() {
        return spec.hpcPack().map(HpcPackSpec::domain).orElseThrow();
    }

    boolean newDomain() {
        return domain().option() != HpcPackDomain.Option.EXISTING_DC;
    }

    /** The MPI programs that the firewall of the nodes is to let through. */
    List<FirewallRule> programs() {
        return spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of());
    }

    String controllerName() {
        return manager.clusterName() + "dc";
    }

    /** The last address of the subnet that a machine can have, far from the addresses that are handed out in order. */
    String controllerAddress() {
        AddressRange range = spec.network().subnet().range();
        return range.network().plus(range.size() - 2).toString();
    }

    boolean publicAddress() {
        return spec.network().ssh().external() != SshAccess.External.NONE;
    }

    /** The environment variable that the deployer sets to the password of the administrator. */
    String passwordVariable() {
        return spec.login()
                .password()
                .filter(reference -> reference.kind() == SecretReference.Kind.ENV)
                .map(SecretReference::location)
                .orElse("HPC_ADMIN_PASSWORD");
    }

    /** Notes for the deployer. */
    public List<String> notes() {
        String vault = manager.certificate().keyVault();
        List<String> notes = new ArrayList<>();
        notes.add("certificateUrl and certificateThumbprint are asked for: az keyvault certificate show --vault-name "
                + vault
                + " --name " + manager.certificate().secretName()
                + " --query \"[sid, x509ThumbprintHex]\"; the vault must be"
                + " enabled for deployment");
        notes.add(BICEP_TEMPLATES + " must lie beside " + BICEP_FILE + "; the password is read from "
                + passwordVariable());
        if (!programs().isEmpty()) {
            notes.add(
                    BICEP_TEMPLATES + " opens no firewall for MPI programs: after that deployment, run firewall.cmd on"
                            + " the nodes (clusrun); " + TEMPLATE_FILE + " opens it");
        }
        if (domain().option() == HpcPackDomain.Option.HEAD_NODE_AS_DC) {
            notes.add("the domain controller is a separate machine, " + controllerName()
                    + ": HPC Pack 2019 has no template with the head node as controller");
        }
        spec.headNode()
                .map(head -> head.name().value())
                .filter(name -> !name.equalsIgnoreCase(headName()))
                .ifPresent(name ->
                        notes.add("the head node is called " + headName() + ", as the cluster, and not " + name));
        if (publicAddress() && spec.network().ssh().allowFrom().isEmpty()) {
            notes.add("the head node cannot be reached from outside: give network.ssh.allowFrom the ranges you come"
                    + " from");
        }
        return notes;
    }

    private VmSize canonical(VmSize size) {
        return facts.sizes().find(size).map(VmSizeFacts::size).orElse(size);
    }
}
