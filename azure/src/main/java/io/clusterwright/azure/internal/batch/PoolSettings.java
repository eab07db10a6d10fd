package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The settings of a pool that no spec of a cluster has, as properties of the request that makes it. */
public final class PoolSettings {
    private static final Pattern FOLDER = Pattern.compile("(?!.*(^|/)\\.\\.?(/|$))[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*");
    private static final Pattern NFS = Pattern.compile("[A-Za-z0-9.-]+:/\\S*");
    private static final Pattern STORAGE = Pattern.compile(
            "https://(?<account>[a-z0-9]{3,24})\\.(?<kind>file|blob)\\.[a-z0-9.]+/(?<name>[a-z0-9-]{3,63})/?");
    private static final Pattern TARGET = Pattern.compile("\\$Target(Dedicated|LowPriority)(Nodes)?\\s*=(?!=)");
    private static final Duration SHORTEST = Duration.ofMinutes(5);
    private static final Duration LONGEST = Duration.ofHours(168);

    private PoolSettings() {}

    /** Puts settings into the request for a pool. A formula takes the place of the number of nodes. */
    public static void apply(ObjectNode settings, ObjectNode pool) {
        if (settings.has("enableAutoScale")) {
            pool.remove(List.of("targetDedicatedNodes", "targetLowPriorityNodes"));
        }
        pool.setAll(settings.deepCopy());
    }

    public static void subnet(ObjectNode settings, String id) {
        settings.putObject("networkConfiguration").put("subnetId", id);
    }

    public static void files(ObjectNode settings, URI share, Secret key, String folder, String options) {
        Matcher storage = storage("share of Azure Files", share, "file", "share");
        ObjectNode mount = mount(settings, folder).putObject("azureFileShareConfiguration");
        mount.put("accountName", storage.group("account"))
                .put("azureFileUrl", share.toString())
                .put("accountKey", key.reveal())
                .put("relativeMountPath", folder);
        option(mount, "mountOptions", options);
    }

    public static void blobs(ObjectNode settings, URI container, Secret key, String folder, String options) {
        Matcher storage = storage("container of Azure Blob Storage", container, "blob", "container");
        ObjectNode mount = mount(settings, folder).putObject("azureBlobFileSystemConfiguration");
        mount.put("accountName", storage.group("account"))
                .put("containerName", storage.group("name"))
                .put("accountKey", key.reveal())
                .put("relativeMountPath", folder);
        option(mount, "blobfuseOptions", options);
    }

    public static void nfs(ObjectNode settings, String source, String folder, String options) {
        if (!NFS.matcher(source).matches()) {
            throw new InvalidValueException("NFS export", source, "server:/path", "10.32.8.4:/export/cases");
        }
        ObjectNode mount = mount(settings, folder).putObject("nfsMountConfiguration");
        mount.put("source", source).put("relativeMountPath", folder);
        option(mount, "mountOptions", options);
    }

    private static Matcher storage(String what, URI address, String kind, String name) {
        Matcher storage = STORAGE.matcher(address.toString());
        if (!storage.matches() || !storage.group("kind").equals(kind)) {
            String form = "." + kind + ".core.windows.net/";
            throw new InvalidValueException(
                    what,
                    address,
                    "https://ACCOUNT" + form + name.toUpperCase(Locale.ROOT),
                    "https://account" + form + name);
        }
        return storage;
    }

    private static ObjectNode mount(ObjectNode settings, String folder) {
        if (!FOLDER.matcher(folder).matches()) {
            throw new InvalidValueException("mount folder", folder, "a relative path without '..'", "cases");
        }
        for (JsonNode mount : settings.path("mountConfiguration")) {
            for (JsonNode kind : mount) {
                if (kind.path("relativeMountPath").asText().equals(folder)) {
                    throw InvalidValueException.of(
                            "the pool mounts " + source(kind) + " in folder " + folder + " already",
                            "use another folder (example: " + folder + "2)");
                }
            }
        }
        return settings.withArray("/mountConfiguration").addObject();
    }

    private static String source(JsonNode mount) {
        return Stream.of("source", "azureFileUrl", "containerName")
                .map(name -> mount.path(name).asText())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("another mount");
    }

    private static void option(ObjectNode mount, String name, String value) {
        if (!value.isBlank()) {
            mount.put(name, value);
        }
    }

    public static void autoScale(ObjectNode settings, String formula, Duration interval) {
        if (!TARGET.matcher(formula).find()) {
            throw new InvalidValueException(
                    "pool formula",
                    formula,
                    "a formula that sets $TargetDedicatedNodes or $TargetLowPriorityNodes",
                    "$TargetDedicatedNodes = min(16, 4 * avg($PendingTasks.GetSample(1)));");
        }
        if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
            throw new InvalidValueException("evaluation interval", interval, "PT5M to PT168H", "PT15M");
        }
        settings.put("enableAutoScale", true)
                .put("autoScaleFormula", formula)
                .put("autoScaleEvaluationInterval", interval.toString());
    }
}
