package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.windows.internal.xml.Xml;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** Checks that elements of a configuration agree with each other: names after expansion, sizes, services, certificates. */
final class IaasConsistency {
    private static final String COMPUTER_NAME = ".{1,15}";
    private static final int HEAD_CORES = 8;
    private static final String SERVICE = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
    private static final String BROKERS = "BrokerNodes";
    private static final String BURST_TEMPLATE = "AzureBurst/AzureNodeTemplate";
    private static final String STORAGE = "[a-z0-9]{3,24}";

    private final Element root;
    private final IaasLint lint;

    IaasConsistency(Element root, IaasLint lint) {
        this.root = root;
        this.lint = lint;
    }

    void check() {
        Xml.first(root, "Subscription").ifPresent(part -> {
            either(part, "SubscriptionId", "SubscriptionName");
            form(part, "StorageAccount", STORAGE);
        });
        known(root, "Location", IaasFindings.LOCATION, ClassicNames::region, ClassicNames::nearestLocation);
        Xml.first(root, "HeadNode").ifPresent(this::head);
        for (String machine : List.of("Domain/DomainController", "Database/DBServer")) {
            Xml.at(root, machine).forEach(this::machine);
        }
        nodes().forEach(this::nodes);
        rdma();
        certificates();
        Xml.at(root, BURST_TEMPLATE).forEach(part -> {
            form(part, "StorageAccount", STORAGE);
            form(part, "ServiceName", SERVICE);
            size(part, "RoleSize");
        });
    }

    private List<Element> nodes() {
        return Stream.of("ComputeNodes", "LinuxComputeNodes", BROKERS)
                .flatMap(kind -> Xml.at(root, kind).stream())
                .toList();
    }

    private List<Element> computeNodes() {
        return nodes().stream()
                .filter(nodes -> !nodes.getTagName().equals(BROKERS))
                .toList();
    }

    private void head(Element head) {
        machine(head);
        Optional<String> size = Xml.value(head, "VMSize");
        if (size.flatMap(ClassicNames::cores)
                .filter(cores -> cores < HEAD_CORES)
                .isPresent()) {
            add(IaasFindings.HEAD_SIZE, head, "VMSize", "the head node is " + size.get() + ", smaller than A4");
        }
        Optional<String> service = Xml.value(head, "ServiceName");
        for (Element nodes : computeNodes()) {
            if (Xml.has(nodes, "ServiceName") && Xml.value(nodes, "ServiceName").equals(service)) {
                String shared = nodes.getTagName() + " and HeadNode are in one cloud service, " + service.orElse("");
                add(IaasFindings.SAME_SERVICE, nodes, "ServiceName", shared);
            }
        }
    }

    private void machine(Element machine) {
        form(machine, "VMName", COMPUTER_NAME);
        form(machine, "ServiceName", SERVICE);
        size(machine, "VMSize");
    }

    private void nodes(Element nodes) {
        either(nodes, "ServiceName", "ServiceNamePattern");
        size(nodes, "VMSize");
        form(nodes, "ServiceName", SERVICE);
        int count = Math.max(1, Xml.number(nodes, "NodeCount").orElse(1));
        int perService = Math.max(0, Xml.number(nodes, "MaxNodeCountPerService").orElse(0));
        int services = perService == 0 ? 1 : (count + perService - 1) / perService;
        series(nodes, "VMNamePattern", count, COMPUTER_NAME);
        series(nodes, "ServiceNamePattern", services, SERVICE);
        series(nodes, "StorageAccountNamePattern", services, STORAGE);
        if (Xml.value(nodes, "OSVersion").isPresent()
                && Xml.value(nodes, "ImageName").isPresent()) {
            String both = nodes.getTagName() + " has OSVersion and ImageName, which exclude each other";
            add(IaasFindings.EITHER, nodes, "ImageName", both);
        }
        Optional<String> size = Xml.value(nodes, "VMSize");
        boolean installed = Xml.at(nodes, "VMExtensions/VMExtension").stream()
                .flatMap(part -> Xml.value(part, "ExtensionName").stream())
                .anyMatch(SpecToIaas.HPC_DRIVERS::equalsIgnoreCase);
        if (!nodes.getTagName().equals("LinuxComputeNodes")
                && size.filter(ClassicNames::driversByHand).isPresent()
                && !installed) {
            add(
                    IaasFindings.DRIVERS,
                    nodes,
                    "VMSize",
                    size.get() + " needs the extension HpcVmDrivers: the script installs it on A8 and A9 only");
        }
    }

