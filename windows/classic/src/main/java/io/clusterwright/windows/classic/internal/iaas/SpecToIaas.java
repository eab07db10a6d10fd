package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackLinuxNodes;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.windows.internal.xml.Xml;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Converts a spec into a configuration of the deployment script. */
public final class SpecToIaas {
    /** The name of the root. */
    public static final String ROOT = "IaaSClusterConfig";

    /** The type of the extension with the RDMA drivers of classic machines. */
    static final String HPC_DRIVERS = "HpcVmDrivers";

    private static final String R2 = "WindowsServer2012R2";
    private static final String FIRST = "WindowsServer2012";

    private final ClusterSpec spec;
    private final HpcPackSpec pack;
    private final List<SpecProblem> problems = new ArrayList<>();
    private final Element root = Xml.root(ROOT);

    private SpecToIaas(ClusterSpec spec) {
        this.spec = spec;
        this.pack = spec.hpcPack()
                .orElseGet(() -> HpcPackSpec.builder()
                        .scenario(HpcPackSpec.Scenario.IAAS)
                        .build());
    }

    /**
     * The root of the configuration.
     *
     * @throws InvalidSpecException with everything the file needs and the spec lacks
     */
    public static Element of(ClusterSpec spec) {
        SpecToIaas writer = new SpecToIaas(spec);
        Element configuration = writer.configuration();
        if (!writer.problems.isEmpty()) {
            throw new InvalidSpecException(writer.problems);
        }
        return configuration;
    }

    /** The reasons why the spec cannot be converted; empty when it can. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        SpecToIaas writer = new SpecToIaas(spec);
        writer.configuration();
        return List.copyOf(writer.problems);
    }

    private Element configuration() {
        if (pack.scenario() == HpcPackSpec.Scenario.RESOURCE_MANAGER
                || pack.version() != HpcPackSpec.Version.V2012_R2) {
            problem(
                    "hpcPack.version",
                    "the deployment script creates HPC Pack 2012 R2 in classic machines only, and the version is "
                            + pack.version(),
                    "write scenario: iaas and version: 2012-r2, or version: 2019 with scenario: resource-manager");
        }
        HpcPackSubscription subscription = need(
                pack.subscription(),
                "hpcPack.subscription",
                "a subscription and a storage account",
                "write subscription: {id: 00000000-0000-0000-0000-000000000000, storageAccount: hpc1store}");
        HeadNode head =
                need(spec.headNode(), "headNode", "a head node", "write headNode: {name: HPC1HN, size: Standard_A4}");
        String location = need(
                ClassicNames.location(spec.requireRegion()),
                "region",
                "a region of the classic model, which " + spec.requireRegion() + " is not",
                "write the region as westus or West US");
        set("VNet/VNetName", spec.network().name());
        set("VNet/SubnetName", spec.network().subnet().name());
        set("Domain/DCOption", pack.domain().option().toString());
        set("Domain/DomainFQDN", pack.domain().fqdn());
        set("Database/DBOption", pack.database().toString());
        if (subscription != null && location != null) {
            set("Subscription/SubscriptionId", subscription.id());
            set("Subscription/StorageAccount", subscription.storageAccount());
            set("Location", location);
        }
        if (head != null) {
            head(head);
        }
        if (pack.scenario() == HpcPackSpec.Scenario.BURST) {
            burst(subscription);
        } else {
            nodes();
            pack.linuxNodes().ifPresent(this::linuxNodes);
        }
        return root;
    }

    private void head(HeadNode head) {
        String size = size(head.requireSize().name(), ClassicNames.of(head.requireSize()), "headNode.size");
        if (size != null) {
            set("HeadNode/VMName", head.name().value());
            set("HeadNode/ServiceName", pack.headNodeService().orElse(spec.name() + "-head"));
            set("HeadNode/VMSize", size);
            if (pack.restApi()) {
                set("HeadNode/EnableRESTAPI", "");
            }
        }
    }

    private void nodes() {
        String size = size(
                spec.nodes().requireSize().name(), ClassicNames.of(spec.nodes().requireSize()), "nodes.size");
        if (size == null) {
            return;
        }
        set("ComputeNodes/VMNamePattern", spec.nodes().pattern().toString());
        set("ComputeNodes/ServiceName", pack.computeNodeService().orElse(spec.name() + "-compute"));
        set("ComputeNodes/VMSize", size);
        set("ComputeNodes/NodeCount", Integer.toString(spec.nodes().count()));
        image();
        extensions(size);
    }

    /** In a separate cloud service: all RDMA nodes of a job must be in one, and it holds 50. */
    private void linuxNodes(HpcPackLinuxNodes linux) {
        String size = size(linux.size().name(), ClassicNames.of(linux.size()), "hpcPack.linuxNodes.size");
        if (size != null) {
            set("LinuxComputeNodes/VMNamePattern", linux.namePattern().toString());
            set("LinuxComputeNodes/ServiceName", spec.name() + "-linux");
            set("LinuxComputeNodes/VMSize", size);
            set("LinuxComputeNodes/NodeCount", Integer.toString(linux.count()));
            set("LinuxComputeNodes/ImageName", linux.image());
        }
    }

