package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ArmTemplateDocument;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parameters of a template, and notes for the deployer about them. */
final class DeployerParameters {
    static final String ISO = "yyyy-MM-ddTHH:mm:ssZ";

    private static final String DEPLOYED = "deployedAt";
    private static final String TIME_TO_LIVE = "timeToLive";
    private static final Duration SHORTEST = Duration.ofMinutes(45);

    static final String TEMPLATE_FILE = "azuredeploy.json";
    static final String PARAMETERS_FILE = "azuredeploy.parameters.json";

    static final String IMAGE = "image";
    static final String ALLOWED = "allowSshFrom";
    private static final String OWN_ADDRESS = "YOUR.OWN.ADDRESS/32";
    private static final String USER = "adminUsername";
    private static final String KEYS = "sshPublicKeys";
    private static final String CUSTOM_DATA = "customData";

    private final RenderInput input;
    private final ClusterSpec spec;
    private final ImageReference base;
    private final ArmTemplateDocument document;
    private final List<String> given = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    DeployerParameters(RenderInput input, ArmTemplateDocument document) {
        this.input = input;
        this.spec = input.spec();
        this.base = SizeDefaults.baseImage(spec, VmSizes.standard());
        this.document = document;
    }

    /**
     * Adds what every template asks for.
     *
     * @param sshRule whether the security group lets SSH through from ranges
     */
    void add(boolean sshRule) {
        document.parameter("location", "string", "Region of everything.")
                .put("defaultValue", "[resourceGroup().location]");
        document.value("location", TextNode.valueOf(spec.requireRegion()));
        known(
                USER,
                "string",
                "The account for logins, which may use sudo.",
                spec.login().user().value());
        List<SshPublicKey> keys = new ArrayList<>(spec.login().publicKeys());
        input.accountKeys().stream()
                .filter(key -> keys.stream().noneMatch(key::sameKey))
                .forEach(keys::add);
        list(KEYS, "Public keys that may log in, as OpenSSH writes them.", keys, "ssh-ed25519 ...");
        if (sshRule) {
            String description = "The ranges from which SSH is allowed; nothing else is.";
            list(ALLOWED, description, spec.network().ssh().allowFrom(), OWN_ADDRESS);
        }
        image();
        document.parameter(
                CUSTOM_DATA,
                "secureString",
                "User data for cloud-init, such as the text of cloud-init.yaml. It may hold private keys.");
        given.add(CUSTOM_DATA + "=@cloud-init.yaml");
        for (ExtensionSpec extension : spec.extensions()) {
            ExtensionSpec complete = Extensions.standard().complete(extension);
            complete.protectedSettings().ifPresent(reference -> {
                String name = ClusterResources.secretParameter(extension);
                document.parameter(
                        name,
                        "secureObject",
                        "Protected settings of the extension " + ClusterResources.extensionName(complete) + ".");
                given.add(name + "=@" + name + ".json");
            });
        }
    }

    /** Adds a list that the spec states, or else the deployer. */
    private void list(String name, String description, List<?> values, String example) {
        if (values.isEmpty()) {
            document.parameter(name, "array", description);
            given.add(name + "='[\"" + example + "\"]'");
        } else {
            known(
                    name,
                    "array",
                    description,
                    values.stream().map(Object::toString).toList());
        }
    }

    private void image() {
        String description = "What the nodes boot from: publisher, offer, sku and version, or the id of an image.";
        if (base instanceof ImageReference.Marketplace || base instanceof ImageReference.ResourceId) {
            known(IMAGE, "object", description, ComputeResources.image(base));
        } else {
            document.parameter(IMAGE, "object", description);
            given.add(IMAGE + "='{\"id\": \"...\"}'");
            notes.add("image.base is " + base + ", which Azure does not have: give an image that it has");
        }
    }

    /** The purchase plan that the image needs; empty where it is known to need none, or not known. */
    Optional<ObjectNode> plan() {
        Optional<ImageFacts> facts = Images.standard().find(base).filter(ImageFacts::needsPlan);
        return facts.isPresent() && base instanceof ImageReference.Marketplace image
                ? Optional.of(ComputeResources.plan(image.publisher(), image.offer(), image.sku()))
                : Optional.empty();
    }