    private void series(Element part, String name, int count, String form) {
        String text = Xml.value(part, name).orElse(null);
        if (text == null) {
            return;
        }
        Optional<NameSeries> series = NameSeries.of(text);
        if (series.isEmpty()) {
            add(IaasFindings.NAME, part, name, text + " has no number between percent signs, such as %0001%");
            return;
        }
        String last = series.get().name(count - 1);
        if (!last.matches(form)) {
            add(IaasFindings.NAME, part, name, last + ", the last of " + count + ", " + unfit(last));
        }
        if (name.equals("VMNamePattern")) {
            String first = "the first node is " + series.get().name(0)
                    + " by the documentation of the script, and has the next number by the documentation of"
                    + " Add-HPCIaaSNode.ps1";
            add(IaasFindings.SERIES, part, name, first);
        }
    }

    private void rdma() {
        List<Element> fabric = computeNodes().stream()
                .filter(nodes ->
                        Xml.value(nodes, "VMSize").filter(ClassicNames::rdma).isPresent())
                .toList();
        for (Element nodes : fabric) {
            if (Xml.value(nodes, "ServiceNamePattern").isPresent()) {
                String spread =
                        "nodes of " + Xml.value(nodes, "VMSize").orElse("") + " are spread over several cloud services";
                add(IaasFindings.MANY_SERVICES, nodes, "ServiceNamePattern", spread);
            }
        }
        List<String> services = fabric.stream()
                .flatMap(nodes -> Xml.value(nodes, "ServiceName").stream())
                .distinct()
                .toList();
        if (services.size() > 1) {
            Element last = fabric.get(fabric.size() - 1);
            String several = "RDMA nodes are in " + String.join(" and ", services);
            add(IaasFindings.MANY_SERVICES, last, "ServiceName", several);
        }
    }

    private void certificates() {
        List<Integer> ids = new ArrayList<>();
        for (Element certificate : Xml.at(root, "Certificates/Certificate")) {
            Xml.number(certificate, "Id").ifPresent(ids::add);
            if (Xml.value(certificate, "Password").isPresent()) {
                String file = Xml.value(certificate, "PfxFile").orElse("a certificate");
                add(IaasFindings.PASSWORD, certificate, "Password", "the password of " + file + " can be read here");
            }
        }
        for (String path : List.of("AutoGrowShrink", BURST_TEMPLATE)) {
            for (Element part : Xml.at(root, path)) {
                OptionalInt id = Xml.number(part, "CertificateId");
                if (id.isPresent() && !ids.contains(id.getAsInt())) {
                    String known = ids.isEmpty()
                            ? ": Certificates lists none"
                            : ids.stream().map(String::valueOf).collect(Collectors.joining(", ", ", only ", ""));
                    String missing = "there is no certificate " + id.getAsInt() + known;
                    add(IaasFindings.CERTIFICATE, part, "CertificateId", missing);
                }
            }
        }
    }

    private void size(Element part, String name) {
        known(part, name, IaasFindings.SIZE, ClassicNames::size, ClassicNames::nearestSize);
    }

    private void known(
            Element part,
            String name,
            FindingKind kind,
            Function<String, Optional<?>> find,
            Function<String, Optional<String>> nearest) {
        Xml.value(part, name).filter(text -> find.apply(text).isEmpty()).ifPresent(text -> {
            String near = nearest.apply(text)
                    .map(known -> "; did you mean " + known + "?")
                    .orElse("");
            add(kind, part, name, text + " is not known" + near);
        });
    }

    private void form(Element part, String name, String form) {
        Xml.value(part, name)
                .filter(text -> !text.matches(form))
                .ifPresent(text -> add(IaasFindings.NAME, part, name, text + " " + unfit(text)));
    }

    private static String unfit(String name) {
        return "has " + name.length() + " characters, or some that are not allowed";
    }

    private void either(Element part, String one, String other) {
        if (Xml.has(part, one) == Xml.has(part, other)) {
            String message = part.getTagName()
                    + (Xml.has(part, one)
                            ? " has " + one + " and " + other + ", which exclude each other"
                            : " has neither " + one + " nor " + other);
            add(IaasFindings.EITHER, part, one, message);
        }
    }

    private void add(FindingKind kind, Element part, String name, String message) {
        lint.add(kind, IaasLint.path(part, name), Xml.first(part, name).orElse(part), message);
    }

    /** Counted names, such as {@code MyHPCCNService%01%}: text, the first number with its least width, text. */
    private record NameSeries(String before, int first, int width, String after) {
        private static final Pattern SERIES = Pattern.compile("([^%]*)%([0-9]{1,9})%([^%]*)");

        static Optional<NameSeries> of(String text) {
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
