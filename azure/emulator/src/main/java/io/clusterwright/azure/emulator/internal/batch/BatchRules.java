package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.BodyCheck;
import io.clusterwright.azure.emulator.internal.arm.Versions;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.emulator.internal.http.Call;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Refuses requests as Batch does, by the descriptions of its properties. */
final class BatchRules {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern SUBNET = Pattern.compile(
            "(?i)/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+");
    private static final Pattern ENDPOINT = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]{0,75}[A-Za-z0-9_])?");
    static final Pattern OUTSIDE = Pattern.compile("/.*|(.*/)?\\.\\.(/.*)?");
    private static final Set<String> PARAMETERS = Set.of(
            "api-version",
            "timeout",
            "timeOut",
            "maxresults",
            "select",
            "filter",
            "expand",
            "skiptoken",
            "recursive",
            "force");
    private static final List<String> SECRETS = List.of("accountKey", "sasKey", "password");
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
    private static final Duration WEEK = Duration.ofHours(168);
    private static final int LONGEST_NAME = 1024;
    private static final int LONGEST_USER = 20;
    private static final int MOST_PACKAGES = 10;
    private static final int MOST_ENDPOINTS = 5;
    private static final int LEAST_PORTS = 40;
    static final int MOST_SLOTS = 256;
    private static final int MOST_RESULTS = 1000;
    private static final int MOST_LUN = 63;
    private static final int LAST_PORT = 65_535;

    private BatchRules() {}

    /** The version of the API, and the other parameters of the request. */
    static void query(Call call) {
        String version = call.query("api-version");
        if (version.isEmpty()) {
            throw ArmException.of("MissingRequiredQueryParameter")
                    .because(List.of(ArmException.fact("QueryParameterName", "api-version")));
        }
        if (!Versions.of("Batch/PoolAddParameter").contains(version)) {
            throw query("api-version", version, "The specified api version is not supported");
        }
        call.query().keySet().stream()
                .filter(name -> !PARAMETERS.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw ArmException.of("UnsupportedQueryParameter")
                            .because(List.of(ArmException.fact("QueryParameterName", name)));
                });
        String most = call.query("maxresults");
        if (!most.isEmpty() && (!most.matches("\\d{1,4}") || !isIn(Integer.parseInt(most), 1, MOST_RESULTS))) {
            throw query("maxresults", most, "It must be between 1 and " + MOST_RESULTS);
        }
    }

    static ArmException query(String name, String value, String reason) {
        return ArmException.of("InvalidQueryParameterValue")
                .because(List.of(
                        ArmException.fact("QueryParameterName", name),
                        ArmException.fact("QueryParameterValue", value),
                        ArmException.fact("Reason", reason)));
    }

    /** The body of a request, as its description has it in the version of the request. */
    static ObjectNode body(Call call, String type) {
        ObjectNode body = call.object();
        BodyCheck.run("Batch/" + type + "Parameter", call.query("api-version"), body, true);
        return body;
    }

    static ArmException invalid(String property, Object value, String reason) {
        return ArmException.of("InvalidPropertyValue")
                .because(List.of(
                        ArmException.fact("PropertyName", property),
                        ArmException.fact("PropertyValue", value),
                        ArmException.fact("Reason", reason)));
    }

    static ArmException missing(String property) {
        return ArmException.of("MissingRequiredProperty").because(List.of(ArmException.fact("PropertyName", property)));
    }

    static void pool(ObjectNode pool) {
        id(pool);
        String size = Bodies.text(pool, "vmSize");
        VmSizeFacts facts =
                size.isEmpty() ? null : VmSizes.standard().find(VmSize.of(size)).orElse(null);
        if (facts == null) {
            throw invalid("vmSize", size, "The specified vmSize is not supported");
        }
        machines(pool);
        int most = Math.min(4 * facts.vcpus(), MOST_SLOTS);
        within(pool, "taskSlotsPerNode", 1, most);
        within(pool, "maxTasksPerNode", 1, most);
        scale(pool);
        network(pool);
        accounts(pool);
        Set<String> mounts = new HashSet<>();
        Bodies.objects(pool, "mountConfiguration").forEach(mount -> mount(mount, mounts));
        if (pool.path("applicationPackageReferences").size() > MOST_PACKAGES) {
            throw invalid(
                    "applicationPackageReferences",
                    pool.path("applicationPackageReferences").size(),
                    "There is a maximum of 10 Package references on any given Pool");
        }
        if (pool.path("startTask").isObject()) {
            BatchJobRules.work(pool.path("startTask"), "startTask.");
        }
        metadata(pool);
    }

    static void id(ObjectNode body) {
        String id = Bodies.text(body, "id");
        if (!ID.matcher(id).matches()) {
            throw invalid(
                    "id",
                    id,
                    "It can contain any combination of alphanumeric characters including hyphens and underscores, and cannot"
                            + " contain more than 64 characters");
        }
        String name = Bodies.text(body, "displayName");
        if (name.length() > LONGEST_NAME) {
            throw invalid("displayName", name.length() + " characters", "The maximum length is " + LONGEST_NAME);
        }
    }

    private static void machines(ObjectNode pool) {
        if (pool.has("cloudServiceConfiguration")) {
            throw invalid(
                    "cloudServiceConfiguration",
                    "",
                    "Pools of cloud services were retired; use virtualMachineConfiguration");
        }
        JsonNode machine = pool.path("virtualMachineConfiguration");
        if (!machine.isObject()) {
            throw missing("virtualMachineConfiguration");
        }
        JsonNode image = machine.path("imageReference");
        boolean own = image.has("virtualMachineImageId");
        boolean marketplace = image.has("publisher") || image.has("offer") || image.has("sku");
        if (own == marketplace) {
            throw invalid(
                    "imageReference",
                    image,
                    "virtualMachineImageId is mutually exclusive with publisher, offer and sku");
        }
        if (marketplace) {
            agent(machine, image);
        }
        if (machine.has("windowsConfiguration")) {
            throw invalid("windowsConfiguration", "", "It must not be specified for a Linux image");
        }
        Set<Integer> units = new HashSet<>();
        for (ObjectNode disk : Bodies.objects(machine, "dataDisks")) {
            within(disk, "lun", 0, MOST_LUN);
            if (!units.add(disk.path("lun").asInt())) {
                throw invalid("lun", disk.path("lun"), "Each disk should have a distinct logical unit number");
            }
        }
    }

    private static void agent(JsonNode machine, JsonNode image) {
        String agent = Bodies.text(machine, "nodeAgentSKUId");
        List<ObjectNode> known = BatchServer.images().stream()
                .filter(each -> Bodies.text(each, "nodeAgentSKUId").equals(agent))
                .toList();
        if (known.isEmpty()) {
            throw ArmException.of("NodeAgentSKUNotFound");
        }
        boolean fits = known.stream()
                .map(each -> each.path("imageReference"))
                .anyMatch(each -> List.of("publisher", "offer", "sku").stream()
                        .allMatch(part -> Bodies.text(each, part).equalsIgnoreCase(Bodies.text(image, part))));
        if (!fits) {
            throw invalid(
                    "imageReference",
                    image,
                    "The specified imageReference with publisher, offer and sku is not supported by the node agent SKU "
                            + agent);
        }
        if (Bodies.text(known.get(0), "osType").equals("windows")) {
            throw ArmException.of("NotImplemented.action", "create", "pools of Windows nodes");
        }
    }

    /** The number of nodes: fixed, or by a formula. */
    private static void scale(ObjectNode pool) {
        boolean targets = pool.has("targetDedicatedNodes") || pool.has("targetLowPriorityNodes");
        negative(pool);
        if (pool.path("enableAutoScale").asBoolean()) {
            if (targets) {
                throw invalid(
                        "targetDedicatedNodes",
                        pool.path("targetDedicatedNodes"),
                        "It must not be specified if enableAutoScale is set to true");
            }
            formula(pool);
        } else {
            if (!targets) {
                throw missing("targetDedicatedNodes and/or targetLowPriorityNodes");
            }
            for (String name : List.of("autoScaleFormula", "autoScaleEvaluationInterval")) {
                if (pool.has(name)) {
                    throw invalid(
                            name,
                            pool.path(name).asText(),
                            "It must not be specified if enableAutoScale is set to false");
                }
            }
        }
        duration(pool, "resizeTimeout", FIVE_MINUTES, WEEK);
    }

    static void negative(ObjectNode body) {
        within(body, "targetDedicatedNodes", 0, Integer.MAX_VALUE);
        within(body, "targetLowPriorityNodes", 0, Integer.MAX_VALUE);
    }

    /** A formula, which must be there and be one. */
    static void formula(ObjectNode body) {
        String formula = Bodies.text(body, "autoScaleFormula");
        if (formula.isBlank()) {
            throw missing("autoScaleFormula");
        }
        new BatchFormula(formula).evaluate(name -> 0);
        duration(body, "autoScaleEvaluationInterval", FIVE_MINUTES, WEEK);
    }

    private static void network(ObjectNode pool) {
        JsonNode network = pool.path("networkConfiguration");
        String subnet = Bodies.text(network, "subnetId");
        if (network.has("subnetId") && !SUBNET.matcher(subnet).matches()) {
            throw invalid(
                    "subnetId",
                    subnet,
                    "It is of the form /subscriptions/{subscription}/resourceGroups/{group}/providers/{provider}"
                            + "/virtualNetworks/{network}/subnets/{subnet}");
        }
        List<ObjectNode> endpoints = Bodies.objects(network, "endpointConfiguration.inboundNATPools");
        if (endpoints.size() > MOST_ENDPOINTS) {
            throw invalid(
                    "inboundNATPools", endpoints.size(), "The maximum number of inbound NAT Pools per Batch Pool is 5");
        }
        boolean closed =
                Bodies.text(network, "publicIPAddressConfiguration.provision").equalsIgnoreCase("nopublicipaddresses");
        if (closed && !endpoints.isEmpty()) {
            throw invalid(
                    "inboundNATPools", endpoints.size(), "It cannot be specified if provision is NoPublicIPAddresses");
        }
        if (closed && subnet.isEmpty()) {
            throw missing("subnetId");
        }
        List<int[]> taken = new ArrayList<>();
        Set<String> names = new HashSet<>();
        endpoints.forEach(endpoint -> endpoint(endpoint, taken, names));
    }

    private static void endpoint(ObjectNode endpoint, List<int[]> taken, Set<String> names) {
        String name = Bodies.text(endpoint, "name");
        if (!ENDPOINT.matcher(name).matches() || !names.add(name)) {
            throw invalid(
                    "name",
                    name,
                    "It must be unique, begin and end with a letter or number, and have at most 77 characters");
        }
        within(endpoint, "backendPort", 1, LAST_PORT);
        int port = endpoint.path("backendPort").asInt();
        if (isIn(port, 29_876, 29_877)) {
            throw invalid("backendPort", port, "29876 and 29877 are reserved");
        }
        within(endpoint, "frontendPortRangeStart", 1, LAST_PORT - 1);
        within(endpoint, "frontendPortRangeEnd", 1, LAST_PORT - 1);
        int first = endpoint.path("frontendPortRangeStart").asInt();
        int last = endpoint.path("frontendPortRangeEnd").asInt();
        if (last - first + 1 < LEAST_PORTS) {
            throw invalid("frontendPortRangeEnd", last, "Each range must contain at least 40 ports");
        }
        if (first <= 55_000 && last >= 50_000) {
            throw invalid("frontendPortRangeStart", first, "Ports from 50000 to 55000 are reserved");
        }
        if (taken.stream().anyMatch(range -> first <= range[1] && last >= range[0])) {
            throw invalid(
                    "frontendPortRangeStart", first, "All ranges within a Pool must be distinct and cannot overlap");
        }
        taken.add(new int[] {first, last});
    }

    private static void accounts(ObjectNode pool) {
        Set<String> names = new HashSet<>();
        for (ObjectNode account : Bodies.objects(pool, "userAccounts")) {
            String name = Bodies.text(account, "name");
            if (name.isEmpty() || name.length() > LONGEST_USER || !names.add(name)) {
                throw invalid("userAccounts.name", name, "Names are unique and have at most 20 characters");
            }
            if (account.has("windowsUserConfiguration")) {
                throw invalid("windowsUserConfiguration", name, "It can only be specified on a Windows Pool");
            }
            JsonNode linux = account.path("linuxUserConfiguration");
            if (linux.has("uid") != linux.has("gid")) {
                throw invalid(
                        "linuxUserConfiguration",
                        name,
                        "The uid and gid properties must be specified together or not at all");
            }
        }
    }

    private static void mount(ObjectNode mount, Set<String> taken) {
        List<String> kinds = new ArrayList<>();
        mount.fieldNames().forEachRemaining(kinds::add);
        if (kinds.size() != 1) {
            throw invalid(
                    "mountConfiguration",
                    kinds,
                    "The kinds of file systems are mutually exclusive, and one must be specified");
        }
        JsonNode one = mount.path(kinds.get(0));
        String folder = Bodies.text(one, "relativeMountPath");
        if (folder.isBlank() || OUTSIDE.matcher(folder).matches() || !taken.add(folder)) {
            throw invalid(
                    "relativeMountPath", folder, "It is a separate relative path below the Batch mounts directory");
        }
        long keys = List.of("accountKey", "sasKey", "identityReference").stream()
                .filter(one::has)
                .count();
        if (kinds.get(0).startsWith("azureBlob") && keys != 1) {
            throw invalid(
                    "accountKey", keys, "Exactly one of accountKey, sasKey and identityReference must be specified");
        }
        String files = Bodies.text(one, "azureFileUrl");
        if (kinds.get(0).startsWith("azureFile")
                && !files.toLowerCase(Locale.ROOT)
                        .startsWith("https://" + Bodies.text(one, "accountName").toLowerCase(Locale.ROOT) + ".file.")) {
            throw invalid("azureFileUrl", files, "It is of the form 'https://{account}.file.core.windows.net/'");
        }
    }

    static void metadata(ObjectNode body) {
        if (Bodies.objects(body, "metadata").stream()
                .anyMatch(item -> Bodies.text(item, "name").isEmpty())) {
            throw ArmException.of("EmptyMetadataKey");
        }
    }

    /** A duration of a body; empty where it has none. */
    static Optional<Duration> duration(JsonNode body, String name, Duration least, Duration most) {
        String text = Bodies.text(body, name);
        if (!body.has(name)) {
            return Optional.empty();
        }
        try {
            Duration duration = Duration.parse(text);
            if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
                return Optional.of(duration);
            }
        } catch (DateTimeException | ArithmeticException e) {
            throw invalid(name, text, "It is no duration");
        }
        throw invalid(name, text, "It must be between " + least + " and " + most);
    }

    static void within(JsonNode body, String name, int least, int most) {
        if (body.has(name) && !isIn(body.path(name).asInt(), least, most)) {
            throw invalid(name, body.path(name), "It must be between " + least + " and " + most);
        }
    }

    private static boolean isIn(int number, int least, int most) {
        return number >= least && number <= most;
    }

    /** Takes out passwords and keys, which Batch never returns. */
    static void hideSecrets(ObjectNode pool) {
        pool.remove("userAccounts");
        for (ObjectNode mount : Bodies.objects(pool, "mountConfiguration")) {
            mount.forEach(one -> SECRETS.stream().filter(one::has).forEach(name -> ((ObjectNode) one).put(name, "")));
        }
    }
}
