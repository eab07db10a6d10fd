package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDatabase;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDomain;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.windows.internal.xml.Xml;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.w3c.dom.Element;

/** Converts a configuration of the deployment script into a spec, as far as a spec can express it. */
public final class IaasToSpec {
    /** The name of the file. */
    public static final String FILE_NAME = "HPCIaaSClusterConfig.xml";

    private static final String ADDRESSES = "192.168.0.0/20";
    private static final String SUBNET = "192.168.0.0/23";
    private static final String NODES = "ComputeNodes";
    private static final String LINUX = "LinuxComputeNodes";

    private final Element root;
    private final Element head;
    private final Element nodes;
    private final List<Finding> notSaid = new ArrayList<>();

    private IaasToSpec(Element root) {
        this.root = root;
        this.head = part("HeadNode");
        this.nodes = Xml.first(root, NODES)
                .orElseThrow(() -> refused(
                        NODES,
                        "there is no section of Windows compute nodes",
                        "use a configuration with ComputeNodes; LinuxComputeNodes alone cannot become a spec"));
    }

    /** The spec that a configuration with this root amounts to. */
    public static Conversion of(Element root) {
        return new IaasToSpec(root).convert();
    }

    /**
     * The result of a conversion.
     *
     * @param spec the spec
     * @param notSaid the parts that only one of configuration and spec can express
     */
    public record Conversion(ClusterSpec spec, List<Finding> notSaid) {}

    private Element part(String name) {
        return Xml.first(root, name).orElseGet(() -> Xml.root(name));
    }

