package io.clusterwright.windows.deploy;

import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the elements of a configuration mean together. */
final class IaasMeaning {
    private static final int COMPUTER_NAME = 15;
    private static final int HEAD_CORES = 8;
    private static final String SERVICE = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
    private static final String STORAGE = "[a-z0-9]{3,24}";

    private final IaasConfiguration configuration;
    private final IaasLint lint;

    IaasMeaning(IaasConfiguration configuration, IaasLint lint) {
        this.configuration = configuration;
        this.lint = lint;
    }

    void look() {
        configuration.subscription().ifPresent(part -> {
            either(part, "Subscription", "SubscriptionId", "SubscriptionName");
            form(part, "Subscription", "StorageAccount", STORAGE);
        });
        configuration
                .location()
                .filter(name -> ClassicNames.region(name).isEmpty())
                .ifPresent(this::location);
        configuration.headNode().ifPresent(this::head);
        configuration
                .domain()
                .flatMap(IaasDomain::controller)
                .ifPresent(part -> machine(part, "Domain/DomainController"));
        configuration.database().flatMap(IaasDatabase::server).ifPresent(part -> machine(part, "Database/DBServer"));
        nodes().forEach(this::nodes);
        rdma();
        certificates();
        configuration.azureNodeTemplates().forEach(part -> {
            form(part, "AzureBurst/AzureNodeTemplate", "StorageAccount", STORAGE);
            form(part, "AzureBurst/AzureNodeTemplate", "ServiceName", SERVICE);
            size(part, "AzureBurst/AzureNodeTemplate", "RoleSize");
        });
    }

    private List<IaasNodes> nodes() {
        return Stream.of(IaasNodes.Kind.values())
                .flatMap(kind -> configuration.nodes(kind).stream())
                .toList();
    }

    private void head(IaasHeadNode head) {
        form(head, "HeadNode", "VMName", ".{1," + COMPUTER_NAME + "}");
        form(head, "HeadNode", "ServiceName", SERVICE);
        size(head, "HeadNode", "VMSize");
        head.size()
                .filter(size -> ClassicNames.cores(size)
                        .filter(cores -> cores < HEAD_CORES)
                        .isPresent())
                .ifPresent(size -> say(IaasFindings.HEAD_SIZE, head, "HeadNode", "VMSize", "the head node is " + size));
        nodes().stream()
                .filter(nodes -> nodes.service().isPresent() && nodes.service().equals(head.service()))
                .filter(nodes -> nodes.kind() != IaasNodes.Kind.BROKER)
                .forEach(nodes -> say(
                        IaasFindings.SAME_SERVICE,
                        nodes,
                        nodes.kind().element(),
                        "ServiceName",
                        nodes.service().orElse("") + " is the cloud service of the head node too"));
    }

    private void machine(IaasMachine machine, String path) {
        form(machine, path, "VMName", ".{1," + COMPUTER_NAME + "}");
        form(machine, path, "ServiceName", SERVICE);
        size(machine, path, "VMSize");
    }

    private void nodes(IaasNodes nodes) {
        String path = nodes.kind().element();
        either(nodes, path, "ServiceName", "ServiceNamePattern");
        size(nodes, path, "VMSize");
        form(nodes, path, "ServiceName", SERVICE);
        int count = Math.max(1, nodes.count().orElse(1));
        nodes.namePattern()
                .ifPresent(
                        pattern -> series(nodes, path, "VMNamePattern", pattern, count, ".{1," + COMPUTER_NAME + "}"));
        int services = nodes.mostNodesPerService().isPresent()
                        && nodes.mostNodesPerService().getAsInt() > 0
                ? (count + nodes.mostNodesPerService().getAsInt() - 1)
                        / nodes.mostNodesPerService().getAsInt()
                : 1;
        nodes.servicePattern()
                .ifPresent(pattern -> series(nodes, path, "ServiceNamePattern", pattern, services, SERVICE));
        nodes.storageAccountPattern()
                .ifPresent(pattern -> series(nodes, path, "StorageAccountNamePattern", pattern, services, STORAGE));
        if (nodes.osVersion().isPresent() && nodes.image().isPresent()) {
            say(IaasFindings.EITHER, nodes, path, "ImageName", "OSVersion and ImageName are both there");
        }
        if (nodes.kind() != IaasNodes.Kind.LINUX
                && nodes.size().filter(ClassicNames::driversByHand).isPresent()) {
            say(
                    IaasFindings.DRIVERS,
                    nodes,
                    path,
                    "VMSize",
                    nodes.size().orElse("") + " comes without its RDMA driver");
        }
    }

