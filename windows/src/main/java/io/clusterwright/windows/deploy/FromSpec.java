package io.clusterwright.windows.deploy;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.HpcPackBurst.ManagementCertificate;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.ImageReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes a description as a configuration of the deployment script. */
final class FromSpec {
    private static final String R2 = "WindowsServer2012R2";
    private static final String FIRST = "WindowsServer2012";

    private final ClusterSpec spec;
    private final HpcPackSpec pack;
    private final List<SpecProblem> problems = new ArrayList<>();

    private FromSpec(ClusterSpec spec) {
        this.spec = spec;
        this.pack = spec.hpcPack().orElseGet(() -> HpcPackSpec.builder().build());
    }

    static IaasConfiguration of(ClusterSpec spec) {
        FromSpec writer = new FromSpec(spec);
        IaasConfiguration configuration = writer.configuration();
        if (!writer.problems.isEmpty()) {
            throw new InvalidSpecException(writer.problems);
        }
        return configuration;
    }

    /** What keeps the description from being written; empty when nothing does. */
    static List<SpecProblem> problems(ClusterSpec spec) {
        FromSpec writer = new FromSpec(spec);
        writer.configuration();
        return List.copyOf(writer.problems);
    }

    private IaasConfiguration configuration() {
        if (pack.scenario() == HpcPackSpec.Scenario.RESOURCE_MANAGER
                || pack.version() != HpcPackSpec.Version.V2012_R2) {
            problem(
                    "hpcPack.version",
                    "the deployment script makes HPC Pack 2012 R2 in classic machines only, and not " + pack.version(),
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
                ClassicNames.location(spec.region().orElseThrow()),
                "region",
                "a region of the classic model, which " + spec.region().orElseThrow() + " is not",
                "write the region as westus or West US");
        IaasConfiguration.Builder file = IaasConfiguration.builder()
                .network(IaasNetwork.builder()
                        .name(spec.network().name())
                        .subnet(spec.network().subnet().name())
                        .build())
                .domain(IaasDomain.builder()
                        .option(pack.domain().option().toString())
                        .fqdn(pack.domain().fqdn())
                        .build())
                .database(IaasDatabase.builder()
                        .option(pack.database().toString())
                        .build());
        if (subscription != null && location != null) {
            file.subscription(IaasSubscription.builder()
                            .id(subscription.id())
                            .storageAccount(subscription.storageAccount())
                            .build())
                    .location(location);
        }
        if (head != null) {
            head(file, head);
        }
        if (pack.scenario() == HpcPackSpec.Scenario.BURST) {
            burst(file, subscription);
        } else {
            nodes(file);
        }
        return file.build();
    }

    private void head(IaasConfiguration.Builder file, HeadNode head) {
        String service = pack.headNodeService().orElse(spec.name() + "-head");
        String size = size(head.size().name(), ClassicNames.of(head.size()), "headNode.size");
        if (size != null) {
            file.headNode(IaasHeadNode.builder()
                    .name(head.name().value())
                    .service(service)
                    .size(size)
                    .restApi(pack.restApi())
                    .build());
        }
    }

    private void nodes(IaasConfiguration.Builder file) {
        String service = pack.computeNodeService().orElse(spec.name() + "-compute");
        String size =
                size(spec.nodes().size().orElseThrow().name(), ClassicNames.of(spec.nodes().size().orElseThrow()), "nodes.size");
        if (size == null) {
            return;
        }
        IaasNodes.Builder nodes = IaasNodes.builder(IaasNodes.Kind.COMPUTE)
                .namePattern(spec.nodes().pattern().toString())
                .service(service)
                .size(size)
                .count(spec.nodes().count());
        image(nodes);
        file.addNodes(nodes.build());
    }

    private void image(IaasNodes.Builder nodes) {
        ImageReference base = spec.image().base();
        if (base instanceof ImageReference.ResourceId image) {
            nodes.image(image.id().substring(image.id().lastIndexOf('/') + 1));
            return;
        }
        String system = base instanceof ImageReference.Auto ? R2 : system(base);
        if (system == null) {
            problem(
                    "image.base",
                    base + " is not an image that the deployment script makes nodes of",
                    "use MicrosoftWindowsServer:WindowsServer:2012-R2-Datacenter:latest or its 2012-Datacenter");
        } else {
            nodes.osVersion(system);
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

    private void burst(IaasConfiguration.Builder file, @Nullable HpcPackSubscription subscription) {
        HpcPackBurst burst =
                need(pack.burst(), "hpcPack.burst", "the worker roles of the burst", "add a burst section");
        String size =
                size(spec.nodes().size().orElseThrow().name(), ClassicNames.of(spec.nodes().size().orElseThrow()), "nodes.size");
        if (burst == null || size == null || subscription == null) {
            return;
        }
        file.certificates(List.of(IaasCertificate.builder()
                .id(1)
                .pfxFile(pfx(burst.managementCertificate()))
                .build()));
        file.azureNodeTemplates(List.of(IaasAzureTemplate.builder()
                .name(burst.nodeTemplate())
                .subscriptionId(subscription.id())
                .certificateId(1)
                .service(burst.cloudService())
                .storageAccount(burst.storageAccount())
                .roleSize(size)
                .build()));
    }

    /** The name of the file is for the user to make true: a description knows a certificate by its thumbprint. */
    private static String pfx(ManagementCertificate certificate) {
        return certificate.thumbprint().orElse("hpccert") + ".pfx";
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

    private void problem(String path, String message, String remedy) {
        problems.add(SpecProblem.of(path, message, remedy));
    }
}
