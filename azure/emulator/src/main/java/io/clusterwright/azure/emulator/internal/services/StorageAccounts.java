package io.clusterwright.azure.emulator.internal.services;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Microsoft.Storage/storageAccounts: names, keys and endpoints; no bytes are behind the endpoints. */
public final class StorageAccounts {
    static final String TYPE = "Microsoft.Storage/storageAccounts";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]{3,24}");
    private static final int MOST_IN_A_REGION = 250;
    private static final int KEY_BYTES = 64;
    private static final List<String> KEYS = List.of("key1", "key2");
    private static final List<String> SERVICES = List.of("blob", "dfs", "file", "queue", "table", "web");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The kinds that have only some of the skus. */
    private static final Map<String, Pattern> SKUS = Map.of(
            "BlobStorage", Pattern.compile("Standard_(LRS|GRS|RAGRS)"),
            "BlockBlobStorage", Pattern.compile("Premium_(LRS|ZRS)"),
            "FileStorage", Pattern.compile("(Premium|PremiumV2|StandardV2)_\\w+"),
            "Storage", Pattern.compile("(Standard_(LRS|GRS|RAGRS|ZRS)|Premium_LRS)"),
            "StorageV2", Pattern.compile("(Standard_\\w+|Premium_LRS)"));

    private final Cloud cloud;

    public StorageAccounts(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The table of the type. */
    public ResourceType type() {
        return ResourceType.of(TYPE)
                .early(StorageAccounts::requireName, this::requireFree)
                .rows(
                        StorageAccounts::requireName,
                        Row.onCreate(this::requireFree, this::requireRoom),
                        StorageAccounts::requireSku,
                        Row.fixed("kind"),
                        Row.standard("properties.supportsHttpsTrafficOnly", true),
                        Row.standard("properties.minimumTlsVersion", "TLS1_2"),
                        Row.standard("properties.allowBlobPublicAccess", false),
                        Row.once(
                                "properties.creationTime",
                                here -> here.clock().now().toString()),
                        StorageAccounts::complete)
                .takes(account -> account.before() == null ? Work.STORAGE_ACCOUNT : null, null)
                .created(202)
                .finished((account, failure) -> KEYS.stream()
                        .filter(key -> account.hidden(key).isEmpty())
                        .forEach(key -> account.hide(key, newKey())))
                .action("listKeys", (call, account) -> keys(account))
                .action("regenerateKey", StorageAccounts::regenerate);
    }

    private static void requireName(Draft account) {
        refuse(!NAME.matcher(account.name()).matches(), "AccountNameInvalid", account.name());
    }

    /** Names are unique in all of Azure, of which the emulator knows one subscription. */
    private void requireFree(Draft account) {
        boolean taken = cloud.store()
                .ofType(TYPE)
                .anyMatch(other -> other.name().equals(account.name())
                        && !other.id().key().equals(account.id().key()));
        refuse(taken, "StorageAccountAlreadyTaken", account.name());
    }

    private void requireRoom(Draft account) {
        long there = cloud.store()
                .ofType(TYPE)
                .filter(other -> other.location().equals(account.region()))
                .count();
        refuse(
                there >= MOST_IN_A_REGION,
                "MaxStorageAccountsCountPerSubscriptionExceeded",
                there,
                account.region(),
                MOST_IN_A_REGION);
    }

    private static void requireSku(Draft account) {
        Pattern skus = SKUS.get(account.text("kind"));
        refuse(
                skus != null && !skus.matcher(account.text("sku.name")).matches(),
                "InvalidValuesForRequestParameters",
                "kind, sku.name");
        if (account.text("kind").equals("BlobStorage")
                && account.text("properties.accessTier").isEmpty()) {
            throw ArmException.missing("properties.accessTier", "accessTier");
        }
    }

    private static void complete(Draft account) {
        ObjectNode sku = (ObjectNode) account.body().get("sku");
        sku.put("tier", account.text("sku.name").startsWith("Premium") ? "Premium" : "Standard");
        ObjectNode endpoints = account.properties()
                .put("primaryLocation", account.region())
                .put("statusOfPrimary", "available")
                .putObject("primaryEndpoints");
        SERVICES.forEach(service -> endpoints.put(
                service,
                "https://" + account.name() + (service.equals("web") ? ".z6." : ".") + service + ".core.windows.net/"));
    }

    private static String newKey() {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    private static Reply keys(Resource account) {
        refuse(!account.isSucceeded(), "StorageAccountIsNotProvisioned");
        ObjectNode body = Json.object();
        ArrayNode keys = body.putArray("keys");
        KEYS.forEach(key -> keys.addObject()
                .put("keyName", key)
                .put("value", account.hidden(key).orElseThrow())
                .put("permissions", "FULL"));
        return Reply.ok(body);
    }

    private static Reply regenerate(Call call, Resource account) {
        String key = call.object().path("keyName").asText();
        refuse(!KEYS.contains(key), "InvalidValuesForRequestParameters", "keyName");
        account.hide(key, newKey());
        return keys(account);
    }
}