    private void series(IaasPart part, String path, String name, String text, int count, String form) {
        Optional<NameSeries> series = NameSeries.parse(text);
        if (series.isEmpty()) {
            say(IaasFindings.NAME, part, path, name, text + " has no number between percent signs, such as %0001%");
            return;
        }
        String last = series.get().name(count - 1);
        if (!last.matches(form)) {
            say(
                    IaasFindings.NAME,
                    part,
                    path,
                    name,
                    last + ", the last of " + count + ", has " + last.length()
                            + " characters, or some that are not allowed");
        }
        if (name.equals("VMNamePattern")) {
            say(
                    IaasFindings.SERIES,
                    part,
                    path,
                    name,
                    "the first node is " + series.get().name(0)
                            + " by the article of the script, and the next by that of Add-HPCIaaSNode.ps1");
        }
    }

    private void rdma() {
        List<IaasNodes> fabric = nodes().stream()
                .filter(nodes -> nodes.kind() != IaasNodes.Kind.BROKER)
                .filter(nodes -> nodes.size().filter(ClassicNames::rdma).isPresent())
                .toList();
        fabric.stream()
                .filter(nodes -> nodes.servicePattern().isPresent())
                .forEach(nodes -> say(
                        IaasFindings.MANY_SERVICES,
                        nodes,
                        nodes.kind().element(),
                        "ServiceNamePattern",
                        "nodes of " + nodes.size().orElse("") + " are spread over several cloud services"));
        List<String> services = fabric.stream()
                .flatMap(nodes -> nodes.service().stream())
                .distinct()
                .toList();
        if (services.size() > 1) {
            IaasNodes last = fabric.get(fabric.size() - 1);
            say(
                    IaasFindings.MANY_SERVICES,
                    last,
                    last.kind().element(),
                    "ServiceName",
                    "RDMA nodes are in " + String.join(" and ", services));
        }
    }

    private void certificates() {
        List<Integer> ids = new ArrayList<>();
        for (IaasCertificate certificate : configuration.certificates()) {
            certificate.id().ifPresent(ids::add);
            if (certificate.password().isPresent()) {
                say(
                        IaasFindings.PASSWORD,
                        certificate,
                        "Certificates/Certificate",
                        "Password",
                        "the password of " + certificate.pfxFile().orElse("a certificate") + " can be read here");
            }
        }
        configuration
                .root()
                .elements("AutoGrowShrink")
                .forEach(element -> certificate(new IaasCertificate(element), "AutoGrowShrink", ids));
        configuration.azureNodeTemplates().forEach(part -> certificate(part, "AzureBurst/AzureNodeTemplate", ids));
    }

    private void certificate(IaasPart part, String path, List<Integer> ids) {
        OptionalInt id = part.number("CertificateId");
        if (id.isPresent() && !ids.contains(id.getAsInt())) {
            String known = ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
            say(
                    IaasFindings.CERTIFICATE,
                    part,
                    path,
                    "CertificateId",
                    "there is no certificate " + id.getAsInt()
                            + (known.isEmpty() ? ", for there are none" : ", only " + known));
        }
    }

    private void location(String name) {
        String near = ClassicNames.nearestLocation(name)
                .map(known -> "; did you mean " + known + "?")
                .orElse("");
        XmlElement at = configuration.root().element("Location").orElse(null);
        lint.say(IaasFindings.LOCATION, "Location", at, name + " is not known" + near);
    }

    private void size(IaasPart part, String path, String name) {
        part.value(name).filter(size -> ClassicNames.size(size).isEmpty()).ifPresent(size -> {
            String near = ClassicNames.nearestSize(size)
                    .map(known -> "; did you mean " + known + "?")
                    .orElse("");
            say(IaasFindings.SIZE, part, path, name, size + " is not known" + near);
        });
    }

    private void form(IaasPart part, String path, String name, String form) {
        part.value(name)
                .filter(text -> !text.matches(form))
                .ifPresent(text -> say(
                        IaasFindings.NAME,
                        part,
                        path,
                        name,
                        text + " has " + text.length() + " characters, or some that are not allowed"));
    }

    private void either(IaasPart part, String path, String one, String other) {
        if (part.has(one) == part.has(other)) {
            String count = part.has(one) ? " are both there" : " are both missing";
            say(IaasFindings.EITHER, part, path, one, one + " and " + other + count);
        }
    }

    private void say(FindingKind kind, IaasPart part, String path, String name, String message) {
        lint.say(kind, path + "/" + name, part.element().element(name).orElse(part.element()), message);
    }
}
