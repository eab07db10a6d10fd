package io.clusterwright.azure.emulator.internal.batch;

import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.missing;
import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.refuse;
import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Refuses pools as Batch does, by the descriptions of their properties. */
final class BatchRules {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern SUBNET = Pattern.compile(
            "(?i)/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+");
    private static final Pattern ENDPOINT = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]{0,75}[A-Za-z0-9_])?");
    static final Pattern OUTSIDE = Pattern.compile("/.*|(.*/)?\\.\\.(/.*)?");
    private static final List<String> SECRETS = List.of("accountKey", "sasKey", "password");
    private static final List<String> KEYS = List.of("accountKey", "sasKey", "identityReference");
    private static final List<String> OF_MARKETPLACE = List.of("publisher", "offer", "sku");
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
    private static final Duration WEEK = Duration.ofHours(168);
    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_USER = 20;
    private static final int MOST_PACKAGES = 10;
    private static final int MOST_ENDPOINTS = 5;
    private static final int LEAST_PORTS = 40;
    static final int MOST_SLOTS = 256;
    private static final int LAST_PORT = 65_535;

    private BatchRules() {}

    static void pool(ObjectNode pool) {
        id(pool);
        String size = Bodies.text(pool, "vmSize");
        int cores = size.isEmpty()
                ? 0
                : VmSizes.standard()
                        .find(VmSize.of(size))
                        .map(VmSizeFacts::vcpus)
                        .orElse(0);
        refuse(cores == 0, "size", size);
        machines(pool);
        int most = Math.min(4 * cores, MOST_SLOTS);
        within(pool, "taskSlotsPerNode", 1, most);
        within(pool, "maxTasksPerNode", 1, most);
        scale(pool);
        network(pool.path("networkConfiguration"));
        Set<String> names = new HashSet<>();
        Bodies.objects(pool, "userAccounts").forEach(account -> account(account, names));
        Set<String> folders = new HashSet<>();
        Bodies.objects(pool, "mountConfiguration").forEach(mount -> mount(mount, folders));
        int packages = pool.path("applicationPackageReferences").size();
        refuse(packages > MOST_PACKAGES, "packages", packages);
        if (pool.path("startTask").isObject()) {
            BatchJobRules.work(pool.path("startTask"), "startTask.");
        }
        metadata(pool);
    }

    static void id(ObjectNode body) {
        String id = Bodies.text(body, "id");
        refuse(!ID.matcher(id).matches(), "id", id);
        int length = Bodies.text(body, "displayName").length();
        refuse(length > LONGEST_NAME, "displayName", length + " characters");
    }

    private static void machines(ObjectNode pool) {
        refuse(pool.has("cloudServiceConfiguration"), "cloudService", "");
        JsonNode machine = pool.path("virtualMachineConfiguration");
        if (!machine.isObject()) {
            throw missing("virtualMachineConfiguration");
        }
        JsonNode image = machine.path("imageReference");
        boolean marketplace = OF_MARKETPLACE.stream().anyMatch(image::has);
        refuse(image.has("virtualMachineImageId") == marketplace, "image", image);
        if (marketplace) {
            agent(machine, image);
        }
        refuse(machine.has("windowsConfiguration"), "windows", "");
        Set<Integer> units = new HashSet<>();
        for (ObjectNode disk : Bodies.objects(machine, "dataDisks")) {
            within(disk, "lun", 0, 63);
            refuse(!units.add(disk.path("lun").asInt()), "lun", disk.path("lun"));
        }
    }

    private static void agent(JsonNode machine, JsonNode image) {
        String agent = Bodies.text(machine, "nodeAgentSKUId");
        List<ObjectNode> known = BatchServer.images().stream()
                .filter(each -> Bodies.text(each, "nodeAgentSKUId").equals(agent))
                .toList();
        ArmException.refuse(known.isEmpty(), "NodeAgentSKUNotFound");
        boolean fits = known.stream()
                .map(each -> each.path("imageReference"))
                .anyMatch(each -> OF_MARKETPLACE.stream()
                        .allMatch(part -> Bodies.text(each, part).equalsIgnoreCase(Bodies.text(image, part))));
        refuse(!fits, "agentImage", image);
        ArmException.refuse(
                Bodies.text(known.get(0), "osType").equals("windows"),
                "NotImplemented.action",
                "create",
                "pools of Windows nodes");
    }

    /** The number of nodes: fixed, or by a formula. */
    private static void scale(ObjectNode pool) {
        boolean targets = pool.has("targetDedicatedNodes") || pool.has("targetLowPriorityNodes");
        targets(pool);
        if (pool.path("enableAutoScale").asBoolean()) {
            refuse(targets, "autoScale", pool.path("targetDedicatedNodes"));
            formula(pool);
        } else {
            if (!targets) {
                throw missing("targetDedicatedNodes and/or targetLowPriorityNodes");
            }
            refuse(pool.has("autoScaleFormula"), "autoScaleOff", Bodies.text(pool, "autoScaleFormula"));
            String interval = Bodies.text(pool, "autoScaleEvaluationInterval");
            refuse(pool.has("autoScaleEvaluationInterval"), "autoScaleOffInterval", interval);
        }
    }

    /** The numbers of nodes that a pool gets, and the time for a resize to them. */
    static void targets(ObjectNode body) {
        within(body, "targetDedicatedNodes", 0, Integer.MAX_VALUE);
        within(body, "targetLowPriorityNodes", 0, Integer.MAX_VALUE);
        BatchRefusals.duration(body, "resizeTimeout", FIVE_MINUTES, WEEK);
    }

    /** A formula, which must be there and be one. */
    static void formula(ObjectNode body) {
        String formula = Bodies.text(body, "autoScaleFormula");
        if (formula.isBlank()) {
            throw missing("autoScaleFormula");
        }
        BatchFormula.evaluate(formula, name -> 0);
        BatchRefusals.duration(body, "autoScaleEvaluationInterval", FIVE_MINUTES, WEEK);
    }

    private static void network(JsonNode network) {
        String subnet = Bodies.text(network, "subnetId");
        refuse(network.has("subnetId") && !SUBNET.matcher(subnet).matches(), "subnet", subnet);
        List<ObjectNode> endpoints = Bodies.objects(network, "endpointConfiguration.inboundNATPools");
        refuse(endpoints.size() > MOST_ENDPOINTS, "endpoints", endpoints.size());
        boolean closed =
                Bodies.text(network, "publicIPAddressConfiguration.provision").equalsIgnoreCase("nopublicipaddresses");
        refuse(closed && !endpoints.isEmpty(), "closedPool", endpoints.size());
        if (closed && subnet.isEmpty()) {
            throw missing("subnetId");
        }
        List<int[]> taken = new ArrayList<>();
        Set<String> names = new HashSet<>();
        endpoints.forEach(endpoint -> endpoint(endpoint, taken, names));
    }

    private static void endpoint(ObjectNode endpoint, List<int[]> taken, Set<String> names) {
        String name = Bodies.text(endpoint, "name");
        refuse(!ENDPOINT.matcher(name).matches() || !names.add(name), "endpointName", name);
        within(endpoint, "backendPort", 1, LAST_PORT);
        int port = endpoint.path("backendPort").asInt();
        refuse(BatchRefusals.isIn(port, 29_876, 29_877), "backendPort", port);
        within(endpoint, "frontendPortRangeStart", 1, LAST_PORT - 1);
        within(endpoint, "frontendPortRangeEnd", 1, LAST_PORT - 1);
        int first = endpoint.path("frontendPortRangeStart").asInt();
        int last = endpoint.path("frontendPortRangeEnd").asInt();
        refuse(last - first + 1 < LEAST_PORTS, "portRange", last);
        refuse(first <= 55_000 && last >= 50_000, "portsReserved", first);
        boolean overlaps = taken.stream().anyMatch(range -> first <= range[1] && last >= range[0]);
        refuse(overlaps, "portsTwice", first);
        taken.add(new int[] {first, last});
    }

    private static void account(ObjectNode account, Set<String> names) {
        String name = Bodies.text(account, "name");
        refuse(name.isEmpty() || name.length() > LONGEST_USER || !names.add(name), "accountName", name);
        refuse(account.has("windowsUserConfiguration"), "windowsUser", name);
        JsonNode linux = account.path("linuxUserConfiguration");
        refuse(linux.has("uid") != linux.has("gid"), "uid", name);
    }

    private static void mount(ObjectNode mount, Set<String> taken) {
        List<String> kinds = new ArrayList<>();
        mount.fieldNames().forEachRemaining(kinds::add);
        refuse(kinds.size() != 1, "mountKind", kinds);
        String kind = kinds.get(0);
        JsonNode one = mount.path(kind);
        String folder = Bodies.text(one, "relativeMountPath");
        refuse(folder.isBlank() || OUTSIDE.matcher(folder).matches() || !taken.add(folder), "mountPath", folder);
        long keys = KEYS.stream().filter(one::has).count();
        refuse(kind.startsWith("azureBlob") && keys != 1, "blobKeys", keys);
        String files = Bodies.text(one, "azureFileUrl");
        String start = "https://" + Bodies.text(one, "accountName") + ".file.";
        boolean elsewhere = !files.toLowerCase(Locale.ROOT).startsWith(start.toLowerCase(Locale.ROOT));
        refuse(kind.startsWith("azureFile") && elsewhere, "fileUrl", files);
    }

    static void metadata(ObjectNode body) {
        ArmException.refuse(
                Bodies.objects(body, "metadata").stream()
                        .anyMatch(item -> Bodies.text(item, "name").isEmpty()),
                "EmptyMetadataKey");
    }

    /** Takes out passwords and keys, which Batch never returns. */
    static void hideSecrets(ObjectNode pool) {
        pool.remove("userAccounts");
        for (ObjectNode mount : Bodies.objects(pool, "mountConfiguration")) {
            mount.forEach(one -> SECRETS.stream().filter(one::has).forEach(name -> ((ObjectNode) one).put(name, "")));
        }
    }
}
