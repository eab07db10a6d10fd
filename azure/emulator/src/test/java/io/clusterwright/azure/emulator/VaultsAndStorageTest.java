package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storage accounts, key vaults, and what a virtual machine takes from a vault. */
class VaultsAndStorageTest extends WithEmulator {
    private static final String ACCOUNT = "{'location':'westeurope','kind':'StorageV2','sku':{'name':'Standard_LRS'}}";
    private static final String VAULT =
            "{'location':'westeurope','properties':{'tenantId':'11111111-1111-1111-1111-111111111111',"
                    + "'sku':{'family':'A','name':'standard'},'accessPolicies':[],'enabledForDeployment':true}}";

    private String account(String name) {
        return arm.group("/providers/Microsoft.Storage/storageAccounts/" + name);
    }

    private String vault(String name) {
        return arm.group("/providers/Microsoft.KeyVault/vaults/" + name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Upper1 | Standard_LRS | AccountNameInvalid | is not a valid storage account name",
                "ab | Standard_LRS | AccountNameInvalid | must be between 3 and 24 characters",
                "with-hyphen | Standard_LRS | AccountNameInvalid | use numbers and lower-case letters only",
                "name1 | Standard_XRS | InvalidRequestFormat | ",
                "name1 | Premium_ZRS | InvalidValuesForRequestParameters | kind, sku.name",
            })
    void refusesAccountsThatAzureDoesNotMake(String name, String sku, String code, String message) {
        refused(
                arm.put(account(name), ACCOUNT.replace("Standard_LRS", sku)),
                400,
                code,
                message == null ? "" : message);
    }

