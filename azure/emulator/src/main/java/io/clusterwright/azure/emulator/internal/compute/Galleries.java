package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.emulator.internal.http.Call;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Compute galleries, their image definitions and versions. */
final class Galleries {
    private static final int MOST_REPLICAS = 100;
    private static final Set<String> FEATURES = Set.of(
            "securitytype",
            "isacceleratednetworksupported",
            "diskcontrollertypes",
            "ishibernatesupported",
            "isquickdeployable");
    private static final List<String> SOURCES = List.of(
            "properties.storageProfile.source.virtualMachineId",
            "properties.storageProfile.source.id",
            "properties.publishingProfile.source.managedImage.id");

    private final Cloud cloud;
    private final BackingMachines machines;
    private final StorageProfiles storage;

    Galleries(Cloud cloud, BackingMachines machines) {
        this.cloud = cloud;
        this.machines = machines;
        this.storage = new StorageProfiles(cloud);
    }

    private ResourceType of(String name, Work work) {
        return ResourceType.of(name).takes(work, work, Work.GALLERY).deleteCheck(this::requireEmpty);
    }

    ResourceType type() {
        return of(ResourceType.GALLERIES, Work.GALLERY)
                .rows(
                        MachineRules.name("^[^_\\W][\\w._]{0,79}(?<![-.])$"),
                        Row.onCreate(this::requireOnly),
                        draft -> draft.properties()
                                .putObject("identifier")
                                .put(
                                        "uniqueName",
                                        draft.id().subscription() + "-"
                                                + draft.name().toUpperCase(Locale.ROOT)));
    }

    private void requireOnly(Draft gallery) {
        refuse(
                cloud.store()
                        .ofType(ResourceType.GALLERIES)
                        .anyMatch(other -> other.name().equalsIgnoreCase(gallery.name())),
                "Conflict.galleryName",
                gallery.name(),
                gallery.id().subscription());
    }

    ResourceType images() {
        return of(ResourceType.GALLERY_IMAGES, Work.GALLERY)
                .rows(
                        MachineRules.name(),
                        required("osType", "osType"),
                        required("osState", "osState"),
                        required("identifier.publisher", "identifier"),
                        required("identifier.offer", "identifier"),
                        required("identifier.sku", "identifier"),
                        Row.standard("properties.hyperVGeneration", "V1"),
                        Row.standard("properties.architecture", "x64"),
                        MachineRules.fixed("properties.osType"),
                        MachineRules.fixed("properties.osState"),
                        MachineRules.fixed("properties.hyperVGeneration"),
                        MachineRules.fixed("properties.architecture"),
                        MachineRules.fixed("properties.identifier"),
                        MachineRules.fixed("properties.purchasePlan"),
                        MachineRules.fixed("properties.features"),
                        this::requireIdentifier,
                        Galleries::requireFeatures,
                        Galleries::requireGeneration,
                        draft -> requireLife(draft, "properties.endOfLifeDate"));
    }

    /** Refuses publisher, offer and sku that are no names, or those of another definition of the gallery. */
    private void requireIdentifier(Draft definition) {
        for (String part : List.of("publisher", "offer", "sku")) {
            int most = part.equals("publisher") ? 128 : 64;
            String value = definition.text("properties.identifier." + part);
            if (value.length() > most || !value.matches("[\\w.-]*[\\w-]")) {
                throw ArmException.of("InvalidParameter.assetName", part, most)
                        .at("galleryImage.properties.identifier." + part);
            }
        }
        cloud.store().children(definition.id().parent(), "images").stream()
                .filter(other -> !other.id().key().equals(definition.id().key()))
                .filter(other -> List.of("publisher", "offer", "sku").stream()
                        .allMatch(part -> other.text("properties.identifier." + part)
                                .equalsIgnoreCase(definition.text("properties.identifier." + part))))
                .findFirst()
                .ifPresent(other -> {
                    throw ArmException.of(
                            "Conflict.identifier",
                            other.name(),
                            definition.text("properties.identifier.publisher"),
                            definition.text("properties.identifier.offer"),
                            definition.text("properties.identifier.sku"));
                });
        for (String range : List.of("vCPUs", "memory")) {
            JsonNode limits = definition.at("properties.recommended." + range);
            refuse(
                    limits.path("min").asInt(1) < 1 || limits.path("max").asInt(1) < 1,
                    "InvalidParameter.value",
                    "galleryImage.properties.recommended." + range);
            refuse(
                    limits.has("min")
                            && limits.has("max")
                            && limits.path("min").asInt() > limits.path("max").asInt(),
                    "InvalidParameter.recommended",
                    "galleryImage.properties.recommended." + range);
        }
    }

    private static final Set<String> SECURITY_TYPES = Set.of(
            "standard",
            "trustedlaunch",
            "trustedlaunchsupported",
            "confidentialvm",
            "confidentialvmsupported",
            "trustedlaunchandconfidentialvmsupported");

