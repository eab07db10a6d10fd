package io.clusterwright.windows.deploy;

import io.clusterwright.windows.internal.xml.XmlElement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Nodes of one kind: for computing on Windows or Linux, or brokers. Immutable. */
public final class IaasNodes extends IaasPart {
    private static final String IMAGE = "ImageName";
    private static final String HPC_PACK_INSTALLED = "HPCPackInstalled";

    IaasNodes(XmlElement element) {
        super(element);
    }

    /** Starts with nothing. */
    public static Builder builder(Kind kind) {
        return new Builder(XmlElement.of(kind.element()));
    }

    /** A builder that holds the same, with what is not known here. */
    public Builder toBuilder() {
        return new Builder(element());
    }

    /** What the nodes are for. */
    public Kind kind() {
        return Kind.of(element().name());
    }

    /** How they are named, such as {@code MyHPCCN-%0001%}: the digits give the width and the first number. */
    public Optional<String> namePattern() {
        return value("VMNamePattern");
    }

    /** The cloud service that all are in. */
    public Optional<String> service() {
        return value("ServiceName");
    }

    /** How several cloud services are named, in the place of one; no MPI job can span two. */
    public Optional<String> servicePattern() {
        return value("ServiceNamePattern");
    }

    /** How many nodes each of several services gets. */
    public OptionalInt mostNodesPerService() {
        return number("MaxNodeCountPerService");
    }

    /** How the storage accounts of several services are named. */
    public Optional<String> storageAccountPattern() {
        return value("StorageAccountNamePattern");
    }

    /** Their size by the classic name, such as {@code A8}. */
    public Optional<String> size() {
        return value("VMSize");
    }

    /** How many there are; 0 is allowed. */
    public OptionalInt count() {
        return number("NodeCount");
    }

    /** Their operating system: {@code WindowsServer2012R2} or {@code WindowsServer2012}. */
    public Optional<String> osVersion() {
        return value("OSVersion");
    }

    /** The image they are made of, in the place of an operating system. */
    public Optional<String> image() {
        return value(IMAGE);
    }

    /** Whether the image contains HPC Pack already. */
    public boolean imageHasHpcPack() {
        return element()
                .element(IMAGE)
                .map(image -> image.attributes().get(HPC_PACK_INSTALLED))
                .filter("true"::equalsIgnoreCase)
                .isPresent();
    }

    /** The affinity group they are in. */
    public Optional<String> affinityGroup() {
        return value("AffinityGroup");
    }

    /** The extensions that each of them gets. */
    public List<IaasExtension> extensions() {
        return element().elements("VMExtensions").stream()
                .flatMap(list -> list.elements("VMExtension").stream())
                .map(IaasExtension::new)
                .toList();
    }

    /** What nodes are for. */
    public enum Kind {
        /** Computing on Windows. */
        COMPUTE("ComputeNodes"),
        /** Computing on Linux. */
        LINUX("LinuxComputeNodes"),
        /** Brokers of sessions. */
        BROKER("BrokerNodes");

        private final String element;

        Kind(String element) {
            this.element = element;
        }

        String element() {
            return element;
        }

        private static Kind of(String element) {
            for (Kind kind : values()) {
                if (kind.element.equals(element)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(element + " holds no nodes");
        }

        /** The element's name, such as {@code ComputeNodes}. */
        @Override
        public String toString() {
            return element;
        }
    }

    /** Collects the parts of an {@link IaasNodes}. */
    public static final class Builder extends IaasPart.Builder<Builder> {
        Builder(XmlElement element) {
            super(element);
        }

        /** Sets {@link IaasNodes#namePattern()}. */
        public Builder namePattern(String namePattern) {
            return set("VMNamePattern", namePattern);
        }

        /** Sets {@link IaasNodes#service()}. */
        public Builder service(String service) {
            return set("ServiceName", service);
        }

        /** Sets {@link IaasNodes#servicePattern()}. */
        public Builder servicePattern(String servicePattern) {
            return set("ServiceNamePattern", servicePattern);
        }

        /** Sets {@link IaasNodes#mostNodesPerService()}. */
        public Builder mostNodesPerService(int mostNodesPerService) {
            return set("MaxNodeCountPerService", Integer.toString(mostNodesPerService));
        }

        /** Sets {@link IaasNodes#storageAccountPattern()}. */
        public Builder storageAccountPattern(String storageAccountPattern) {
            return set("StorageAccountNamePattern", storageAccountPattern);
        }

        /** Sets {@link IaasNodes#size()}. */
        public Builder size(String size) {
            return set("VMSize", size);
        }

        /** Sets {@link IaasNodes#count()}. */
        public Builder count(int count) {
            return set("NodeCount", Integer.toString(count));
        }

        /** Sets {@link IaasNodes#osVersion()}. */
        public Builder osVersion(String osVersion) {
            return set("OSVersion", osVersion);
        }

        /** Sets {@link IaasNodes#image()}, one that has no HPC Pack. */
        public Builder image(String image) {
            return set(IMAGE, image);
        }

        /** Sets {@link IaasNodes#image()}, one that contains HPC Pack. */
        public Builder imageWithHpcPack(String image) {
            return put(IMAGE, List.of(XmlElement.of(IMAGE, image).attribute(HPC_PACK_INSTALLED, "true")));
        }

        /** Sets {@link IaasNodes#affinityGroup()}. */
        public Builder affinityGroup(String affinityGroup) {
            return set("AffinityGroup", affinityGroup);
        }

        /** Replaces {@link IaasNodes#extensions()}. */
        public Builder extensions(List<IaasExtension> extensions) {
            XmlElement list = XmlElement.of("VMExtensions")
                    .children(extensions.stream().map(IaasPart::element).toList());
            return put("VMExtensions", extensions.isEmpty() ? List.of() : List.of(list));
        }

        /** The part. */
        public IaasNodes build() {
            return new IaasNodes(element());
        }
    }
}