    @Test
    void anAccountNeedsKindAndSkuAndAVersionOfTheApiThatExists() {
        assertThat(arm.put(account("name1"), "{'location':'westeurope','sku':{'name':'Standard_LRS'}}")
                        .message())
                .isEqualTo("Required parameter 'kind' is missing (null).");
        assertThat(arm.put(account("name1") + "?api-version=2023-01-32", ACCOUNT)
                        .error())
                .isEqualTo("NoRegisteredProviderFound");
        assertThat(arm.put(account("name1"), ACCOUNT.replace("'kind'", "'sort':1,'kind'"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void keysOfAnAccountAreListedOnDemandOnlyAndCanBeReplaced() {
        finished(arm.put(account("name1"), ACCOUNT));
        JsonNode keys = arm.post(account("name1") + "/listKeys", "").body().path("keys");
        assertThat(keys).hasSize(2);
        String first = keys.at("/0/value").asText();
        assertThat(Base64.getDecoder().decode(first)).hasSize(64);
        JsonNode shown = arm.get(account("name1")).body();
        assertThat(shown.toString()).doesNotContain(first);
        assertThat(shown.at("/properties/primaryEndpoints/blob").asText())
                .isEqualTo("https://name1.blob.core.windows.net/");

        JsonNode replaced = arm.post(account("name1") + "/regenerateKey", "{'keyName':'key1'}")
                .body();
        assertThat(replaced.at("/keys/0/value").asText()).isNotEqualTo(first);
        assertThat(replaced.at("/keys/1/value")).isEqualTo(keys.at("/1/value"));

        arm.put(arm.subscription("/resourceGroups/other"), "{'location':'westeurope'}");
        assertThat(arm.put(
                                arm.subscription(
                                        "/resourceGroups/other/providers/Microsoft.Storage/storageAccounts/name1"),
                                ACCOUNT)
                        .error())
                .isEqualTo("StorageAccountAlreadyTaken");
        assertThat(arm.delete(account("name1")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1vault | 'accessPolicies' | 'accessPolicies' | VaultNameNotValid",
                "a--b | 'accessPolicies' | 'accessPolicies' | VaultNameNotValid",
                "vault- | 'accessPolicies' | 'accessPolicies' | VaultNameNotValid",
                "a-name-of-twenty-five-char | 'accessPolicies' | 'accessPolicies' | VaultNameNotValid",
                "vault1 | 'accessPolicies':[], | , | BadRequest",
                "vault1 | 'enabledForDeployment' | 'softDeleteRetentionInDays':6,'enabledForDeployment' | BadRequest",
                "vault1 | 'enabledForDeployment' | 'enablePurgeProtection':false,'enabledForDeployment' | BadRequest",
                "vault1 | 'enabledForDeployment' | 'createMode':'recover','enabledForDeployment' | NotImplemented",
            })
    void refusesVaultsThatAzureDoesNotMake(String name, String search, String replacement, String code) {
        String body = VAULT.replace(search, replacement.equals(",") ? "" : replacement);

        assertThat(arm.put(vault(name), body).error()).isEqualTo(code);
    }

    @Test
    void theNameOfADeletedVaultStaysTaken() {
        assertThat(arm.put(vault("vault1"), VAULT).status()).isEqualTo(201);
        assertThat(arm.put(vault("vault1"), VAULT).status()).isEqualTo(200);
        arm.put(arm.subscription("/resourceGroups/other"), "{'location':'westeurope'}");
        assertThat(arm.put(arm.subscription("/resourceGroups/other/providers/Microsoft.KeyVault/vaults/VAULT1"), VAULT)
                        .error())
                .isEqualTo("VaultAlreadyExists");
        assertThat(arm.delete(vault("vault1")).status()).isEqualTo(200);

        assertThat(arm.put(vault("vault1"), VAULT).error()).isEqualTo("ConflictError");
        emulator.advance(java.time.Duration.ofDays(91));
        assertThat(arm.put(vault("vault1"), VAULT).status()).isEqualTo(201);
    }

    private JsonNode secret(String name, String contentType, String value) {
        Reply made = arm.put(
                vault("vault1") + "/secrets/" + name,
                "{'properties':{'contentType':'" + contentType + "','value':'" + value + "'}}");
        assertThat(made.status()).as(made.body().toString()).isBetween(200, 201);
        return made.body().path("properties");
    }

    @Test
    void eachValueOfASecretIsAVersionThatNoClientReads() {
        arm.put(vault("vault1"), VAULT);
        JsonNode first = secret("s", "text/plain", "hidden-value");
        JsonNode second = secret("s", "text/plain", "other-value");

        assertThat(first.toString()
                        + second
                        + arm.get(vault("vault1") + "/secrets").body())
                .doesNotContain("hidden-value", "other-value");
        assertThat(second.path("secretUri").asText()).isEqualTo("https://vault1.vault.azure.net/secrets/s");
        assertThat(second.path("secretUriWithVersion").asText())
                .matches("https://vault1\\.vault\\.azure\\.net/secrets/s/[0-9a-f]{32}")
                .isNotEqualTo(first.path("secretUriWithVersion").asText());
        assertThat(arm.delete(vault("vault1") + "/secrets/s").status()).isEqualTo(405);
        assertThat(arm.put(vault("vault1") + "/secrets/_", "{'properties':{'value':'x'}}")
                        .error())
                .isEqualTo("BadRequest");
        assertThat(arm.put(vault("none") + "/secrets/s", "{'properties':{'value':'x'}}")
                        .error())
                .isEqualTo("ParentResourceNotFound");
    }

    private JsonNode machine(String url, String more) {
        arm.finish(arm.networkInterface("n", ""));
        String secrets = "'osProfile':{'secrets':[{'sourceVault':{'id':'" + vault("vault1")
                + "'},'vaultCertificates':[{'certificateUrl':'" + url + "'" + more + "}]}],";
        Reply reply = arm.put(
                arm.compute("virtualMachines/n"),
                arm.machineBody("n", "Standard_D2s_v5", ArmClient.UBUNTU, "").replace("'osProfile':{", secrets));
        JsonNode refused = reply.body().path("error");
        return reply.status() > 299 ? refused : arm.done(reply).path("error");
    }

    /** A store of PKCS12 without any certificate. */
    private static String emptyStore() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setEntry(
                "key",
                new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
                new KeyStore.PasswordProtection("x".toCharArray()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.store(out, "x".toCharArray());
        String data = Base64.getEncoder().encodeToString(out.toByteArray());
        return Base64.getEncoder()
                .encodeToString(("{\"data\":\"" + data + "\",\"dataType\":\"pfx\",\"password\":\"x\"}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aMachineDoesNotStartWithoutItsCertificate() throws Exception {
        arm.put(vault("vault1"), VAULT);
        String text = secret("text", "text/plain", "no certificate")
                .path("secretUriWithVersion")
                .asText();
        String pfx = secret("pfx", "application/x-pkcs12", "AAAA")
                .path("secretUriWithVersion")
                .asText();
        String empty = secret("empty", "application/json", emptyStore())
                .path("secretUriWithVersion")
                .asText();

        assertThat(machine(text, "").path("code").asText()).isEqualTo("CertificateImproperlyFormatted");
        assertThat(machine(pfx, "").path("message").asText()).contains("not a properly formatted PFX file");
        assertThat(machine(empty, "").path("message").asText()).contains("not a properly formatted PFX file");
        assertThat(machine(text.replace("/secrets/", "/certificates/"), "")
                        .path("target")
                        .asText())
                .isEqualTo("certificateUrl");
        assertThat(arm.text(arm.compute("virtualMachines/n"), "/properties/provisioningState"))
                .isEqualTo("Failed");
    }

    @Test
    void aDisabledSecretIsNotGiven() {
        arm.put(vault("vault1"), VAULT);
        arm.put(
                vault("vault1") + "/secrets/off",
                "{'properties':{'value':'x','attributes':{'enabled':false},'contentType':'application/x-pkcs12'}}");
        String url = arm.text(vault("vault1") + "/secrets/off", "/properties/secretUriWithVersion");

        assertThat(machine(url, "").path("message").asText()).contains("is disabled, expired or not yet valid");
    }

    @Test
    void extensionsThatNeedTheirMachineAreRefusedInAScaleSet() {
        String set = arm.scaleSetBody("Standard_D2s_v5", 1)
                .replace(
                        "'networkProfile'",
                        "'extensionProfile':{'extensions':[{'name':'agent','properties':{'publisher':"
                                + "'Microsoft.HpcPack','type':'LinuxNodeAgent2016U1','typeHandlerVersion':'16.3'}}]},"
                                + "'networkProfile'");

        Reply refused = arm.put(arm.compute("virtualMachineScaleSets/set"), set);

        assertThat(refused.status()).isEqualTo(501);
        assertThat(refused.message()).contains("Microsoft.HpcPack.LinuxNodeAgent2016U1 of a scale set");
    }
}