    /** Writes the extensions that the script does not install by itself. */
    private void extensions(String size) {
        Extensions catalog = Extensions.standard();
        List<ExtensionSpec> all = spec.extensions().stream()
                .filter(extension ->
                        extension.type().isPresent() || catalog.find(extension).isPresent())
                .map(catalog::complete)
                .filter(extension ->
                        !HPC_DRIVERS.equalsIgnoreCase(extension.type().orElse("")) || ClassicNames.driversByHand(size))
                .toList();
        if (!all.isEmpty()) {
            Element list = Xml.add(Xml.first(root, "ComputeNodes").orElseThrow(), "VMExtensions");
            for (ExtensionSpec extension : all) {
                Element written = Xml.add(list, "VMExtension");
                Xml.add(written, "ExtensionName", extension.type().orElse(""));
                Xml.add(written, "Publisher", extension.publisher().orElse(""));
                Xml.add(written, "Version", extension.version().orElse("1.*"));
            }
        }
    }

    private void image() {
        ImageReference base = spec.image().base();
        if (base instanceof ImageReference.ResourceId image) {
            set("ComputeNodes/ImageName", image.id().substring(image.id().lastIndexOf('/') + 1));
            return;
        }
        String system = base instanceof ImageReference.Auto ? R2 : system(base);
        if (system == null) {
            problem(
                    "image.base",
                    "the deployment script cannot create nodes of image " + base,
                    "write base: MicrosoftWindowsServer:WindowsServer:2012-R2-Datacenter:latest, or the sku 2012-Datacenter");
        } else {
            set("ComputeNodes/OSVersion", system);
        }
    }

    private static @Nullable String system(ImageReference base) {
        if (base instanceof ImageReference.Marketplace image
                && image.publisher().equalsIgnoreCase("MicrosoftWindowsServer")) {
            return switch (image.sku().toLowerCase(Locale.ROOT)) {
                case "2012-r2-datacenter" -> R2;
                case "2012-datacenter" -> FIRST;
                default -> null;
            };
        }
        return null;
    }

    private void burst(@Nullable HpcPackSubscription subscription) {
        HpcPackBurst burst =
                need(pack.burst(), "hpcPack.burst", "the worker roles of the burst", "add a burst section");
        String size = size(
                spec.nodes().requireSize().name(), ClassicNames.of(spec.nodes().requireSize()), "nodes.size");
        if (burst == null || size == null || subscription == null) {
            return;
        }
        set("Certificates/Certificate/Id", "1");
        // The user must name the file so: a spec knows a certificate by its thumbprint only.
        set("Certificates/Certificate/PfxFile", burst.managementCertificate().orElse("hpccert") + ".pfx");
        String template = "AzureBurst/AzureNodeTemplate/";
        set(template + "TemplateName", burst.nodeTemplate());
        set(template + "SubscriptionId", subscription.id());
        set(template + "CertificateId", "1");
        set(template + "ServiceName", burst.cloudService());
        set(template + "StorageAccount", burst.storageAccount());
        set(template + "RoleSize", size);
    }

    private @Nullable String size(String given, Optional<String> classic, String path) {
        return need(
                classic,
                path,
                "a size of the classic model, which " + given + " is not",
                "use a size such as Standard_A8, or scenario: resource-manager");
    }

    private <T> @Nullable T need(Optional<T> given, String path, String what, String remedy) {
        return given.orElseGet((Supplier<@Nullable T>) () -> {
            problem(path, "the deployment script needs " + what, remedy);
            return null;
        });
    }

    /** Writes a text at a path; empty for an element that is switched on by being there. */
    private void set(String path, String text) {
        Element parent = root;
        String[] names = path.split("/");
        for (String name : List.of(names).subList(0, names.length - 1)) {
            Element known = parent;
            parent = Xml.first(known, name).orElseGet(() -> Xml.add(known, name));
        }
        Element element = Xml.add(parent, names[names.length - 1]);
        if (!text.isEmpty()) {
            element.setTextContent(text);
        }
    }

    private void problem(String path, String message, String remedy) {
        problems.add(SpecProblem.of(path, message, remedy));
    }
}
