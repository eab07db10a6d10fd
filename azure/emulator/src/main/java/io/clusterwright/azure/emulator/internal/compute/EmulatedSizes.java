package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.ResourceBody;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.catalog.Architecture;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The sizes a region offers, as the catalog knows them. */
final class EmulatedSizes {
    private static final Pattern LOCATION = Pattern.compile("location eq '([^']+)'");
    /** The region that has no RDMA-capable sizes. */
    private static final String PLAIN_REGION = "brazilsouth";

    private static final Map<String, Limits> LIMITS = TextResource.read(
                    EmulatedSizes.class.getResourceAsStream("size-limits.txt"), "size-limits.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.split(" "))
            .collect(Collectors.toMap(
                    row -> row[0],
                    row -> new Limits(Integer.parseInt(row[1]), Integer.parseInt(row[2]), row[3].equals("yes"))));

    private final Cloud cloud;
    private final List<VmSizeFacts> offered;

    /** The most data disks and network interfaces that a machine of a size has, and whether its system's disk can be ephemeral. */
    record Limits(int dataDisks, int interfaces, boolean ephemeral) {}

    EmulatedSizes(Cloud cloud) {
        this.cloud = cloud;
        this.offered = VmSizes.standard().all().stream()
                .filter(size -> cloud.settings().retiredSizes() || size.status() != VmSizeFacts.Status.RETIRED)
                .toList();
    }

    List<VmSizeFacts> in(String region) {
        return offered.stream()
                .filter(size -> !region.equals(PLAIN_REGION) || size.interconnect() == Interconnect.NONE)
                .toList();
    }

    /** Facts of a size, offered or not. */
    static Optional<VmSizeFacts> known(String name) {
        return VmSizes.standard().all().stream()
                .filter(size -> size.size().toString().equalsIgnoreCase(name))
                .findFirst();
    }

    /** The limits of a size of the catalog. */
    static Limits limits(VmSizeFacts size) {
        return Objects.requireNonNull(LIMITS.get(size.size().toString()), () -> "no limits of " + size);
    }

    /** The name of the size of a machine or of a scale set. */
    static String name(ResourceBody machine) {
        return machine.text(
                machine.id().isOfType(ResourceType.SCALE_SETS) ? "sku.name" : "properties.hardwareProfile.vmSize");
    }

    /** The size of a machine or of a scale set, which can be had in its region. */
    VmSizeFacts of(Draft machine) {
        String name = name(machine);
        String region = machine.region();
        refuseMissing(name.isEmpty(), "vmSize");
        VmSizeFacts facts = known(name)
                .orElseThrow(() -> ArmException.of(
                        "InvalidParameter.vmSize",
                        name,
                        in(region).stream().map(size -> size.size().toString()).collect(Collectors.joining(","))));
        refuse(!in(region).contains(facts) || isRestricted(facts), "SkuNotAvailable", name, region);
        return facts;
    }

    Reply skus(Call call) {
        Matcher matcher = LOCATION.matcher(call.parameter("filter").orElse(""));
        Optional<String> only = matcher.find()
                ? Optional.of(matcher.group(1).replace(" ", "").toLowerCase(Locale.ROOT))
                : Optional.empty();
        List<ObjectNode> skus = new ArrayList<>();
        for (String region : cloud.settings().regions().keySet()) {
            if (only.map(region::equals).orElse(true)) {
                in(region).forEach(size -> skus.add(sku(size, region)));
            }
        }
        return Pages.of(call, cloud, skus);
    }

    ObjectNode list(String region) {
        ObjectNode body = Json.object();
        ArrayNode value = body.putArray("value");
        in(region)
                .forEach(size -> value.addObject()
                        .put("name", size.size().toString())
                        .put("numberOfCores", size.vcpus())
                        .put("osDiskSizeInMB", 1_047_552)
                        .put("resourceDiskSizeInMB", 0)
                        .put("memoryInMB", Math.round(size.memoryGib() * 1024))
                        .put("maxDataDiskCount", limits(size).dataDisks()));
        return body;
    }

    private boolean isRestricted(VmSizeFacts size) {
        return cloud.settings()
                .restrictedSizes()
                .contains(size.size().toString().toLowerCase(Locale.ROOT));
    }

    private ObjectNode sku(VmSizeFacts size, String region) {
        String name = size.size().toString();
        ObjectNode sku = Json.object()
                .put("resourceType", "virtualMachines")
                .put("name", name)
                .put("tier", "Standard")
                .put("size", name.replaceFirst("^Standard_", ""))
                .put("family", family(size));
        sku.putArray("locations").add(region);
        ObjectNode info = sku.putArray("locationInfo").addObject().put("location", region);
        info.putArray("zones").add("1").add("2").add("3");
        info.putArray("zoneDetails");
        Limits limits = limits(size);
        boolean arm = size.architecture() == Architecture.ARM64;
        ArrayNode capabilities = sku.putArray("capabilities");
        capability(capabilities, "MaxResourceVolumeMB", "0");
        capability(capabilities, "vCPUs", size.billedCores());
        capability(capabilities, "vCPUsAvailable", size.vcpus());
        capability(capabilities, "MemoryGB", plain(size.memoryGib()));
        capability(capabilities, "HyperVGenerations", generations(size));
        capability(capabilities, "CpuArchitectureType", arm ? "Arm64" : "x64");
        capability(capabilities, "AcceleratedNetworkingEnabled", size.interconnect() != Interconnect.NETWORK_DIRECT);
        capability(capabilities, "RdmaEnabled", size.interconnect() != Interconnect.NONE);
        capability(capabilities, "LowPriorityCapable", true);
        capability(capabilities, "MaxNetworkInterfaces", limits.interfaces());
        capability(capabilities, "EphemeralOSDiskSupported", limits.ephemeral());
        capability(capabilities, "MaxDataDiskCount", limits.dataDisks());
        if (size.isConstrained()) {
            parent(size).ifPresent(parent -> capability(capabilities, "ParentSize", parent));
        }
        ArrayNode restrictions = sku.putArray("restrictions");
        if (isRestricted(size)) {
            ObjectNode restriction =
                    restrictions.addObject().put("type", "Location").put("reasonCode", "NotAvailableForSubscription");
            restriction.putArray("values").add(region);
            restriction.putObject("restrictionInfo").putArray("locations").add(region);
        }
        return sku;
    }

    private static Optional<String> parent(VmSizeFacts size) {
        return VmSizes.standard().all().stream()
                .filter(other -> !other.isConstrained()
                        && family(other).equals(family(size))
                        && other.vcpus() == size.billedCores())
                .map(other -> other.size().toString())
                .findFirst();
    }

    static String family(VmSizeFacts size) {
        return size.quotaFamily().orElse(generalFamily(size.size().toString()));
    }

    /** {@code Standard_D8s_v5} is of {@code standardDSv5Family}. */
    private static String generalFamily(String name) {
        Matcher matcher =
                Pattern.compile("Standard_([A-Z]+)\\d+([a-z]*)(?:_(v\\d+))?").matcher(name);
        return matcher.matches()
                ? "standard" + matcher.group(1) + matcher.group(2).toUpperCase(Locale.ROOT)
                        + (matcher.group(3) == null ? "" : matcher.group(3)) + "Family"
                : "standardFamily";
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static String generations(VmSizeFacts size) {
        return size.isGeneration2Only() ? "V2" : size.isGeneration1Only() ? "V1" : "V1,V2";
    }

    private static void capability(ArrayNode capabilities, String name, Object value) {
        String text = value instanceof Boolean ? Boolean.TRUE.equals(value) ? "True" : "False" : value.toString();
        capabilities.addObject().put("name", name).put("value", text);
    }
}
