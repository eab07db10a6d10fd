package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.Secret;
import java.time.Duration;
import java.util.List;

/**
 * The bodies of requests for a pool, whose nodes talk to each other with an account that trusts itself, and for a multi-instance task.
 * Batch splits command lines by rules that are not written down, so that a script travels as a variable.
 */
public final class BatchBodies {
    static final String SCRIPT = "CLUSTERWRIGHT_SCRIPT";
    private static final String EVALUATE = "/bin/sh -c 'eval \"$" + SCRIPT + "\"'";
    private static final String COORDINATION = "CLUSTERWRIGHT_COORDINATION";
    private static final int LONGEST_NAME = 1024;

    private BatchBodies() {}

    /**
     * The pool.
     *
     * @param id the random id in its metadata
     * @param agent the node agent of the image
     * @param key the key pair by which the pool's account goes from node to node
     * @param password of that account, which Batch demands and is not used
     * @param startScript run on each node as root before it takes tasks; empty for the packages of the spec alone
     */
    public static ObjectNode pool(
            ClusterSpec spec,
            String id,
            Marketplace image,
            String agent,
            SshKeyPair key,
            Secret password,
            String startScript) {
        ObjectNode pool = Json.object()
                .put("id", spec.name().value())
                .put("vmSize", spec.nodes().requireSize().name());
        ObjectNode machine = pool.putObject("virtualMachineConfiguration").put("nodeAgentSKUId", agent);
        machine.set("imageReference", ComputeResources.image(image));
        boolean spot = spec.nodes().spot().enabled();
        pool.put("targetDedicatedNodes", spot ? 0 : spec.nodes().count())
                .put("targetLowPriorityNodes", spot ? spec.nodes().count() : 0)
                .put("enableInterNodeCommunication", true);
        ObjectNode account = pool.putArray("userAccounts")
                .addObject()
                .put("name", spec.mpiUser().value())
                .put("password", password.reveal())
                .put("elevationLevel", "nonadmin");
        account.putObject("linuxUserConfiguration")
                .put("sshPrivateKey", key.privateKey().reveal());
        String script = script(spec.image().customize().packages(), startScript);
        if (!script.isEmpty()) {
            ObjectNode start = pool.putObject("startTask")
                    .put("commandLine", EVALUATE)
                    .put("waitForSuccess", true)
                    .put("maxTaskRetryCount", 0);
            start.putObject("userIdentity")
                    .putObject("autoUser")
                    .put("scope", "pool")
                    .put("elevationLevel", "admin");
            setting(start.putArray("environmentSettings"), SCRIPT, script);
        }
        ArrayNode metadata = pool.putArray("metadata");
        setting(metadata, Tags.CLUSTER, spec.name().value());
        setting(metadata, Tags.ID, id);
        spec.tags().forEach((name, value) -> setting(metadata, name, value));
        return pool;
    }

    /** A value of a pool's metadata; empty where there is none. */
    public static String metadata(JsonNode pool, String name) {
        for (JsonNode item : pool.path("metadata")) {
            if (item.path("name").asText().equals(name)) {
                return item.path("value").asText();
            }
        }
        return "";
    }

    /** Packages of the spec, installed with the package manager of the image, and then the caller's script. */
    static String script(List<String> packages, String own) {
        if (packages.isEmpty()) {
            return own;
        }
        String names = PosixShell.quote(packages);
        return """
                set -e
                if command -v apt-get >/dev/null; then
                    export DEBIAN_FRONTEND=noninteractive
                    apt-get -o DPkg::Lock::Timeout=600 update
                    apt-get -o DPkg::Lock::Timeout=600 install -y %1$s
                elif command -v zypper >/dev/null; then ZYPP_LOCK_TIMEOUT=600 zypper --non-interactive install %1$s
                elif command -v tdnf >/dev/null; then tdnf install -y %1$s
                else dnf install -y %1$s
                fi
                """.formatted(names) + own;
    }

    /** The image of a spec, which must be one of the marketplace. */
    public static Marketplace image(ClusterSpec spec) {
        ImageReference meant = SizeDefaults.baseImage(spec, VmSizes.standard());
        if (meant instanceof Marketplace image) {
            return image;
        }
        throw Errors.of(
                Reason.NOT_FOUND,
                "create a pool of image " + meant,
                "a pool boots marketplace images only; write image: {base: publisher:offer:sku:version}");
    }

    /** The node agent of an image, from the images that Batch supports. */
    public static String agent(Marketplace image, List<JsonNode> supported) {
        return supported.stream()
                .filter(one -> {
                    JsonNode reference = one.path("imageReference");
                    return reference.path("publisher").asText().equalsIgnoreCase(image.publisher())
                            && reference.path("offer").asText().equalsIgnoreCase(image.offer())
                            && reference.path("sku").asText().equalsIgnoreCase(image.sku());
                })
                .map(one -> one.path("nodeAgentSKUId").asText())
                .findFirst()
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "create a pool of image " + image,
                        "Batch has no node agent for it; to list its images, run: az batch pool supported-images list"
                                + " --account-name ACCOUNT --account-endpoint ACCOUNT.REGION.batch.azure.com"));
    }

    /** The job of one task, under the name of its program. */
    static ObjectNode job(String id, String pool, List<String> program) {
        ObjectNode job = Json.object().put("id", id);
        String name = program.get(0).substring(program.get(0).lastIndexOf('/') + 1);
        if (!name.isEmpty()) {
            job.put("displayName", name.substring(0, Math.min(name.length(), LONGEST_NAME)));
        }
        job.putObject("poolInfo").put("poolId", pool);
        return job;
    }

    /**
     * The task.
     *
     * @param user the account of the pool that it runs as
     * @param script what the first node runs when all nodes are coordinated
     * @param coordination what each node runs before, as words; empty for nothing
     * @param files what each node gets before that; files of this machine are sent to their container first
     */
    static ObjectNode task(
            String id,
            String user,
            int instances,
            String script,
            List<String> coordination,
            CommonFiles files,
            Duration limit) {
        ObjectNode task = Json.object().put("id", id).put("commandLine", EVALUATE);
        task.putObject("userIdentity").put("username", user);
        task.putObject("constraints").put("maxWallClockTime", limit.toString()).put("maxTaskRetryCount", 0);
        ArrayNode settings = task.putArray("environmentSettings");
        setting(settings, SCRIPT, script);
        String before = files.placing() + PosixShell.quote(coordination);
        if (!before.isEmpty()) {
            setting(settings, COORDINATION, before);
        }
        ObjectNode many = task.putObject("multiInstanceSettings")
                .put("numberOfInstances", instances)
                .put(
                        "coordinationCommandLine",
                        before.isEmpty() ? "/bin/true" : "/bin/sh -c 'eval \"$" + COORDINATION + "\"'");
        ArrayNode resources = files.resources();
        if (!resources.isEmpty()) {
            many.set("commonResourceFiles", resources);
        }
        return task;
    }

    private static void setting(ArrayNode settings, String name, String value) {
        settings.addObject().put("name", name).put("value", value);
    }
}