    private Conversion convert() {
        String headName = Xml.value(head, "VMName").orElse("HPCHN");
        ClusterSpec.Builder spec = ClusterSpec.builder(
                        headName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", ""))
                .region(region())
                .operatingSystem(OperatingSystem.WINDOWS)
                .nodes(group -> {
                    group.count(Math.max(1, Xml.number(nodes, "NodeCount").orElse(1)));
                    Xml.value(nodes, "VMSize").map(IaasToSpec::size).ifPresent(group::size);
                    Xml.value(nodes, "VMNamePattern").map(NamePattern::of).ifPresent(group::namePattern);
                })
                .network(network -> network.addressSpace(ADDRESSES)
                        .name(Xml.value(part("VNet"), "VNetName").orElse("hpc-vnet"))
                        .subnet(subnet -> subnet.name(
                                        Xml.value(part("VNet"), "SubnetName").orElse("Subnet-1"))
                                .range(SUBNET)));
        if (Xml.has(root, "HeadNode")) {
            spec.headNode(node -> {
                node.name(headName);
                Xml.value(head, "VMSize").map(IaasToSpec::size).ifPresent(node::size);
            });
        }
        image(spec);
        Xml.at(nodes, "VMExtensions/VMExtension")
                .forEach(part -> extension(part).ifPresent(spec::addExtension));
        spec.hpcPack(this::pack);
        leftOut();
        add("VNet", "the addresses of the network are not in the file; the script creates " + ADDRESSES);
        return new Conversion(spec.build(), List.copyOf(notSaid));
    }

    private String region() {
        String location = Xml.value(root, "Location")
                .orElseThrow(() -> refused("Location", "there is no location", "add <Location>West US</Location>"));
        return ClassicNames.region(location)
                .orElseGet(() -> location.replace(" ", "").toLowerCase(Locale.ROOT));
    }

    private static VmSize size(String classic) {
        return ClassicNames.size(classic).orElseGet(() -> VmSize.of(classic));
    }

    private void image(ClusterSpec.Builder spec) {
        String system = Xml.value(nodes, "OSVersion").orElse("WindowsServer2012R2");
        String sku = system.equals("WindowsServer2012") ? "2012-Datacenter" : "2012-R2-Datacenter";
        spec.image(image -> image.base("MicrosoftWindowsServer:WindowsServer:" + sku + ":latest"));
        Xml.value(nodes, "ImageName")
                .ifPresent(image -> add(
                        "ComputeNodes/ImageName", "the private image " + image + " has no resource id in the file"));
    }

    /** Empty for one without a publisher or with a version such as {@code 1.*}, which a spec does not take. */
    private static Optional<ExtensionSpec> extension(Element part) {
        Optional<String> type = Xml.value(part, "ExtensionName");
        Optional<String> publisher = Xml.value(part, "Publisher");
        Optional<String> version = Xml.value(part, "Version").filter(text -> text.matches("[0-9]+(\\.[0-9]+)+"));
        return type.isPresent() && publisher.isPresent() && version.isPresent()
                ? Optional.of(ExtensionSpec.builder()
                        .publisher(publisher.get())
                        .type(type.get())
                        .version(version.get())
                        .build())
                : Optional.empty();
    }

    private void pack(HpcPackSpec.Builder pack) {
        pack.scenario(HpcPackSpec.Scenario.IAAS);
        Xml.first(root, "Domain")
                .ifPresent(domain -> pack.domain(new HpcPackDomain(
                        Xml.value(domain, "DCOption")
                                .flatMap(text -> choice(HpcPackDomain.Option.values(), text))
                                .orElse(HpcPackDomain.Option.HEAD_NODE_AS_DC),
                        Xml.value(domain, "DomainFQDN").orElse(HpcPackDomain.DEFAULT_FQDN))));
        Xml.first(root, "Database")
                .flatMap(database -> Xml.value(database, "DBOption"))
                .flatMap(text -> choice(HpcPackDatabase.values(), text))
                .ifPresent(pack::database);
        if (Xml.has(root, "HeadNode")) {
            pack.restApi(Xml.has(head, "EnableRESTAPI"));
        }
        Xml.first(root, LINUX)
                .ifPresent(linux -> pack.linuxNodes(nodes -> {
                    nodes.count(Math.max(1, Xml.number(linux, "NodeCount").orElse(1)));
                    Xml.value(linux, "VMSize").map(IaasToSpec::size).ifPresent(nodes::size);
                    Xml.value(linux, "VMNamePattern").ifPresent(nodes::namePattern);
                    Xml.value(linux, "ImageName").ifPresent(nodes::image);
                }));
        Xml.value(head, "ServiceName").ifPresent(pack::headNodeService);
        Xml.first(root, "Subscription").ifPresent(subscription -> subscription(pack, subscription));
        Optional<String> service = Xml.value(nodes, "ServiceName");
        if (service.isPresent() && service.equals(Xml.value(head, "ServiceName"))) {
            add("ComputeNodes/ServiceName", "a spec needs different cloud services for head node and compute nodes");
        } else {
            service.ifPresent(pack::computeNodeService);
        }
    }

    private void subscription(HpcPackSpec.Builder pack, Element subscription) {
        Optional<String> id = Xml.value(subscription, "SubscriptionId");
        Optional<String> storage = Xml.value(subscription, "StorageAccount");
        if (id.isPresent() && storage.isPresent()) {
            pack.subscription(new HpcPackSubscription(id.get(), storage.get()));
        } else {
            add("Subscription", "a spec needs the id of the subscription, and the file has its name");
        }
    }

    /** Reports the elements that a spec cannot express. */
    private void leftOut() {
        each("AffinityGroup", part -> "the affinity group " + Xml.text(part));
        nodes("AffinityGroup", "the affinity group ");
        nodes("ServiceNamePattern", "several cloud services, ");
        Xml.at(nodes, "VMExtensions/VMExtension").stream()
                .filter(part -> extension(part).isEmpty())
                .forEach(part -> add(
                        "ComputeNodes/VMExtensions",
                        "the extension " + Xml.value(part, "ExtensionName").orElse("")));
        each(
                "Domain/DomainController",
                part -> "the machine " + Xml.value(part, "VMName").orElse(""));
        each("Domain/NoWindowsAutoUpdate", part -> "Windows Update is off");
        each(
                "Database/DBServer",
                part -> "the machine " + Xml.value(part, "VMName").orElse(""));
        each("HeadNode/EnableWebPortal", part -> "the web portal");
        each("HeadNode/PostConfigScript", part -> "the script " + Xml.text(part));
        each("AutoGrowShrink", part -> "automatic growing and shrinking");
        each(
                "Certificates/Certificate",
                part -> "the file " + Xml.value(part, "PfxFile").orElse(""));
        each(
                "AzureBurst/AzureNodeTemplate",
                part -> "the node template " + Xml.value(part, "TemplateName").orElse(""));
        Xml.at(root, LINUX).stream()
                .skip(1)
                .forEach(part -> add(
                        LINUX,
                        "more nodes named " + Xml.value(part, "VMNamePattern").orElse("")));
        each(
                "BrokerNodes",
                part -> "nodes named " + Xml.value(part, "VMNamePattern").orElse(""));
        if (Xml.at(root, NODES).size() > 1) {
            add(NODES, "more than one section of compute nodes");
        }
    }

    private void nodes(String name, String what) {
        Xml.value(nodes, name).ifPresent(text -> add(NODES + "/" + name, what + text));
    }

    private void each(String path, Function<Element, String> what) {
        Xml.at(root, path).forEach(part -> add(path, what.apply(part)));
    }

    private void add(String path, String what) {
        notSaid.add(new Finding(
                IaasFindings.LEFT_OUT.code(),
                IaasFindings.LEFT_OUT.severity(),
                path,
                "not in the spec: " + what,
                IaasFindings.LEFT_OUT.remedy()));
    }

    private static <E extends Enum<E>> Optional<E> choice(E[] all, String text) {
        return Arrays.stream(all)
                .filter(option -> option.toString().equals(text))
                .findFirst();
    }

    private static InvalidSpecException refused(String path, String message, String remedy) {
        return new InvalidSpecException(FILE_NAME, List.of(SpecProblem.of(path, message, remedy)));
    }
}
