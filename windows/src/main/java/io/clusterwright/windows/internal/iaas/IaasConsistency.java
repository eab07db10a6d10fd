package io.clusterwright.windows.internal.iaas;

import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks that elements of a configuration agree with each other: names after expansion, sizes, services, certificates. */
final class IaasConsistency {
    private static final String COMPUTER_NAME = ".{1,15}";
    private static final int HEAD_CORES = 8;
    private static final String SERVICE = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
    private static final String BROKERS = "BrokerNodes";
    private static final String BURST_TEMPLATE = "AzureBurst/AzureNodeTemplate";
    private static final String STORAGE = "[a-z0-9]{3,24}";

    private final XmlElement root;
    private final IaasLint lint;

    IaasConsistency(XmlElement root, IaasLint lint) {
        this.root = root;
        this.lint = lint;
    }

    void check() {
        root.element("Subscription").ifPresent(part -> {
            either(part, "Subscription", "SubscriptionId", "SubscriptionName");
            form(part, "Subscription", "StorageAccount", STORAGE);
        });
        root.value("Location")
                .filter(name -> ClassicNames.region(name).isEmpty())
                .ifPresent(this::location);
        root.element("HeadNode").ifPresent(this::head);
        for (String machine : List.of("Domain/DomainController", "Database/DBServer")) {
            root.at(machine).forEach(part -> machine(part, machine));
        }
        nodes().forEach(this::nodes);
        rdma();
        certificates();
        root.at(BURST_TEMPLATE).forEach(part -> {
            form(part, BURST_TEMPLATE, "StorageAccount", STORAGE);
            form(part, BURST_TEMPLATE, "ServiceName", SERVICE);
            size(part, BURST_TEMPLATE, "RoleSize");
        });
    }

    private List<XmlElement> nodes() {
        return Stream.of("ComputeNodes", "LinuxComputeNodes", BROKERS)
                .flatMap(kind -> root.elements(kind).stream())
                .toList();
    }

    private static boolean computes(XmlElement nodes) {
        return !nodes.name().equals(BROKERS);
    }

    private void head(XmlElement head) {
        machine(head, "HeadNode");
        head.value("VMSize")
                .filter(size -> ClassicNames.cores(size)
                        .filter(cores -> cores < HEAD_CORES)
                        .isPresent())
                .ifPresent(size -> add(IaasFindings.HEAD_SIZE, head, "HeadNode", "VMSize", "the head node is " + size));
        nodes().stream()
                .filter(nodes ->
                        nodes.has("ServiceName") && nodes.value("ServiceName").equals(head.value("ServiceName")))
                .filter(IaasConsistency::computes)
                .forEach(nodes -> add(
                        IaasFindings.SAME_SERVICE,
                        nodes,
                        nodes.name(),
                        "ServiceName",
                        nodes.name() + " and HeadNode are in one cloud service, "
                                + nodes.value("ServiceName").orElse("")));
    }

    private void machine(XmlElement machine, String path) {
        form(machine, path, "VMName", COMPUTER_NAME);
        form(machine, path, "ServiceName", SERVICE);
        size(machine, path, "VMSize");
    }

    private void nodes(XmlElement nodes) {
        String path = nodes.name();
        either(nodes, path, "ServiceName", "ServiceNamePattern");
        size(nodes, path, "VMSize");
        form(nodes, path, "ServiceName", SERVICE);
        int count = Math.max(1, nodes.number("NodeCount").orElse(1));
        int perService = Math.max(0, nodes.number("MaxNodeCountPerService").orElse(0));
        int services = perService == 0 ? 1 : (count + perService - 1) / perService;
        series(nodes, path, "VMNamePattern", count, COMPUTER_NAME);
        series(nodes, path, "ServiceNamePattern", services, SERVICE);
        series(nodes, path, "StorageAccountNamePattern", services, STORAGE);
        if (nodes.value("OSVersion").isPresent() && nodes.value("ImageName").isPresent()) {
            add(
                    IaasFindings.EITHER,
                    nodes,
                    path,
                    "ImageName",
                    path + " has OSVersion and ImageName, which exclude each other");
        }
        Optional<String> size = nodes.value("VMSize");
        if (!path.equals("LinuxComputeNodes")
                && size.filter(ClassicNames::driversByHand).isPresent()
                && nodes.at("VMExtensions/VMExtension").stream()
                        .noneMatch(part -> part.value("ExtensionName")
                                .filter(SpecToIaas.HPC_DRIVERS::equalsIgnoreCase)
                                .isPresent())) {
            add(IaasFindings.DRIVERS, nodes, path, "VMSize", size.get() + " comes without its RDMA driver");
        }
    }

