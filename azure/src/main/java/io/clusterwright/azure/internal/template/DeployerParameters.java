package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.ArmTemplate;
import io.clusterwright.azure.internal.TemplateBodies;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.VmSizeFacts;
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
import java.util.Optional;

/** The parameters that are about the deployment as a whole, and what the deployer must be told of them. */
final class DeployerParameters {
    private final RenderInput input;
    private final ClusterSpec spec;
    private final Parameters parameters;
    private final List<String> given = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    DeployerParameters(RenderInput input, Parameters parameters) {
        this.input = input;
        this.spec = input.spec();
        this.parameters = parameters;
    }

    void add() {
        parameters.known("location", "string", "Region of everything.", text(spec.region().orElseThrow()));
        parameters.standard("location", "[resourceGroup().location]");
        parameters.known(
                ArmTemplate.USER,
                "string",
                "The account for log-ins, which may use sudo.",
                text(spec.login().user().value()));
        keys();
        callers();
        image();
        parameters.asked(
                ArmTemplate.CUSTOM_DATA,
                "secureString",
                "User data for cloud-init, such as the text of cloud-init.yaml. It may hold private keys.");
        given.add(ArmTemplate.CUSTOM_DATA + "=@cloud-init.yaml");
        for (ExtensionSpec extension : spec.extensions()) {
            ExtensionSpec complete = Extensions.standard().complete(extension);
            complete.protectedSettings().ifPresent(reference -> {
                String name = MachineResources.secretSettings(
                        complete.name().or(complete::type).orElseThrow());
                parameters.asked(
                        name, "secureObject", "Protected settings of the extension " + extensionName(complete) + ".");
                given.add(name + "=@" + name + ".json");
            });
        }
    }

    private static String extensionName(ExtensionSpec complete) {
        return complete.name().or(complete::type).orElseThrow();
    }

    private void keys() {
        List<SshPublicKey> keys = new ArrayList<>(spec.login().publicKeys());
        input.accountKeys().stream()
                .filter(key -> keys.stream().noneMatch(key::sameKey))
                .forEach(keys::add);
        String description = "Public keys that may log in, as OpenSSH writes them.";
        if (keys.isEmpty()) {
            parameters.asked(ArmTemplate.KEYS, "array", description);
            given.add(ArmTemplate.KEYS + "='[\"ssh-ed25519 ...\"]'");
        } else {
            ArrayNode values = JsonNodeFactory.instance.arrayNode();
            keys.forEach(key -> values.add(key.toString()));
            parameters.known(ArmTemplate.KEYS, "array", description, values);
        }
    }

    private void callers() {
        SshAccess ssh = spec.network().ssh();
        if (ssh.external() == SshAccess.External.NONE) {
            return;
        }
        String description = "The ranges from which SSH is allowed; nothing else is.";
        if (ssh.allowFrom().isEmpty()) {
            parameters.asked(ArmTemplate.ALLOWED, "array", description);
            given.add(ArmTemplate.ALLOWED + "='[\"YOUR.OWN.ADDRESS/32\"]'");
        } else {
            ArrayNode values = JsonNodeFactory.instance.arrayNode();
            ssh.allowFrom().forEach(range -> values.add(range.toString()));
            parameters.known(ArmTemplate.ALLOWED, "array", description, values);
        }
    }

    private void image() {
        ObjectNode value = JsonNodeFactory.instance.objectNode();
        ImageReference reference = new TemplateBodies(spec).image();
        if (reference instanceof ImageReference.Marketplace image) {
            value.put("publisher", image.publisher())
                    .put("offer", image.offer())
                    .put("sku", image.sku())
                    .put("version", image.version());
        } else if (reference instanceof ImageReference.ResourceId image) {
            value.put("id", image.id());
        }
        String description = "What the nodes boot from: publisher, offer, sku and version, or the id of an image.";
        if (value.isEmpty()) {
            parameters.asked(ArmTemplate.IMAGE, "object", description);
            given.add(ArmTemplate.IMAGE + "='{\"id\": \"...\"}'");
            notes.add("image.base is " + reference + ", which Azure does not have: give an image that it has");
        } else {
            parameters.known(ArmTemplate.IMAGE, "object", description, value);
        }
    }

    /** Publisher, product and name of the purchase plan that the image needs; empty where it needs none that is known. */
    List<String> plan() {
        ImageReference reference = new TemplateBodies(spec).image();
        Optional<ImageFacts> facts = Images.standard().find(reference).filter(ImageFacts::needsPlan);
        return facts.isPresent() && reference instanceof ImageReference.Marketplace image
                ? List.of(image.publisher(), image.offer(), image.sku())
                : List.of();
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

    /** What instances of a scale set cannot have. */
    void ofScaleSet() {
        notes.add(
                "nodes are instances of one scale set: Azure names them after its name and gives them addresses of the subnet;"
                        + " for the exact names and addresses of the description write placement.kind: availability-set");
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
