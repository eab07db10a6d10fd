package io.clusterwright.azure.emulator.internal.machines;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Custom data of a virtual machine: the bootstrap of a node before it starts, and the work of cloud-init after that. */
final class CustomData {
    /** Keys that a machine host carries out itself, as a bootstrap. */
    private static final Set<String> BOOTSTRAP =
            Set.of("hostname", "preserve_hostname", "manage_etc_hosts", "users", "ssh_deletekeys", "ssh_keys");

    private final String text;
    private final JsonNode config;

    private CustomData(String text, JsonNode config) {
        this.text = text;
        this.config = config;
    }

    static CustomData parse(String text) {
        if (!text.startsWith("#cloud-config")) {
            return new CustomData(text, Json.object());
        }
        try {
            return new CustomData(text, Json.yaml().readTree(text));
        } catch (JsonProcessingException e) {
            throw ArmException.of("OSProvisioningClientError.yaml", e.getOriginalMessage());
        }
    }

    /** The keys that may log in as this user. */
    List<String> keys(String user) {
        List<String> keys = new ArrayList<>();
        for (JsonNode each : config.path("users")) {
            if (each.path("name").asText().equals(user)) {
                each.path("ssh_authorized_keys")
                        .forEach(key -> keys.add(key.asText().trim()));
            }
        }
        return keys;
    }

    Optional<SshKeyPair> hostKey() {
        JsonNode keys = config.path("ssh_keys");
        if (!keys.hasNonNull("ed25519_private")) {
            return Optional.empty();
        }
        return Optional.of(new SshKeyPair(
                SshPublicKey.of(keys.path("ed25519_public").asText()),
                Secret.of(keys.path("ed25519_private").asText())));
    }

    /** Whether there is more in it than a bootstrap: files, packages, commands, a script. */
    boolean needsCloudInit() {
        if (text.isBlank()) {
            return false;
        }
        if (!text.startsWith("#cloud-config")) {
            return true;
        }
        List<String> names = new ArrayList<>();
        config.fieldNames().forEachRemaining(names::add);
        return !BOOTSTRAP.containsAll(names) || config.path("users").size() > 2;
    }

    /** Hands it to the node's own cloud-init, all stages, as root. */
    String cloudInitScript() {
        String encoded =
                Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return """
                set -e
                command -v cloud-init >/dev/null || { echo 'cloud-init is not installed on this machine' >&2; exit 3; }
                umask 077
                mkdir -p /var/lib/cloud/seed/nocloud /etc/cloud/cloud.cfg.d
                base64 -d > /var/lib/cloud/seed/nocloud/user-data <<'END_OF_DATA'
                %s
                END_OF_DATA
                echo "instance-id: $(cat /etc/machine-id)" > /var/lib/cloud/seed/nocloud/meta-data
                printf 'datasource_list: [NoCloud]\\nnetwork: {config: disabled}\\nssh_deletekeys: false\\nlocale: false\\napt: {preserve_sources_list: true}\\n' \\
                  > /etc/cloud/cloud.cfg.d/99-emulator.cfg
                bin=/var/lib/emulator-bin
                mkdir -p $bin
                printf '#!/bin/sh\\nexit 0\\n' > $bin/systemd-detect-virt
                chmod 755 $bin $bin/systemd-detect-virt
                export PATH=$bin:$PATH DEBUG_PROC_CMDLINE=
                log=/var/log/cloud-init-output.log
                for stage in 'init --local' 'init' 'modules --mode=config' 'modules --mode=final'; do
                  cloud-init $stage >> "$log" 2>&1 || [ $? = 2 ] || {
                    echo "cloud-init $stage failed:" >&2; tail -n 20 "$log" >&2; exit 1
                  }
                done
                """.formatted(encoded);
    }
}