    /** Refuses a feature that is given twice, and a type of security that is none. */
    private static void requireFeatures(Draft definition) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (ObjectNode feature : definition.objects("properties.features")) {
            boolean security = Bodies.text(feature, "name").equalsIgnoreCase("SecurityType");
            String value = Bodies.text(feature, "value").toLowerCase(Locale.ROOT);
            refuse(
                    !names.add(Bodies.text(feature, "name")) || security && !SECURITY_TYPES.contains(value),
                    "InvalidParameter.value",
                    "galleryImage.properties.features");
        }
    }

    /** Arm64 and Trusted Launch go with generation 2 only. */
    private static void requireGeneration(Draft definition) {
        definition.objects("properties.features").stream()
                .filter(feature ->
                        !FEATURES.contains(Bodies.text(feature, "name").toLowerCase(Locale.ROOT)))
                .findFirst()
                .ifPresent(feature -> {
                    throw ArmException.of("InvalidParameter.value", "galleryImage.properties.features");
                });
        boolean second = definition.text("properties.hyperVGeneration").equals("V2");
        boolean arm = definition.text("properties.architecture").equals("Arm64");
        boolean secure = definition.objects("properties.features").stream()
                .anyMatch(feature -> Bodies.text(feature, "name").equalsIgnoreCase("SecurityType")
                        && !Bodies.text(feature, "value").equalsIgnoreCase("Standard"));
        if (!second && (arm || secure)) {
            throw ArmException.of("InvalidParameter.secondGeneration", arm ? "Arm64" : "SecurityType")
                    .at("galleryImage.properties.hyperVGeneration");
        }
    }

    /** Refuses an end that is past. */
    private static void requireLife(Draft draft, String path) {
        String end = draft.text(path);
        if (end.isEmpty() || end.equals(draft.textBefore(path))) {
            return;
        }
        try {
            String whole = end.contains("T") ? end : end + "T00:00:00Z";
            Instant last = Instant.parse(whole.matches(".*(Z|[+-]\\d\\d:\\d\\d)$") ? whole : whole + "Z");
            refuse(last.isBefore(draft.cloud().clock().now()), "InvalidParameter.endOfLife");
        } catch (DateTimeParseException e) {
            throw ArmException.of(
                    400, "BadRequest", "Could not convert string to DateTimeOffset: " + end + ". Path '" + path + "'");
        }
    }

    private static Row required(String path, String parameter) {
        return Row.required(
                "properties." + path, path.substring(path.indexOf('.') + 1), "galleryImage.properties." + parameter);
    }

    ResourceType versions() {
        return of(ResourceType.GALLERY_VERSIONS, Work.GALLERY_VERSION)
                .rows(
                        Row.fixed(SOURCES.get(0)),
                        MachineRules.fixed(SOURCES.get(1)),
                        MachineRules.fixed(SOURCES.get(2)),
                        this::requireRegions,
                        draft -> requireLife(draft, "properties.publishingProfile.endOfLifeDate"),
                        Row.onCreate(this::checkSource, this::publish))
                .machines((call, version, created) -> created ? capture(version) : ResourceType.NO_MACHINES)
                .view((call, version, body) -> showReplication(call, body));
    }

    /** Refuses regions that are none, that are given twice or with too many replicas, and a list without the region of the version. */
    private void requireRegions(Draft version) {
        String path = "galleryArtifactVersion.properties.publishingProfile.targetRegions";
        int usual = version.number("properties.publishingProfile.replicaCount", 1);
        refuse(usual < 1 || usual > MOST_REPLICAS, "InvalidParameter.range", usual, "replicaCount", 1, MOST_REPLICAS);
        refuse(
                version.before() == null
                        && SOURCES.stream()
                                        .filter(each -> !version.text(each).isEmpty())
                                        .count()
                                > 1,
                "InvalidParameter.value",
                "galleryImageVersion.properties.storageProfile.source");
        List<ObjectNode> targets = version.objects("properties.publishingProfile.targetRegions");
        Set<String> names = new TreeSet<>();
        for (ObjectNode target : targets) {
            String name = Bodies.text(target, "name").replace(" ", "").toLowerCase(Locale.ROOT);
            refuse(
                    !cloud.settings().regions().containsKey(name),
                    "LocationNotAvailableForResourceType",
                    name,
                    version.id().type(),
                    String.join(",", cloud.settings().regions().keySet()));
            if (!names.add(name)) {
                throw ArmException.of("InvalidParameter.regionTwice").at(path);
            }
            int replicas = target.path("regionalReplicaCount").asInt(1);
            refuse(
                    replicas < 1 || replicas > MOST_REPLICAS,
                    "InvalidParameter.range",
                    replicas,
                    path + ".regionalReplicaCount",
                    1,
                    MOST_REPLICAS);
        }
        if (!targets.isEmpty() && !names.contains(version.region())) {
            throw ArmException.of("InvalidParameter.noRegion", String.join(",", names), version.region())
                    .at(path);
        }
    }

    private void checkSource(Draft version) {
        boolean numbers = version.name().matches("\\d{1,10}\\.\\d{1,10}\\.\\d{1,10}");
        refuse(
                !numbers
                        || List.of(version.name().split("\\.")).stream()
                                .anyMatch(part -> Long.parseLong(part) > Integer.MAX_VALUE),
                "InvalidParameter.versionName",
                version.name());
        Resource source = source(version.id(), version.body());
        refuse(!source.location().equals(version.region()), "NotFound.gallerySource", source.id());
        Resource definition = cloud.store().require(version.id().parent());
        requireSame(source, definition);
        boolean generalized = definition.text("properties.osState").equals("Generalized");
        refuse(
                source.id().isOfType(ResourceType.MACHINES)
                        && generalized
                                != source.hidden(MachineViews.GENERALIZED).isPresent(),
                "OperationNotAllowed.imageSource",
                source.name(),
                generalized ? "" : "not ",
                generalized ? "Generalized." : "Specialized.");
    }

    /** Refuses a source of another generation, architecture or type of security than the definition says. */
    private void requireSame(Resource source, Resource definition) {
        boolean machine = source.id().isOfType(ResourceType.MACHINES);
        ObjectNode profile = source.make("properties.storageProfile");
        String wanted = definition.text("properties.hyperVGeneration");
        String generation = machine ? storage.generation(profile) : source.text("properties.hyperVGeneration");
        refuse(!generation.equals(wanted), "Conflict.generation", source.id(), generation, wanted);
        String architecture =
                machine ? StorageProfiles.name(storage.architecture(Bodies.make(profile, "imageReference"))) : "x64";
        refuse(
                !architecture.equals(definition.text("properties.architecture")),
                "Conflict.architecture",
                source.id(),
                architecture,
                definition.text("properties.architecture"));
        String has = source.text("properties.securityProfile.securityType");
        String security = StorageProfiles.security(definition);
        refuse(
                machine && security.endsWith("Supported"),
                "InvalidParameter.supportedSource",
                security,
                source.id(),
                security);
        refuse(
                has.equals("TrustedLaunch") != security.equals("TrustedLaunch") && machine,
                "InvalidParameter.security",
                has.isEmpty() ? "Standard" : has,
                source.id(),
                security.isEmpty() ? "Standard" : security);
    }

    private void publish(Draft version) {
        ObjectNode profile = version.make("properties.publishingProfile");
        if (!profile.has("targetRegions")) {
            profile.putArray("targetRegions")
                    .addObject()
                    .put("name", version.region())
                    .put("regionalReplicaCount", 1);
        }
        Bodies.standard(profile, "replicaCount", 1);
        Bodies.standard(profile, "excludeFromLatest", false);
        ObjectNode disk = version.make("properties.storageProfile.osDiskImage");
        disk.put("hostCaching", "ReadWrite");
        disk.put(
                "sizeInGB",
                Math.max(
                        1,
                        Bodies.at(source(version.id(), version.body()).properties(), "storageProfile.osDisk.diskSizeGB")
                                .asInt(30)));
        profile.put("publishedDate", cloud.clock().now().toString());
    }

    private Resource source(ArmId id, ObjectNode version) {
        for (String path : SOURCES) {
            String place = Bodies.text(version, path);
            Optional<Resource> found = cloud.store()
                    .find(place, ResourceType.MACHINES)
                    .or(() -> cloud.store().find(place, ResourceType.IMAGES));
            if (found.isPresent()) {
                return found.get();
            }
            if (!place.isEmpty()) {
                throw ArmException.badReference(place, id);
            }
        }
        throw ArmException.of("InvalidParameter.versionSource");
    }

    private CompletableFuture<?> capture(Resource version) {
        Resource source = source(version.id(), version.body());
        if (source.id().isOfType(ResourceType.IMAGES)) {
            version.hide(
                    StorageProfiles.PLAN, source.hidden(StorageProfiles.PLAN).orElse(""));
            version.hide(
                    StorageProfiles.CONTENT, StorageProfiles.captured(source).toString());
            return ResourceType.NO_MACHINES;
        }
        version.hide(StorageProfiles.PLAN, MachineRules.plan(source.at("plan")));
        return machines.capture(source.id(), version.id());
    }

    private static void showReplication(Call call, ObjectNode version) {
        if (!call.query("expand").equalsIgnoreCase("ReplicationStatus")) {
            return;
        }
        ObjectNode status = Bodies.make(version, "properties.replicationStatus").put("aggregatedState", "Completed");
        ArrayNode regions = status.putArray("summary");
        Bodies.objects(version, "properties.publishingProfile.targetRegions")
                .forEach(region -> regions.addObject()
                        .put("region", Bodies.text(region, "name"))
                        .put("state", "Completed")
                        .put("progress", 100));
    }

    private void requireEmpty(Resource gallery) {
        cloud.store().inside(gallery.id()).stream().findFirst().ifPresent(nested -> {
            throw ArmException.of("CannotDeleteResource", nested.id());
        });
    }
}