    /** The accounts of a machine. */
    ObjectNode system() {
        String user = ArmText.parameter(USER).text();
        String keys = ArmText.parameter(KEYS).text();
        ObjectNode ssh = Json.object();
        ssh.putArray("copy")
                .addObject()
                .put("name", "publicKeys")
                .put("count", "[length(" + keys + ")]")
                .putObject("input")
                .put("path", "[concat('/home/', " + user + ", '/.ssh/authorized_keys')]")
                .put("keyData", "[" + keys + "[copyIndex('publicKeys')]]");
        return ComputeResources.linux(
                ArmText.parameter(USER),
                ArmText.expression("base64(" + ArmText.parameter(CUSTOM_DATA).text() + ")"),
                ssh);
    }

    /** Adds a parameter whose value the spec states. */
    void known(String name, String type, String description, Object value) {
        document.parameter(name, type, description);
        document.value(name, Json.MAPPER.valueToTree(value));
    }

    /** Whether a size is known to have accelerated networking: those without are older than SR-IOV. */
    boolean accelerated(VmSize size) {
        Optional<VmSizeFacts> facts = input.facts().sizes().find(size);
        if (facts.isEmpty()) {
            notes.add("whether " + size
                    + " supports accelerated networking is not known here; if it does, set its parameter to true");
        }
        return facts.isPresent() && facts.get().interconnect() != Interconnect.NETWORK_DIRECT;
    }

    /**
     * The end of the time to live, counted from the deployment; empty without one.
     *
     * @param daily whether a schedule for a time of day is to keep it, which cannot be more than a day ahead
     */
    Optional<End> end(boolean daily) {
        Optional<Duration> time = spec.timeToLive();
        if (time.isEmpty()) {
            return Optional.empty();
        }
        if (daily && time.get().compareTo(ClusterResources.LONGEST_AHEAD) > 0) {
            String note = "timeToLive is more than a day, and separate machines are stopped by a schedule for a time of"
                    + " day: nothing stops them here";
            if (!notes.contains(note)) {
                notes.add(note);
            }
            return Optional.empty();
        }
        document.parameter(DEPLOYED, "string", "The beginning of the time to live.")
                .put("defaultValue", "[utcNow('u')]");
        known(
                TIME_TO_LIVE,
                "string",
                "The time after which machines are stopped, and instances of a scale set deleted, as a duration of ISO 8601; at least"
                        + " PT45M, as a schedule that is made shortly before its time applies to the next day.",
                (time.get().compareTo(SHORTEST) < 0 ? SHORTEST : time.get()).toString());
        return Optional.of(new End());
    }

    /** The end of the time to live, as expressions. */
    static final class End {
        /** The time in this format of .NET. */
        ArmText at(String format) {
            return ArmText.expression("dateTimeAdd(parameters('" + DEPLOYED + "'), parameters('" + TIME_TO_LIVE
                    + "'), '" + format + "')");
        }

        /** A time long after it. */
        ArmText later() {
            return ArmText.expression("dateTimeAdd(parameters('" + DEPLOYED + "'), 'P10Y', '" + ISO + "')");
        }
    }

    /** Adds notes on the limits of scale sets. */
    void ofScaleSet() {
        notes.add(
                "nodes are instances of one scale set: Azure names them after its name and gives them addresses of the"
                        + " subnet; for the exact names and addresses of the spec write placement.kind:"
                        + " availability-set");
        if (spec.network().ssh().external() == SshAccess.External.HEAD
                && spec.headNode().isEmpty()) {
            String allowed = spec.network().ssh().allowFrom().isEmpty()
                    ? OWN_ADDRESS
                    : spec.network().ssh().allowFrom().stream()
                            .map(Object::toString)
                            .collect(Collectors.joining(" "));
            notes.add(
                    "no instance answers SSH from outside at first, as which one is the head is known only when it has an"
                            + " address; then let its port of the shared address through: az network nsg rule create"
                            + " --resource-group " + PosixShell.quote(spec.resourceGroup()) + " --nsg-name "
                            + spec.name()
                            + "-nsg --name ssh --priority 1000 --protocol Tcp --destination-port-ranges 22"
                            + " --source-address-prefixes " + allowed + " --destination-address-prefixes"
                            + " PRIVATE.ADDRESS.OF.THE.HEAD");
        }
    }

    List<String> notes() {
        List<String> all = new ArrayList<>();
        all.add("deploy with: az deployment group create --resource-group " + PosixShell.quote(spec.resourceGroup())
                + " --template-file " + TEMPLATE_FILE + " --parameters @" + PARAMETERS_FILE + " --parameters "
                + String.join(" ", given));
        all.addAll(notes);
        return all;
    }
}
