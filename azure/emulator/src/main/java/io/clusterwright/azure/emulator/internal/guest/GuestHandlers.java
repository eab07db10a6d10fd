package io.clusterwright.azure.emulator.internal.guest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.services.VaultCertificates;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks what the extensions of HPC Pack and of Windows domains need of their settings and of their machine. None of them is run: without a
 * problem, an extension has only been accepted.
 */
public final class GuestHandlers {
    /** The report of an extension that was checked, and not run. */
    public static final String NOT_RUN = "The settings were accepted; the emulator does not run this extension";

    static final String JOIN = "JsonADDomainExtension";

    private static final String DSC = "DSC";
    private static final String WINDOWS_AGENT = "HPCComputeNode";
    private static final String LINUX_AGENT = "LinuxNodeAgent2016U1";
    private static final Set<String> CHECKED = Set.of(
            DSC.toLowerCase(Locale.ROOT),
            JOIN.toLowerCase(Locale.ROOT),
            WINDOWS_AGENT.toLowerCase(Locale.ROOT),
            LINUX_AGENT.toLowerCase(Locale.ROOT));

    /** Sizes that have a disk for temporary files only if their name has a d. */
    private static final Pattern NEWER_SIZE =
            Pattern.compile("Standard_[DE]\\d+(?:-\\d+)?([a-z]*)_v[4-9]", Pattern.CASE_INSENSITIVE);

    private final Domains domains;

    public GuestHandlers(Cloud cloud) {
        this.domains = new Domains(cloud);
    }

    /** Whether an extension is checked against its machine. */
    public static boolean isChecked(JsonNode properties) {
        return CHECKED.contains(Bodies.text(properties, "type").toLowerCase(Locale.ROOT));
    }

    /**
     * The failure that the extension would report, as far as it can be seen from outside of the machine.
     *
     * @param wayOut whether the machine has a way to the Internet
     */
    public Optional<String> problem(Resource machine, ObjectNode properties, boolean wayOut) {
        return switch (Bodies.text(properties, "type").toLowerCase(Locale.ROOT)) {
            case "dsc" -> dsc(machine, properties, wayOut);
            case "jsonaddomainextension" -> join(machine, properties);
            case "hpccomputenode" -> windowsAgent(machine, properties);
            case "linuxnodeagent2016u1" ->
                required(properties, "settings.ClusterConnectionString", "settings.SSLThumbprint")
                        .or(() -> certificate(machine, Bodies.text(properties, "settings.SSLThumbprint")));
            default -> Optional.empty();
        };
    }

    private static Optional<String> required(ObjectNode properties, String... paths) {
        return List.of(paths).stream()
                .filter(path -> Bodies.text(properties, path).isEmpty())
                .findFirst()
                .map(path -> "'" + path.replaceFirst(".*\\.", "") + "' is missing in the "
                        + (path.startsWith("protected") ? "protected" : "public") + " settings");
    }

    private static Optional<String> certificate(Resource machine, String thumbprint) {
        return VaultCertificates.isInstalled(machine, thumbprint)
                ? Optional.empty()
                : Optional.of("The certificate with thumbprint " + thumbprint + " was not found on the machine");
    }

    private Optional<String> domain(Resource machine, String domain) {
        return domains.isFound(machine, domain)
                ? Optional.empty()
                : Optional.of("Exception(s) occurred while joining Domain '" + domain + "'");
    }

    private Optional<String> join(Resource machine, ObjectNode properties) {
        return required(properties, "settings.Name", "settings.User", "protectedSettings.Password")
                .or(() -> domain(machine, Bodies.text(properties, "settings.Name")));
    }

    private Optional<String> windowsAgent(Resource machine, ObjectNode properties) {
        Optional<String> problem = required(properties, "settings.headNodeList", "settings.certThumbprint")
                .or(() -> certificate(machine, Bodies.text(properties, "settings.certThumbprint")));
        if (Bodies.isTrue(properties, "settings.nonDomainRole")) {
            return problem;
        }
        return problem.or(() -> required(
                        properties, "settings.domainName", "settings.userName", "protectedSettings.userPassword"))
                .or(() -> domain(machine, Bodies.text(properties, "settings.domainName")));
    }

    private Optional<String> dsc(Resource machine, ObjectNode properties, boolean wayOut) {
        JsonNode settings = properties.path("settings");
        Optional<String> missing = required(
                properties,
                "settings.configuration.url",
                "settings.configuration.script",
                "settings.configuration.function");
        if (missing.isPresent()) {
            return missing;
        }
        Optional<DscConfiguration> known = DscConfiguration.of(settings);
        if (known.isEmpty() || !wayOut) {
            return Optional.of("Failed to download the configuration archive "
                    + Bodies.text(settings, "configuration.url")
                    + (wayOut ? ": the emulator has no way to any network, and does not know this archive" : ""));
        }
        DscConfiguration configuration = known.get();
        ObjectNode arguments = DscConfiguration.arguments(properties);
        return configuration
                .problem(settings, arguments)
                .or(() -> disks(machine, configuration.disks()))
                .or(() -> switch (configuration.name()) {
                    case "InstallPrimaryHeadNode" -> head(machine, arguments);
                    case "JoinADDomain" -> domain(machine, Bodies.text(arguments, "DomainName"));
                    default -> Optional.empty();
                });
    }

    private static Optional<String> disks(Resource machine, int needed) {
        Matcher size = NEWER_SIZE.matcher(machine.text("properties.hardwareProfile.vmSize"));
        boolean temporary = !size.matches() || size.group(1).contains("d");
        int data = machine.objects("properties.storageProfile.dataDisks").size();
        int there = 1 + (temporary ? 1 : 0) + data;
        return there >= needed
                ? Optional.empty()
                : Optional.of("xWaitforDisk timed out: the configuration waits for disk number " + (needed - 1)
                        + " and the last disk of the machine has number " + (there - 1));
    }

    private Optional<String> head(Resource machine, ObjectNode arguments) {
        JsonNode image = machine.at("properties.storageProfile.imageReference");
        if (!Bodies.text(image, "offer").equalsIgnoreCase("WindowsServerHPCPack")
                && Bodies.text(arguments, "SetupPkgPath").isEmpty()
                && Bodies.text(image, "id").isEmpty()) {
            return Optional.of("C:\\HPCPack2019 does not exist on the image of the machine");
        }
        if (Bodies.text(arguments, "SetupUserCredential.UserName").contains("\\") && !domains.isJoined(machine)) {
            return Optional.of(
                    "The user name or password of SetupUserCredential is incorrect: the machine is in no domain");
        }
        return certificate(machine, Bodies.text(arguments, "SSLThumbprint"));
    }
}
