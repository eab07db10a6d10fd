package io.clusterwright.windows.deploy;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDatabase;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDomain;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says in a description what a configuration says, as far as that goes. */
final class ToSpec {
    private static final String ADDRESSES = "192.168.0.0/20";
    private static final String SUBNET = "192.168.0.0/23";

    private final IaasConfiguration file;
    private final List<Finding> notSaid = new ArrayList<>();

    private ToSpec(IaasConfiguration file) {
        this.file = file;
    }

    static IaasSpec of(IaasConfiguration file) {
        return new ToSpec(file).spec();
    }

    private IaasSpec spec() {
        IaasNodes nodes = file.nodes(IaasNodes.Kind.COMPUTE).stream()
                .findFirst()
                .orElseThrow(() -> refused(
                        "ComputeNodes",
                        "there is no section of Windows compute nodes",
                        "give a configuration with ComputeNodes; one of LinuxComputeNodes alone has no description"));
        String head = file.headNode().flatMap(IaasHeadNode::name).orElse("HPCHN");
        ClusterSpec.Builder spec = ClusterSpec.builder(
                        head.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", ""))
                .region(region())
                .operatingSystem(OperatingSystem.WINDOWS)
                .nodes(group -> {
                    group.count(Math.max(1, nodes.count().orElse(1)));
                    nodes.size().map(ToSpec::size).ifPresent(group::size);
                    nodes.namePattern().map(NamePattern::parse).ifPresent(group::namePattern);
                })
                .network(network -> network.addressSpace(ADDRESSES)
                        .name(file.network().flatMap(IaasNetwork::name).orElse("hpc-vnet"))
                        .subnet(subnet -> subnet.name(file.network()
                                        .flatMap(IaasNetwork::subnet)
                                        .orElse("Subnet-1"))
                                .range(SUBNET)));
        file.headNode()
                .ifPresent(part -> spec.headNode(node -> {
                    node.name(head);
                    part.size().map(ToSpec::size).ifPresent(node::size);
                }));
        image(spec, nodes);
        spec.hpcPack(pack -> pack(pack, nodes));
        leftOut(nodes);
        say(
                "VNet",
                "the addresses of the network do not stand in the file; " + ADDRESSES + " is what the script makes");
        return new IaasSpec(spec.build(), notSaid);
    }

    private String region() {
        String location = file.location()
                .orElseThrow(() -> refused("Location", "there is no location", "add <Location>West US</Location>"));
        return ClassicNames.region(location)
                .orElseGet(() -> location.replace(" ", "").toLowerCase(Locale.ROOT));
    }

    private static VmSize size(String classic) {
        return ClassicNames.size(classic).orElseGet(() -> VmSize.parse(classic));
    }

    private void image(ClusterSpec.Builder spec, IaasNodes nodes) {
        String system = nodes.osVersion().orElse("WindowsServer2012R2");
        String sku = system.equals("WindowsServer2012") ? "2012-Datacenter" : "2012-R2-Datacenter";
        spec.image(image -> image.base("MicrosoftWindowsServer:WindowsServer:" + sku + ":latest"));
        nodes.image()
                .ifPresent(image ->
                        say("ComputeNodes/ImageName", "the private image " + image + " has no resource id here"));
    }

    private void pack(HpcPackSpec.Builder pack, IaasNodes nodes) {
        pack.scenario(HpcPackSpec.Scenario.IAAS);
        file.domain()
                .ifPresent(domain -> pack.domain(new HpcPackDomain(
                        domain.option()
                                .flatMap(text -> choice(HpcPackDomain.Option.values(), text))
                                .orElse(HpcPackDomain.Option.HEAD_NODE_AS_DC),
                        domain.fqdn().orElse(HpcPackDomain.DEFAULT_FQDN))));
        file.database()
                .flatMap(database -> database.option())
                .flatMap(text -> choice(HpcPackDatabase.values(), text))
                .ifPresent(pack::database);
        file.headNode().ifPresent(head -> {
            pack.restApi(head.restApi());
            head.service().ifPresent(pack::headNodeService);
        });
        file.subscription().ifPresent(subscription -> subscription(pack, subscription));
        Optional<String> shared = file.headNode().flatMap(IaasHeadNode::service);
        if (nodes.service().isPresent() && nodes.service().equals(shared)) {
            say("ComputeNodes/ServiceName", "a description gives head node and compute nodes a cloud service each");
        } else {
            nodes.service().ifPresent(pack::computeNodeService);
        }
    }

    private void subscription(HpcPackSpec.Builder pack, IaasSubscription subscription) {
        if (subscription.id().isPresent() && subscription.storageAccount().isPresent()) {
            pack.subscription(new HpcPackSubscription(
                    subscription.id().get(), subscription.storageAccount().get()));
        } else {
            say("Subscription", "a description names a subscription by its id, and the file does not");
        }
    }

    /** What has no words in a description. */
    private void leftOut(IaasNodes nodes) {
        file.affinityGroup().ifPresent(group -> say("AffinityGroup", "the affinity group " + group));
        nodes.affinityGroup().ifPresent(group -> say("ComputeNodes/AffinityGroup", "the affinity group " + group));
        nodes.servicePattern()
                .ifPresent(text -> say("ComputeNodes/ServiceNamePattern", "several cloud services, " + text));
        nodes.extensions()
                .forEach(part -> say(
                        "ComputeNodes/VMExtensions",
                        "the extension " + part.name().orElse("")));
        file.domain()
                .flatMap(IaasDomain::controller)
                .ifPresent(part -> say(
                        "Domain/DomainController", "the machine " + part.name().orElse("")));
        file.domain()
                .filter(IaasDomain::noWindowsAutoUpdate)
                .ifPresent(part -> say("Domain/NoWindowsAutoUpdate", "Windows Update is off"));
        file.database()
                .flatMap(IaasDatabase::server)
                .ifPresent(part ->
                        say("Database/DBServer", "the machine " + part.name().orElse("")));
        file.headNode()
                .filter(IaasHeadNode::webPortal)
                .ifPresent(part -> say("HeadNode/EnableWebPortal", "the web portal"));
        file.headNode()
                .flatMap(IaasHeadNode::postConfigScript)
                .ifPresent(text -> say("HeadNode/PostConfigScript", "the script " + text));
        if (file.autoGrowShrinkCertificate().isPresent()) {
            say("AutoGrowShrink", "nodes that come and go by need");
        }
        file.certificates()
                .forEach(part -> say(
                        "Certificates/Certificate", "the file " + part.pfxFile().orElse("")));
        file.azureNodeTemplates()
                .forEach(part -> say(
                        "AzureBurst/AzureNodeTemplate",
                        "the node template " + part.name().orElse("")));
        for (IaasNodes.Kind kind : List.of(IaasNodes.Kind.LINUX, IaasNodes.Kind.BROKER)) {
            file.nodes(kind)
                    .forEach(part -> say(
                            kind.element(), "nodes named " + part.namePattern().orElse("")));
        }
        if (file.nodes(IaasNodes.Kind.COMPUTE).size() > 1) {
            say("ComputeNodes", "more than one section of compute nodes");
        }
    }

    private void say(String path, String what) {
        notSaid.add(new Finding(
                IaasFindings.LEFT_OUT.code(),
                IaasFindings.LEFT_OUT.severity(),
                path,
                "not in the description: " + what,
                IaasFindings.LEFT_OUT.remedy()));
    }

    private static <E extends Enum<E>> Optional<E> choice(E[] all, String text) {
        return Arrays.stream(all)
                .filter(option -> option.toString().equals(text))
                .findFirst();
    }

    private static InvalidSpecException refused(String path, String message, String remedy) {
        return new InvalidSpecException(IaasConfiguration.FILE_NAME, List.of(SpecProblem.of(path, message, remedy)));
    }
}