    private void series(XmlElement part, String path, String name, int count, String form) {
        String text = part.value(name).orElse(null);
        if (text == null) {
            return;
        }
        Optional<NameSeries> series = NameSeries.parse(text);
        if (series.isEmpty()) {
            add(IaasFindings.NAME, part, path, name, text + " has no number between percent signs, such as %0001%");
            return;
        }
        String last = series.get().name(count - 1);
        if (!last.matches(form)) {
            add(
                    IaasFindings.NAME,
                    part,
                    path,
                    name,
                    last + ", the last of " + count + ", has " + last.length()
                            + " characters, or some that are not allowed");
        }
        if (name.equals("VMNamePattern")) {
            add(
                    IaasFindings.SERIES,
                    part,
                    path,
                    name,
                    "the first node is " + series.get().name(0)
                            + " by the article of the script, and the next by that of Add-HPCIaaSNode.ps1");
        }
    }

    private void rdma() {
        List<XmlElement> fabric = nodes().stream()
                .filter(IaasConsistency::computes)
                .filter(nodes ->
                        nodes.value("VMSize").filter(ClassicNames::rdma).isPresent())
                .toList();
        fabric.stream()
                .filter(nodes -> nodes.value("ServiceNamePattern").isPresent())
                .forEach(nodes -> add(
                        IaasFindings.MANY_SERVICES,
                        nodes,
                        nodes.name(),
                        "ServiceNamePattern",
                        "nodes of " + nodes.value("VMSize").orElse("") + " are spread over several cloud services"));
        List<String> services = fabric.stream()
                .flatMap(nodes -> nodes.value("ServiceName").stream())
                .distinct()
                .toList();
        if (services.size() > 1) {
            XmlElement last = fabric.get(fabric.size() - 1);
            add(
                    IaasFindings.MANY_SERVICES,
                    last,
                    last.name(),
                    "ServiceName",
                    "RDMA nodes are in " + String.join(" and ", services));
        }
    }

    private void certificates() {
        List<Integer> ids = new ArrayList<>();
        for (XmlElement certificate : root.at("Certificates/Certificate")) {
            certificate.number("Id").ifPresent(ids::add);
            if (certificate.value("Password").isPresent()) {
                add(
                        IaasFindings.PASSWORD,
                        certificate,
                        "Certificates/Certificate",
                        "Password",
                        "the password of " + certificate.value("PfxFile").orElse("a certificate")
                                + " can be read here");
            }
        }
        root.elements("AutoGrowShrink").forEach(element -> certificate(element, "AutoGrowShrink", ids));
        root.at(BURST_TEMPLATE).forEach(part -> certificate(part, BURST_TEMPLATE, ids));
    }

    private void certificate(XmlElement part, String path, List<Integer> ids) {
        OptionalInt id = part.number("CertificateId");
        if (id.isPresent() && !ids.contains(id.getAsInt())) {
            String known = ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
            add(
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
        XmlElement at = root.element("Location").orElse(null);
        lint.add(IaasFindings.LOCATION, "Location", at, name + " is not known" + near);
    }

    private void size(XmlElement part, String path, String name) {
        part.value(name).filter(size -> ClassicNames.size(size).isEmpty()).ifPresent(size -> {
            String near = ClassicNames.nearestSize(size)
                    .map(known -> "; did you mean " + known + "?")
                    .orElse("");
            add(IaasFindings.SIZE, part, path, name, size + " is not known" + near);
        });
    }

    private void form(XmlElement part, String path, String name, String form) {
        part.value(name)
                .filter(text -> !text.matches(form))
                .ifPresent(text -> add(
                        IaasFindings.NAME,
                        part,
                        path,
                        name,
                        text + " has " + text.length() + " characters, or some that are not allowed"));
    }

    private void either(XmlElement part, String path, String one, String other) {
        if (part.has(one) == part.has(other)) {
            String message = part.has(one)
                    ? path + " has " + one + " and " + other + ", which exclude each other"
                    : path + " has neither " + one + " nor " + other;
            add(IaasFindings.EITHER, part, path, one, message);
        }
    }

    private void add(FindingKind kind, XmlElement part, String path, String name, String message) {
        lint.add(kind, path + "/" + name, part.element(name).orElse(part), message);
    }

    /** Counted names, such as {@code MyHPCCNService%01%}: text, the first number with its least width, text. */
    private record NameSeries(String before, int first, int width, String after) {
        private static final Pattern SERIES = Pattern.compile("([^%]*)%([0-9]{1,9})%([^%]*)");

        static Optional<NameSeries> parse(String text) {
            Matcher parts = SERIES.matcher(text);
            return parts.matches()
                    ? Optional.of(new NameSeries(
                            parts.group(1),
                            Integer.parseInt(parts.group(2)),
                            parts.group(2).length(),
                            parts.group(3)))
                    : Optional.empty();
        }

        /** The name at this place, from 0. */
        String name(int offset) {
            String number = Long.toString((long) first + offset);
            return before + "0".repeat(Math.max(0, width - number.length())) + number + after;
        }
    }
}
