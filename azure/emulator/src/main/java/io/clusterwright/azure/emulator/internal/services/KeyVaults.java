package io.clusterwright.azure.emulator.internal.services;

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
                                .put("vaultUri", "https://" + host(draft.id().name()) + "/"))
                .removed(vault -> deleted.put(
                        vault.id().name().toLowerCase(Locale.ROOT),
                        cloud.clock()
                                .now()
                                .plus(Duration.ofDays(
                                        Bodies.at(vault.body(), RETENTION).asInt(LONGEST_RETENTION)))));
    }

    /** The host of a vault's own endpoint. */
    static String host(String vault) {
        return vault.toLowerCase(Locale.ROOT) + ".vault.azure.net";
    }

    private static void requireName(Draft vault) {
        if (!VAULT_NAME.matcher(vault.id().name()).matches()) {
            throw ArmException.of("VaultNameNotValid", vault.id().name());
        }
    }

    /** The name of a deleted vault stays taken until it would be purged. */
    private void requireFree(Draft vault) {
        String name = vault.id().name();
        if (vault.text("properties.createMode").equals("recover")) {
            throw ArmException.of("NotImplemented.recover");
        }
        if (cloud.store().ofType(VAULTS).anyMatch(other -> other.id().name().equalsIgnoreCase(name))) {
            throw ArmException.of("VaultAlreadyExists", name);
        }
        Instant until = deleted.get(name.toLowerCase(Locale.ROOT));
        if (until != null && cloud.clock().now().isBefore(until)) {
            throw ArmException.of("ConflictError");
        }
    }

    private static void requirePolicies(Draft vault) {
        Bodies.standard(
                vault.body(),
                "properties.enableRbacAuthorization",
                vault.version().compareTo(ROLES_FROM) >= 0);
        boolean roles =
                Bodies.at(vault.body(), "properties.enableRbacAuthorization").asBoolean();
        if (!roles && !vault.properties().path("accessPolicies").isArray()) {
            throw ArmException.of("BadRequest.parameter", "accessPolicies");
        }
        Bodies.array(vault.body(), "properties.accessPolicies");
    }

    private static void requireRetention(Draft vault) {
        Bodies.standard(vault.body(), RETENTION, LONGEST_RETENTION);
        int days = Bodies.at(vault.body(), RETENTION).asInt();
        if (days < SHORTEST_RETENTION || days > LONGEST_RETENTION) {
            throw ArmException.of("BadRequest.retention", days);
        }
        boolean protectedBefore = vault.before() != null
                && Bodies.at(vault.before().body(), "properties.enablePurgeProtection")
                        .asBoolean();
        JsonNode now = vault.properties().path("enablePurgeProtection");
        if (now.isBoolean() && !now.asBoolean()) {
            throw ArmException.of("BadRequest.purge");
        }
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
        if (!SECRET_NAME.matcher(secret.id().name()).matches()) {
            throw ArmException.of("BadRequest.secretName", secret.id().name());
        }
        String value = secret.text("properties.value");
        if (secret.before() == null && value.isEmpty()) {
            throw ArmException.of("BadRequest.parameter", "value");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw ArmException.of("BadRequest.secretSize", secret.id().name());
        }
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
        String uri = "https://" + host(secret.id().parent().name()) + "/secrets/"
                + secret.id().name();
        properties.put("secretUri", uri).put("secretUriWithVersion", uri + "/" + last);
    }
}
