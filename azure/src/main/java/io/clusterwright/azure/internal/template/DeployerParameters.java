package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.ArmTemplate;
import io.clusterwright.azure.internal.image.BootImages;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.internal.arm.ArmTemplateDocument;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The parameters of a template, and notes for the deployer about them. */
public final class DeployerParameters {
    private final RenderInput input;
    private final ClusterSpec spec;
    private final ArmTemplateDocument document;
    private final List<String> given = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    DeployerParameters(RenderInput input, ArmTemplateDocument document) {
        this.input = input;
        this.spec = input.spec();
        this.document = document;
    }

    void add() {
        document.parameter("location", "string", "Region of everything.")
                .put("defaultValue", "[resourceGroup().location]");
        document.value("location", text(spec.requireRegion()));
        known(
                ArmTemplate.USER,
                "string",
                "The account for log-ins, which may use sudo.",
                text(spec.login().user().value()));
        keys();
        callers();
        image();
        document.parameter(
                ArmTemplate.CUSTOM_DATA,
                "secureString",
                "User data for cloud-init, such as the text of cloud-init.yaml. It may hold private keys.");
        given.add(ArmTemplate.CUSTOM_DATA + "=@cloud-init.yaml");
        for (ExtensionSpec extension : spec.extensions()) {
            ExtensionSpec complete = Extensions.standard().complete(extension);
            complete.protectedSettings().ifPresent(reference -> {
                String name = secretSettings(extension);
                document.parameter(
                        name,
                        "secureObject",
                        "Protected settings of the extension " + ClusterResources.extensionName(complete) + ".");
                given.add(name + "=@" + name + ".json");
            });
        }
    }

    private void keys() {
        List<SshPublicKey> keys = new ArrayList<>(spec.login().publicKeys());
        input.accountKeys().stream()
                .filter(key -> keys.stream().noneMatch(key::sameKey))
                .forEach(keys::add);
        String description = "Public keys that may log in, as OpenSSH writes them.";
        if (keys.isEmpty()) {
            document.parameter(ArmTemplate.KEYS, "array", description);
            given.add(ArmTemplate.KEYS + "='[\"ssh-ed25519 ...\"]'");
        } else {
            ArrayNode values = JsonNodeFactory.instance.arrayNode();
            keys.forEach(key -> values.add(key.toString()));
            known(ArmTemplate.KEYS, "array", description, values);
        }
    }

    private void callers() {
        SshAccess ssh = spec.network().ssh();
        if (ssh.external() == SshAccess.External.NONE) {
            return;
        }
        String description = "The ranges from which SSH is allowed; nothing else is.";
        if (ssh.allowFrom().isEmpty()) {
            document.parameter(ArmTemplate.ALLOWED, "array", description);
            given.add(ArmTemplate.ALLOWED + "='[\"YOUR.OWN.ADDRESS/32\"]'");
        } else {
            ArrayNode values = JsonNodeFactory.instance.arrayNode();
            ssh.allowFrom().forEach(range -> values.add(range.toString()));
            known(ArmTemplate.ALLOWED, "array", description, values);
        }
    }

    private void image() {
        ObjectNode value = JsonNodeFactory.instance.objectNode();
        ImageReference reference = BootImages.meant(spec);
        if (reference instanceof ImageReference.Marketplace image) {
            value.setAll(ComputeResources.image(image.publisher(), image.offer(), image.sku(), image.version()));
        } else if (reference instanceof ImageReference.ResourceId image) {
            value.put("id", image.id());
        }
        String description = "What the nodes boot from: publisher, offer, sku and version, or the id of an image.";
        if (value.isEmpty()) {
            document.parameter(ArmTemplate.IMAGE, "object", description);
            given.add(ArmTemplate.IMAGE + "='{\"id\": \"...\"}'");
            notes.add("image.base is " + reference + ", which Azure does not have: give an image that it has");
        } else {
            known(ArmTemplate.IMAGE, "object", description, value);
        }
    }

