package io.clusterwright.linux.internal.customize;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.clusterwright.core.type.FileMode;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.NetworkConfigGuard;
import io.clusterwright.linux.UneditableFileException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * User data for cloud-init, the first start of a machine: its name, accounts, its host
 * key, files and commands.
 */
public final class CloudInit {
    private static final YAMLMapper QUOTED = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
            .build();

    private static final YAMLMapper BLOCKS = QUOTED.copy().enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE);

    /** Line ends in YAML 1.1 besides line feed and return; a reader of a block turns U+0085 into a line feed. */
    private static final Pattern OTHER_LINE_ENDS = Pattern.compile("[\u0085\u2028\u2029]");

    private final ObjectNode content = QUOTED.createObjectNode();

    /** User data without any setting. */
    public CloudInit() {}

    /** The machine's name; its hosts file is left alone, so that the name never stands for 127.0.1.1. */
    public CloudInit hostname(NodeName name) {
        content.put("hostname", name.value()).put("preserve_hostname", false).put("manage_etc_hosts", false);
        return this;
    }

    /**
     * Adds an account that logs in with these keys only and may do everything through sudo without a prompt.
     *
     * <p>Beside it, the account that the image or the cloud would make is made too.
     *
     * @param groups groups it belongs to beside its own; made when absent
     * @throws InvalidValueException when there is no key, so that no one could log in
     */
    public CloudInit addUser(UserName name, List<GroupName> groups, List<SshPublicKey> keys) {
        if (keys.isEmpty()) {
            throw InvalidValueException.of(
                    "account " + name + " has no key, so no login is possible",
                    "add a public key (example: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI...)");
        }
        return user(name, groups, keys, Map.of("sudo", "ALL=(ALL) NOPASSWD:ALL"));
    }

    /**
     * Adds an account without the right to use sudo, such as one for jobs.
     *
     * <p>Beside it, the account that the image or the cloud would make is made too.
     *
     * @param groups groups it belongs to beside its own; made when absent
     * @param keys the keys it logs in with; with none, logins are refused until some are added
     */
    public CloudInit addAccount(UserName name, List<GroupName> groups, List<SshPublicKey> keys) {
        return user(name, groups, keys, Map.of());
    }

    private CloudInit user(UserName name, List<GroupName> groups, List<SshPublicKey> keys, Map<String, String> rights) {
        ArrayNode users = content.withArray("/users");
        if (users.isEmpty()) {
            users.add("default");
        }
        ObjectNode user = users.addObject().put("name", name.value());
        if (!groups.isEmpty()) {
            ArrayNode own = user.putArray("groups");
            groups.forEach(group -> own.add(group.value()));
        }
        user.put("shell", "/bin/bash");
        rights.forEach(user::put);
        user.put("lock_passwd", true);
        if (!keys.isEmpty()) {
            ArrayNode authorized = user.putArray("ssh_authorized_keys");
            keys.forEach(key -> authorized.add(key.toString()));
        }
        return this;
    }

    /** Runs a command as root, once, when everything else is done; commands run in the order in which they are added. */
    public CloudInit addCommand(List<String> words) {
        ArrayNode command = content.withArray("/runcmd").addArray();
        words.forEach(command::add);
        return this;
    }

    /**
     * The host key, instead of the keys of the image and of any that would be generated.
     *
     * @param privateKey in the form of OpenSSH
     * @param publicKey of the type ssh-ed25519
     * @throws InvalidValueException when the key is of another type
     */
    public CloudInit hostKey(Secret privateKey, SshPublicKey publicKey) {
        if (!publicKey.type().equals("ssh-ed25519")) {
            throw new InvalidValueException("host key type", publicKey.type(), "ssh-ed25519", "ssh-ed25519");
        }
        content.put("ssh_deletekeys", true)
                .putObject("ssh_keys")
                .put("ed25519_private", privateKey.reveal())
                .put("ed25519_public", publicKey.toString());
        return this;
    }

    /** Adds a text file that belongs to root; as {@link #addFile(String, byte[], FileMode)}. */
    public CloudInit addFile(String path, String text, FileMode mode) {
        return addFile(path, text.getBytes(StandardCharsets.UTF_8), mode);
    }

    /**
     * Adds a file that belongs to root, of any bytes: as text where they are UTF-8.
     *
     * @param path where it goes, absolute
     * @throws InvalidValueException when the path is not absolute
     * @throws UneditableFileException when {@link NetworkConfigGuard} refuses
     */
    public CloudInit addFile(String path, byte[] content, FileMode mode) {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new InvalidValueException("file path", path, "an absolute path", "/opt/app/solver.conf");
        }
        NetworkConfigGuard.check(path, new String(content, StandardCharsets.ISO_8859_1));
        ObjectNode file = this.content
                .withArray("/write_files")
                .addObject()
                .put("path", path)
                .put("permissions", mode.toString());
        String text = new String(content, StandardCharsets.UTF_8);
        if (Arrays.equals(text.getBytes(StandardCharsets.UTF_8), content) && text.indexOf('\0') < 0) {
            file.put("content", text);
        } else {
            file.put("encoding", "b64").put("content", Base64.getEncoder().encodeToString(content));
        }
        return this;
    }

    /** The user data; secret as a whole, because a host key or a file in it may be. */
    public Secret text() {
        try {
            YAMLMapper form = OTHER_LINE_ENDS.matcher(content.toString()).find() ? QUOTED : BLOCKS;
            return Secret.of("#cloud-config\n" + form.writeValueAsString(content));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of texts can always be written as YAML", e);
        }
    }
}
