package io.clusterwright.windows.internal.iaas;

import io.clusterwright.windows.internal.xml.XmlElement;
import io.clusterwright.windows.internal.xml.XmlNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The elements of a section of the published files, in their order. */
public final class IaasSchema {
    private static final IaasSchema MACHINE = section(
            text("VMName").needed(),
            text("ServiceName").needed(),
            text("VMSize").needed(),
            count("DataDiskSizeInGB"));
    private static final IaasSchema NODES = section(
            text("VMNamePattern").needed(),
            text("ServiceName"),
            text("ServiceNamePattern"),
            count("MaxNodeCountPerService"),
            text("StorageAccountNamePattern"),
            text("VMSize").needed(),
            count("NodeCount").needed(),
            choice("OSVersion", "WindowsServer2012R2", "WindowsServer2012"),
            text("ImageName"),
            text("AffinityGroup"),
            part(
                    "VMExtensions",
                    section(part(
                                    "VMExtension",
                                    section(
                                            text("ExtensionName").needed(),
                                            text("Publisher").needed(),
                                            text("Version").needed()))
                            .often())));
    private static final IaasSchema AZURE_TEMPLATE = section(
            text("TemplateName").needed(),
            text("SubscriptionId"),
            count("CertificateId").needed(),
            text("ServiceName").needed(),
            text("StorageAccount").needed(),
            count("NodeCount"),
            text("RoleSize"),
            part(
                    "Proxy",
                    section(
                            choice("UsesStaticProxyCount", "true", "false"),
                            count("ProxyRatio"),
                            count("ProxyRatioBase"))),
            text("OSVersion"));
    /** The whole file. */
    public static final IaasSchema ROOT = section(
            part(
                            "Subscription",
                            section(
                                    text("SubscriptionId"),
                                    text("SubscriptionName"),
                                    text("StorageAccount").needed()))
                    .needed(),
            text("AffinityGroup"),
            text("Location").needed(),
            part("VNet", section(text("VNetName").needed(), text("SubnetName").needed()))
                    .needed(),
            part(
                            "Domain",
                            section(
                                    choice("DCOption", "ExistingDC", "NewDC", "HeadNodeAsDC")
                                            .needed(),
                                    text("DomainFQDN").needed(),
                                    part("DomainController", MACHINE),
                                    empty("NoWindowsAutoUpdate")))
                    .needed(),
            part(
                            "Database",
                            section(
                                    choice("DBOption", "LocalDB", "NewRemoteDB", "ExistingDB")
                                            .needed(),
                                    text("DBVersion"),
                                    part("DBServer", MACHINE)))
                    .needed(),
            part(
                            "HeadNode",
                            section(
                                    text("VMName").needed(),
                                    text("ServiceName").needed(),
                                    text("VMSize").needed(),
                                    empty("EnableRESTAPI"),
                                    empty("EnableWebPortal"),
                                    text("PostConfigScript")))
                    .needed(),
            part(
                    "Certificates",
                    section(part(
                                    "Certificate",
                                    section(
                                            count("Id").needed(),
                                            text("PfxFile").needed(),
                                            text("Password")))
                            .often())),
            part("ComputeNodes", NODES).often(),
            part("LinuxComputeNodes", NODES).often(),
            part("BrokerNodes", NODES).often(),
            part("AutoGrowShrink", section(count("CertificateId").needed())),
            part("AzureBurst", section(part("AzureNodeTemplate", AZURE_TEMPLATE).often())));

    private final List<Item> items;

    private IaasSchema(List<Item> items) {
        this.items = items;
    }

    List<Item> items() {
        return items;
    }

    Optional<Item> item(String name) {
        return items.stream().filter(item -> item.name.equals(name)).findFirst();
    }

    /** The element with its children in the published order, and theirs; unknown ones keep their predecessor. */
    public XmlElement sorted(XmlElement element) {
        List<Ranked> ranked = new ArrayList<>();
        int rank = -1;
        for (XmlNode child : element.children()) {
            if (child instanceof XmlElement inner) {
                Optional<Item> item = item(inner.name());
                rank = item.map(items::indexOf).orElse(rank);
                IaasSchema section = item.map(Item::section).orElse(null);
                ranked.add(new Ranked(rank, section == null ? inner : section.sorted(inner)));
            } else {
                ranked.add(new Ranked(rankOfNext(element, child, rank), child));
            }
        }
        ranked.sort(Comparator.comparingInt(Ranked::rank));
        return element.children(ranked.stream().map(Ranked::node).toList());
    }

    /** A comment belongs to the element that it stands before. */
    private int rankOfNext(XmlElement element, XmlNode aside, int otherwise) {
        boolean passed = false;
        for (XmlNode child : element.children()) {
            passed |= child == aside;
            if (passed && child instanceof XmlElement next) {
                return item(next.name()).map(items::indexOf).orElse(otherwise);
            }
        }
        return otherwise;
    }

    private static IaasSchema section(Item... items) {
        return new IaasSchema(List.of(items));
    }

    private static Item text(String name) {
        return new Item(name, Kind.TEXT, false, false, List.of(), null);
    }

    private static Item count(String name) {
        return new Item(name, Kind.COUNT, false, false, List.of(), null);
    }

    private static Item empty(String name) {
        return new Item(name, Kind.EMPTY, false, false, List.of(), null);
    }

    private static Item choice(String name, String... choices) {
        return new Item(name, Kind.CHOICE, false, false, List.of(choices), null);
    }

    private static Item part(String name, IaasSchema section) {
        return new Item(name, Kind.SECTION, false, false, List.of(), section);
    }

    /** The content of a child. */
    enum Kind {
        TEXT,
        COUNT,
        EMPTY,
        CHOICE,
        SECTION
    }

    /** A child that is known. */
    record Item(
            String name,
            Kind kind,
            boolean required,
            boolean repeats,
            List<String> choices,
            @Nullable IaasSchema section) {
        private Item needed() {
            return new Item(name, kind, true, repeats, choices, section);
        }

        private Item often() {
            return new Item(name, kind, required, true, choices, section);
        }
    }

    private record Ranked(int rank, XmlNode node) {}
}