    /** The purchase plan that the image needs; empty where it is known to need none, or not known. */
    Optional<ObjectNode> plan() {
        ImageReference reference = BootImages.meant(spec);
        Optional<ImageFacts> facts = Images.standard().find(reference).filter(ImageFacts::needsPlan);
        return facts.isPresent() && reference instanceof ImageReference.Marketplace image
                ? Optional.of(ComputeResources.plan(image.publisher(), image.offer(), image.sku()))
                : Optional.empty();
    }

    /** The accounts of a machine. */
    ObjectNode system() {
        ObjectNode ssh = Json.object();
        ssh.putArray("copy")
                .addObject()
                .put("name", "publicKeys")
                .put("count", "[length(" + Parameter.bare(ArmTemplate.KEYS) + ")]")
                .putObject("input")
                .put("path", "[concat('/home/', " + Parameter.bare(ArmTemplate.USER) + ", '/.ssh/authorized_keys')]")
                .put("keyData", "[" + Parameter.bare(ArmTemplate.KEYS) + "[copyIndex('publicKeys')]]");
        return ComputeResources.linux(
                ArmText.parameter(ArmTemplate.USER),
                ArmText.expression("base64(" + Parameter.bare(ArmTemplate.CUSTOM_DATA) + ")"),
                ssh);
    }

    /** The extensions of the instances of a scale set. */
    List<ClusterResources.InstanceExtension> extensionsOfInstances(ClusterResources resources) {
        List<ClusterResources.InstanceExtension> all = new ArrayList<>();
        for (ExtensionSpec extension : spec.extensions()) {
            ObjectNode properties = resources.extensionProperties(extension);
            protect(extension, properties);
            all.add(new ClusterResources.InstanceExtension(ClusterResources.extensionName(extension), properties));
        }
        return all;
    }

    /** Takes the protected settings of an extension from their parameter. */
    void protect(ExtensionSpec extension, ObjectNode properties) {
        if (Extensions.standard().complete(extension).protectedSettings().isPresent()) {
            properties.set("protectedSettings", Parameter.json(secretSettings(extension)));
        }
    }

    /** The parameter that holds the protected settings of an extension. */
    private static String secretSettings(ExtensionSpec extension) {
        String plain = ClusterResources.extensionName(extension).replaceAll("[^A-Za-z0-9]", "");
        return plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1) + "ProtectedSettings";
    }

    /** Adds a parameter whose value the description states. */
    void known(String name, String type, String description, JsonNode value) {
        document.parameter(name, type, description);
        document.value(name, value);
    }

    /** References to parameters. */
    static final class Parameter {
        private Parameter() {}

        /** The value of a parameter, as JSON. */
        static JsonNode json(String name) {
            return ArmText.parameter(name).json();
        }

        /** An expression without brackets. */
        static String bare(String name) {
            return ArmText.parameter(name).text();
        }
    }

    /** Whether a size is known to have accelerated networking: those without are older than SR-IOV. */
    JsonNode accelerated(VmSize size) {
        Optional<VmSizeFacts> facts = input.facts().sizes().find(size);
        if (facts.isEmpty()) {
            notes.add("whether " + size
                    + " supports accelerated networking is not known here; if it does, set its parameter to true");
        }
        return JsonNodeFactory.instance.booleanNode(
                facts.isPresent() && facts.get().interconnect() != Interconnect.NETWORK_DIRECT);
    }

    /** Adds notes on the limits of scale sets. */
    void ofScaleSet() {
        notes.add(
                "nodes are instances of one scale set: Azure names them after its name and gives them addresses of the"
                        + " subnet; for the exact names and addresses of the description write placement.kind:"
                        + " availability-set");
        if (spec.network().ssh().external() == SshAccess.External.HEAD) {
            notes.add("instances of a scale set are alike, so none of them alone answers SSH from outside; write"
                    + " network.ssh.external: all to reach each");
        }
    }

    List<String> notes() {
        List<String> all = new ArrayList<>();
        all.add("deploy with: az deployment group create --resource-group " + spec.resourceGroup() + " --template-file "
                + ArmTemplate.TEMPLATE_FILE + " --parameters @" + ArmTemplate.PARAMETERS_FILE + " --parameters "
                + String.join(" ", given));
        all.addAll(notes);
        return all;
    }

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.textNode(value);
    }
}
