package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names, passwords and keys that the account of a new machine can have. */
final class AdminAccounts {
    private static final Set<String> TAKEN = Set.of(
            "administrator",
            "admin",
            "user",
            "user1",
            "test",
            "user2",
            "test1",
            "user3",
            "admin1",
            "1",
            "123",
            "a",
            "actuser",
            "adm",
            "admin2",
            "aspnet",
            "backup",
            "console",
            "david",
            "guest",
            "john",
            "owner",
            "root",
            "server",
            "sql",
            "support",
            "support_388945a0",
            "sys",
            "test2",
            "test3",
            "user4",
            "user5");
    private static final Set<String> WEAK = Set.of(
            "abc@123",
            "P@$$w0rd",
            "P@ssw0rd",
            "P@ssword123",
            "Pa$$word",
            "pass@word1",
            "Password!",
            "Password1",
            "Password22",
            "iloveyou!");
    private static final List<Pattern> KINDS =
            Stream.of("[A-Z]", "[a-z]", "\\d", "[\\W_]").map(Pattern::compile).toList();
    private static final int SMALLEST_RSA = 2048;
    private static final int LONGEST_PART = 16_384;

    private AdminAccounts() {}

    /** Refuses an account that no machine of this system can have. */
    static void check(ObjectNode profile, String system) {
        boolean windows = system.equals("Windows");
        String user = Bodies.text(profile, "adminUsername");
        refuse(
                TAKEN.contains(user.toLowerCase(Locale.ROOT))
                        || user.length() > (windows ? 20 : 64)
                        || windows && user.endsWith("."),
                "InvalidParameter.adminUsername");
        String password = Bodies.text(profile, "adminPassword");
        if (!password.isEmpty()) {
            password(password, windows ? 8 : 6, windows ? 123 : 72);
        }
        for (ObjectNode key : Bodies.objects(profile, "linuxConfiguration.ssh.publicKeys")) {
            String path = "/home/" + user + "/.ssh/authorized_keys";
            refuse(!Bodies.text(key, "path").equals(path), "InvalidParameter.keyPath", path);
            refuse(
                    !isKey(Bodies.text(key, "keyData").trim()),
                    "InvalidParameter.value",
                    "linuxConfiguration.ssh.publicKeys.keyData");
        }
    }

    private static void password(String password, int least, int most) {
        long kinds =
                KINDS.stream().filter(kind -> kind.matcher(password).find()).count();
        refuse(
                password.length() < least || password.length() > most || kinds < 3,
                "InvalidParameter.adminPassword",
                least,
                most);
        refuse(WEAK.contains(password), "InvalidParameter.weakPassword");
    }

    /** Whether this is an RSA key of at least 2,048 bits or an Ed25519 key, in the form of OpenSSH. */
    private static boolean isKey(String line) {
        String[] words = line.split("\\s+", 3);
        if (words.length < 2) {
            return false;
        }
        try {
            ByteBuffer data = ByteBuffer.wrap(Base64.getDecoder().decode(words[1]));
            String type = new String(part(data), StandardCharsets.US_ASCII);
            byte[] first = part(data);
            if (!type.equals(words[0])) {
                return false;
            }
            return switch (type) {
                case "ssh-ed25519" -> first.length == 32;
                case "ssh-rsa" -> new BigInteger(1, part(data)).bitLength() >= SMALLEST_RSA;
                default -> false;
            };
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            return false;
        }
    }

    private static byte[] part(ByteBuffer data) {
        int length = data.getInt();
        if (length < 0 || length > Math.min(LONGEST_PART, data.remaining())) {
            throw new IllegalArgumentException();
        }
        byte[] part = new byte[length];
        data.get(part);
        return part;
    }
}
