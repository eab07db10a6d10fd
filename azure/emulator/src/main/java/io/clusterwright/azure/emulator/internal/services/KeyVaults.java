package io.clusterwright.azure.emulator.internal.services;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** Microsoft.KeyVault/vaults with the secrets that Resource Manager writes; a vault's own endpoint is not emulated. */
public final class KeyVaults {
    static final String VAULTS = "Microsoft.KeyVault/vaults";
    static final String SECRETS = VAULTS + "/secrets";

    /** Of the part of a secret that no client sees: each version with its value. */
    static final String VERSIONS = "versions";

    private static final Pattern VAULT_NAME = Pattern.compile("[A-Za-z](?!.*--)[A-Za-z0-9-]{1,22}[A-Za-z0-9]");
    private static final Pattern SECRET_NAME = Pattern.compile("[A-Za-z0-9-]{1,127}");
    private static final String RETENTION = "properties.softDeleteRetentionInDays";
    private static final int SHORTEST_RETENTION = 7;
    private static final int LONGEST_RETENTION = 90;
    private static final int MOST_BYTES = 25 * 1024;

    /** The first version in which a vault has the roles of Azure unless a request says otherwise. */
    private static final String ROLES_FROM = "2026-02-01";

    private final Cloud cloud;
    private final Map<String, Instant> deleted = new HashMap<>();

    public KeyVaults(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The tables of both types. */
    public List<ResourceType> types() {
        return List.of(vaults(), secrets());
    }

    private ResourceType vaults() {
        return ResourceType.of(VAULTS)
                .rows(
                        KeyVaults::requireName,
                        Row.onCreate(this::requireFree),
                        KeyVaults::requirePolicies,
                        KeyVaults::requireRetention,
                        Row.standard("properties.enabledForDeployment", false),
                        Row.standard("properties.enabledForDiskEncryption", false),
                        Row.standard("properties.enabledForTemplateDeployment", false),
                        Row.standard("properties.publicNetworkAccess", "Enabled"),
                        draft -> draft.properties()
                                .put("enableSoftDelete", true)
                                .put("vaultUri", "https://" + host(draft.name()) + "/"))
                .removed(vault -> deleted.put(
                        vault.name().toLowerCase(Locale.ROOT),
                        cloud.clock()
                                .now()
                                .plus(Duration.ofDays(vault.at(RETENTION).asInt(LONGEST_RETENTION)))));
    }

    /** The host of a vault's own endpoint. */
    static String host(String vault) {
        return vault.toLowerCase(Locale.ROOT) + ".vault.azure.net";
    }

    private static void requireName(Draft vault) {
        refuse(!VAULT_NAME.matcher(vault.name()).matches(), "VaultNameNotValid", vault.name());
    }

    /** The name of a deleted vault stays taken until it would be purged. */
    private void requireFree(Draft vault) {
        String name = vault.name();
        refuse(vault.text("properties.createMode").equals("recover"), "NotImplemented.recover");
        refuse(
                cloud.store().ofType(VAULTS).anyMatch(other -> other.name().equalsIgnoreCase(name)),
                "VaultAlreadyExists",
                name);
        Instant until = deleted.get(name.toLowerCase(Locale.ROOT));
        refuse(until != null && cloud.clock().now().isBefore(until), "ConflictError");
    }

    private static void requirePolicies(Draft vault) {
        vault.standard("properties.enableRbacAuthorization", vault.version().compareTo(ROLES_FROM) >= 0);
        boolean roles = vault.isTrue("properties.enableRbacAuthorization");
        refuse(!roles && !vault.at("properties.accessPolicies").isArray(), "BadRequest.parameter", "accessPolicies");
        vault.array("properties.accessPolicies");
    }

    private static void requireRetention(Draft vault) {
        vault.standard(RETENTION, LONGEST_RETENTION);
        int days = vault.at(RETENTION).asInt();
        refuse(days < SHORTEST_RETENTION || days > LONGEST_RETENTION, "BadRequest.retention", days);
        boolean protectedBefore = vault.before() != null && vault.before().isTrue("properties.enablePurgeProtection");
        JsonNode now = vault.at("properties.enablePurgeProtection");
        refuse(now.isBoolean() && !now.asBoolean(), "BadRequest.purge");
        if (protectedBefore) {
            vault.properties().put("enablePurgeProtection", true);
        }
    }

    private ResourceType secrets() {
        return ResourceType.of(SECRETS)
                .inRegionOfParent()
                .rows(KeyVaults::requireSecret, Row.readOnly("properties", "secretUri", "secretUriWithVersion"))
                .deleteCheck(secret -> {
                    throw ArmException.of("MethodNotAllowed", "DELETE", secret.id());
                })
                .finished((secret, failure) -> keep(secret));
    }

    private static void requireSecret(Draft secret) {
        refuse(!SECRET_NAME.matcher(secret.name()).matches(), "BadRequest.secretName", secret.name());
        String value = secret.text("properties.value");
        refuse(secret.before() == null && value.isEmpty(), "BadRequest.parameter", "value");
        refuse(value.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES, "BadRequest.secretSize", secret.name());
    }

    /** Every value that is written is a new version; no client reads it back here. */
    private void keep(Resource secret) {
        ObjectNode properties = secret.properties();
        ObjectNode versions = secret.unseen().withObjectProperty(VERSIONS);
        String value = Bodies.text(properties, "value");
        properties.remove("value");
        String last = secret.hidden(VERSIONS).orElse("");
        if (!value.isEmpty()) {
            last = UUID.randomUUID().toString().replace("-", "");
            secret.hide(VERSIONS, last);
            versions.putObject(last).put("value", value);
        }
        ObjectNode attributes = Bodies.make(properties, "attributes");
        Bodies.standard(attributes, "enabled", true);
        ((ObjectNode) versions.get(last))
                .put("contentType", Bodies.text(properties, "contentType"))
                .set("attributes", attributes.deepCopy());
        String uri = "https://" + host(secret.id().parent().name()) + "/secrets/" + secret.name();
        properties.put("secretUri", uri).put("secretUriWithVersion", uri + "/" + last);
    }
}
