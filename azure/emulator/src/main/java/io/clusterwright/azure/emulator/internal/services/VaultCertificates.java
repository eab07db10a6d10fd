package io.clusterwright.azure.emulator.internal.services;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates of key vaults that machines get when they are made: the {@code secrets} of an {@code osProfile}. */
public final class VaultCertificates {
    private static final Pattern URL = Pattern.compile(
            "https://([a-z0-9-]+\\.vault\\.azure\\.net)(?::443)?/secrets/([a-z0-9-]+)/([0-9a-f]{32})/?",
            Pattern.CASE_INSENSITIVE);
    private static final String PFX = "application/x-pkcs12";

    /** Hidden in a machine: the thumbprints of its certificates, separated by blanks. */
    private static final String INSTALLED = "certificates";

    private final Cloud cloud;

    public VaultCertificates(Cloud cloud) {
        this.cloud = cloud;
    }

    /**
     * Refuses secrets of a profile that are incomplete.
     *
     * @param system {@code Linux} or {@code Windows}
     */
    public static void check(JsonNode profile, String system) {
        List<ObjectNode> secrets = Bodies.objects(profile, "secrets");
        JsonNode agent = Bodies.at(profile, system.toLowerCase(Locale.ROOT) + "Configuration.provisionVMAgent");
        refuse(
                !secrets.isEmpty() && agent.isBoolean() && !agent.asBoolean(),
                "InvalidParameter.certificatesWithoutAgent");
        for (ObjectNode secret : secrets) {
            refuse(Bodies.text(secret, "sourceVault.id").isEmpty(), "InvalidParameter.missing", "sourceVault.id");
            for (ObjectNode certificate : Bodies.objects(secret, "vaultCertificates")) {
                String url = Bodies.text(certificate, "certificateUrl");
                refuse(!URL.matcher(url).matches(), "InvalidParameter.certificateUrl", url);
                refuse(
                        system.equals("Windows")
                                && Bodies.text(certificate, "certificateStore").isEmpty(),
                        "InvalidParameter.missing",
                        "certificateStore");
            }
        }
    }

    /**
     * The thumbprints of the certificates of a profile.
     *
     * @throws ArmException when the vault refuses one of them, or its secret is no certificate
     */
    public Set<String> fetch(JsonNode profile, String region) {
        Set<String> thumbprints = new TreeSet<>();
        for (ObjectNode secret : Bodies.objects(profile, "secrets")) {
            for (ObjectNode certificate : Bodies.objects(secret, "vaultCertificates")) {
                thumbprints.addAll(fetch(
                        Bodies.text(certificate, "certificateUrl"), Bodies.text(secret, "sourceVault.id"), region));
            }
        }
        return thumbprints;
    }

    /** Gives a machine the certificates of its profile. */
    public void install(Resource machine) {
        Set<String> thumbprints = fetch(machine.at("properties.osProfile"), machine.location());
        machine.hide(INSTALLED, String.join(" ", thumbprints));
    }

    /** Whether a machine got the certificate of this thumbprint. */
    public static boolean isInstalled(Resource machine, String thumbprint) {
        return List.of(machine.hidden(INSTALLED).orElse("").split(" "))
                .contains(thumbprint.replace(" ", "").toUpperCase(Locale.ROOT));
    }

    private Set<String> fetch(String url, String vaultId, String region) {
        Matcher parts = URL.matcher(url);
        refuse(!parts.matches(), "InvalidParameter.certificateUrl", url);
        Resource vault = cloud.store()
                .find(vaultId, KeyVaults.VAULTS)
                .filter(found -> KeyVaults.host(found.name()).equalsIgnoreCase(parts.group(1)))
                .filter(found -> found.isTrue("properties.enabledForDeployment"))
                .orElseThrow(() -> ArmException.of("KeyVaultAccessForbidden", url, vaultId));
        refuse(!vault.location().equals(region), "InvalidParameter.vaultRegion", vault.id(), vault.location(), region);
        JsonNode version = cloud.store()
                .find(vault.id().child("secrets", parts.group(2)))
                .map(secret -> secret.unseen().path(KeyVaults.VERSIONS).path(parts.group(3)))
                .filter(JsonNode::isObject)
                .orElseThrow(() -> ArmException.of("KeyVaultSecretDoesNotExist", url));
        long now = cloud.clock().now().getEpochSecond();
        JsonNode attributes = version.path("attributes");
        refuse(
                !attributes.path("enabled").asBoolean(true)
                        || attributes.path("nbf").asLong(Instant.MIN.getEpochSecond()) > now
                        || attributes.path("exp").asLong(Instant.MAX.getEpochSecond()) < now,
                "KeyVaultAccessForbidden.disabled",
                url);
        return thumbprints(Bodies.text(version, "value"), Bodies.text(version, "contentType"), url);
    }

    /** Of a PFX that a vault made, or of the JSON in which others are stored. */
    private static Set<String> thumbprints(String value, String contentType, String url) {
        if (contentType.equalsIgnoreCase(PFX)) {
            return thumbprints(value, new char[0], url);
        }
        try {
            JsonNode json = Json.MAPPER.readTree(new String(decode(value, url), StandardCharsets.UTF_8));
            refuse(!json.isObject(), "CertificateImproperlyFormatted.json", url);
            return thumbprints(
                    Bodies.text(json, "data"), Bodies.text(json, "password").toCharArray(), url);
        } catch (JsonProcessingException e) {
            throw ArmException.of("CertificateImproperlyFormatted.json", url);
        }
    }

    private static byte[] decode(String value, String url) {
        try {
            return Base64.getMimeDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            throw ArmException.of("CertificateImproperlyFormatted.json", url);
        }
    }

    private static Set<String> thumbprints(String pfx, char[] password, String url) {
        Set<String> thumbprints = new TreeSet<>();
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(decode(pfx, url)), password);
            for (String alias : Collections.list(store.aliases())) {
                Certificate certificate = store.getCertificate(alias);
                if (store.isKeyEntry(alias) && certificate != null) {
                    byte[] hash = MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded());
                    thumbprints.add(HexFormat.of().withUpperCase().formatHex(hash));
                }
            }
        } catch (GeneralSecurityException | IOException e) {
            throw ArmException.of("CertificateImproperlyFormatted", url);
        }
        refuse(thumbprints.isEmpty(), "CertificateImproperlyFormatted", url);
        return thumbprints;
    }
}
