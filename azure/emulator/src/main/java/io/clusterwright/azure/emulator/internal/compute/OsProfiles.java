package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.services.VaultCertificates;
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

/** Computer names, accounts, passwords, keys and first-boot data; passwords and custom data never come back. */
final class OsProfiles {
    static final String CUSTOM_DATA = "customData";

    /** What clients never read of a profile. */
    static final List<String> SECRETS = List.of(CUSTOM_DATA, "adminPassword");

    private static final int LARGEST_CUSTOM_DATA = 65_535;
    private static final Pattern NO_HOST_NAME = Pattern.compile("[`~!@#$%^&*()=+_\\[\\]{}\\\\|;:.'\",<>/?\\s]");
    private static final Set<String> TAKEN = Set.of(
            ("administrator admin user user1 test user2 test1 user3 admin1 1 123 a actuser adm admin2 aspnet backup console"
                            + " david guest john owner root server sql support support_388945a0 sys test2 test3 user4 user5")
                    .split(" "));
    private static final Set<String> WEAK = Set.of(
            ("abc@123 P@$$w0rd P@ssw0rd P@ssword123 Pa$$word pass@word1 Password! Password1 Password22 iloveyou!")
                    .split(" "));
    private static final List<Pattern> KINDS =
            Stream.of("[A-Z]", "[a-z]", "\\d", "[\\W_]").map(Pattern::compile).toList();
    private static final int SMALLEST_RSA = 2048;
    private static final int LONGEST_PART = 16_384;

    private OsProfiles() {}

    /**
     * Checks and completes the profile of a new machine or scale set.
     *
     * @param profile the properties of the machine, or the model of the set
     */
    static void create(Draft draft, Draft profile, StorageProfiles.Image image, boolean set) {
        if (image.specialized()) {
            refuse(profile.has("osProfile"), "InvalidParameter.osProfile");
            return;
        }
        boolean windows = image.system().equals("Windows");
        refuseMissing(!set && !profile.at("osProfile").isObject(), "osProfile");
        Draft os = profile.part("osProfile");
        if (set) {
            refuseMissing(!os.has("computerNamePrefix"), "osProfile.computerNamePrefix");
            requireComputerName(os.text("computerNamePrefix"), windows, windows ? 9 : 58);
        } else {
            os.standard("computerName", draft.name());
            requireComputerName(os.text("computerName"), windows, windows ? 15 : 64);
        }
        requireAccount(os, windows);
        MachineProfile.requireEncoded(
                os.text(CUSTOM_DATA), LARGEST_CUSTOM_DATA, "InvalidParameter.customData", "InvalidParameter.encoding");
        os.array("secrets");
        os.standard("allowExtensionOperations", true);
        if (windows) {
            refuseMissing(!os.has("adminPassword"), "osProfile.adminPassword");
            os.standard("windowsConfiguration.provisionVMAgent", true);
        } else {
            requireLinux(os);
        }
        if (set) {
            VaultCertificates.check(os.body(), image.system());
            new VaultCertificates(draft.cloud()).fetch(os.body(), draft.region());
        }
    }

    /** Refuses a computer name, or the prefix of one, that the system cannot have. */
    private static void requireComputerName(String name, boolean windows, int most) {
        boolean digits = windows && name.chars().allMatch(Character::isDigit);
        boolean signs =
                NO_HOST_NAME.matcher(windows ? name : name.replace(".", "")).find();
        refuse(
                name.length() > most || digits || signs,
                windows ? "InvalidParameter.windowsName" : "InvalidParameter.linuxName",
                most);
    }

    private static void requireLinux(Draft os) {
        refuseValue(os.has("windowsConfiguration"), "windowsConfiguration");
        boolean password = os.has("adminPassword");
        os.standard("linuxConfiguration.disablePasswordAuthentication", !password);
        os.standard("linuxConfiguration.provisionVMAgent", true);
        boolean keys = !os.at("linuxConfiguration.ssh.publicKeys").isEmpty();
        boolean locked = os.isTrue("linuxConfiguration.disablePasswordAuthentication");
        refuse(!keys && (!password || locked), "InvalidParameter.authentication");
    }

    /** Refuses an account that no machine of this system can have. */
    private static void requireAccount(Draft os, boolean windows) {
        String user = os.text("adminUsername");
        refuseMissing(user.isEmpty(), "osProfile.adminUsername");
        boolean taken = TAKEN.contains(user.toLowerCase(Locale.ROOT));
        boolean longName = user.length() > (windows ? 20 : 64);
        refuse(taken || longName || windows && user.endsWith("."), "InvalidParameter.adminUsername");
        if (os.has("adminPassword")) {
            requirePassword(os.text("adminPassword"), windows ? 8 : 6, windows ? 123 : 72);
        }
        String path = "/home/" + user + "/.ssh/authorized_keys";
        for (ObjectNode key : os.objects("linuxConfiguration.ssh.publicKeys")) {
            refuse(!Bodies.text(key, "path").equals(path), "InvalidParameter.keyPath", path);
            refuseValue(!isKey(Bodies.text(key, "keyData").trim()), "linuxConfiguration.ssh.publicKeys.keyData");
        }
    }

    private static void requirePassword(String password, int least, int most) {
        long kinds =
                KINDS.stream().filter(kind -> kind.matcher(password).find()).count();
        boolean fits = password.length() >= least && password.length() <= most;
        refuse(!fits || kinds < 3, "InvalidParameter.adminPassword", least, most);
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
            return type.equals(words[0])
                    && switch (type) {
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

    /** Refuses other custom data than the machine started with. */
    static void update(Draft machine) {
        String data = machine.text("properties.osProfile." + CUSTOM_DATA);
        boolean same = machine.resourceBefore().isHidden(CUSTOM_DATA, data);
        if (!data.isEmpty() && !same) {
            throw ArmException.of("PropertyChangeNotAllowed", "osProfile.customData");
        }
    }

    /** Takes the secrets out of what clients can read. */
    static void hideSecrets(Resource machine) {
        if (machine.at("properties.osProfile") instanceof ObjectNode profile) {
            String data = Bodies.text(profile, CUSTOM_DATA);
            if (!data.isEmpty()) {
                machine.hide(CUSTOM_DATA, data);
            }
            profile.remove(SECRETS);
        }
    }
}
