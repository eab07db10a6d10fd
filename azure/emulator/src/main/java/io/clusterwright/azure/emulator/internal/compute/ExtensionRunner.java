package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.guest.GuestHandlers;
import io.clusterwright.core.internal.text.TextResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Effects of extensions on their machines. */
final class ExtensionRunner {
    private static final Set<String> DRIVERS =
            Set.of("InfiniBandDriverLinux", "InfiniBandDriverWindows", "RDMAUpdateForLinux", "HpcVmDrivers");

    /** What needs a way to the Internet, in a script. */
    private static final Pattern DOWNLOADS = Pattern.compile(
            "(?m)\\b(apt|apt-get|aptitude|yum|dnf|zypper|pip3?)\\b.*\\b(update|install|upgrade)\\b|\\b(curl|wget)\\b.*\\bhttps?:");

    private static final List<String> KNOWN = TextResource.read(
                    ExtensionRunner.class.getResourceAsStream("extensions.txt"), "extensions.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();

    private final BackingMachines machines;

    ExtensionRunner(BackingMachines machines) {
        this.machines = machines;
    }

    static boolean isDriver(ObjectNode properties) {
        return DRIVERS.contains(Bodies.text(properties, "type"));
    }

    private static boolean isScript(ObjectNode properties) {
        String type = Bodies.text(properties, "type");
        return type.equals("CustomScript") || type.equals("CustomScriptForLinux");
    }

    /** Refuses an extension that is not in the repository or for another system, and a version that is not of two numbers. */
    private static void requireKnown(ObjectNode properties, String system) {
        String version = Bodies.text(properties, "typeHandlerVersion");
        refuse(!version.matches("\\d{1,9}\\.\\d{1,9}"), "InvalidParameter.value", "typeHandlerVersion");
        String name = Bodies.text(properties, "publisher") + " " + Bodies.text(properties, "type") + " "
                + version.replaceFirst("\\..*", "");
        String known = KNOWN.stream()
                .filter(each -> each.substring(0, each.lastIndexOf(' ')).equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> ArmException.of(
                        "ArtifactNotFound",
                        Bodies.text(properties, "publisher"),
                        Bodies.text(properties, "type"),
                        version));
        refuse(
                !known.endsWith(" " + system) && !known.endsWith(" any"),
                "OperationNotAllowed.extensionSystem",
                Bodies.text(properties, "publisher"),
                Bodies.text(properties, "type"),
                system);
    }

    /**
     * Refuses settings that the custom script extension refuses.
     *
     * @param system {@code Linux} or {@code Windows}
     */
    static void check(ObjectNode properties, String system) {
        requireKnown(properties, system);
        if (!isScript(properties)) {
            return;
        }
        JsonNode open = properties.path("settings");
        JsonNode closed = properties.path("protectedSettings");
        Set<String> both = new TreeSet<>();
        open.fieldNames().forEachRemaining(name -> {
            if (closed.has(name)) {
                both.add(name);
            }
        });
        boolean command = open.has("commandToExecute") || closed.has("commandToExecute");
        boolean script = open.has("script") || closed.has("script");
        refuse(command == script || !both.isEmpty(), "InvalidExtensionSettings");
    }

    /**
     * Runs it; the result is what it reports.
     *
     * @param wayOut whether the machine has a way to the Internet, from which drivers and packages come
     */
    CompletableFuture<String> run(ResourcePath machine, ObjectNode properties, boolean wayOut) {
        if (isDriver(properties)) {
            if (!wayOut) {
                return CompletableFuture.failedFuture(ArmException.of(
                        "VMExtensionProvisioningError.driver",
                        Bodies.text(properties, "publisher"),
                        Bodies.text(properties, "type")));
            }
            return machines.restart(machine).thenApply(started -> "Enable succeeded");
        }
        if (!isScript(properties)) {
            return CompletableFuture.completedFuture(GuestHandlers.NOT_RUN);
        }
        if (!properties.path("settings").path("fileUris").isEmpty()
                || !properties.path("protectedSettings").path("fileUris").isEmpty()) {
            return CompletableFuture.failedFuture(failure("Enable failed: failed to download files: the emulator has no"
                    + " way to any network; put the script into 'script' instead of 'fileUris'"));
        }
        if (!wayOut && DOWNLOADS.matcher(script(properties)).find()) {
            return CompletableFuture.failedFuture(
                    failure("Enable failed: failed to execute command: command terminated with"
                            + " exit status=100\n[stdout]\n\n[stderr]\nTemporary failure in name resolution"));
        }
        return machines.run(machine, script(properties)).thenApply(output -> {
            if (output.exit() != 0) {
                throw new CompletionException(
                        failure("Enable failed: failed to execute command: command terminated with"
                                + " exit status=" + output.exit() + "\n[stdout]\n" + output.stdout() + "\n[stderr]\n"
                                + output.stderr()));
            }
            return "Enable succeeded: \n[stdout]\n" + output.stdout() + "\n[stderr]\n" + output.stderr();
        });
    }

    private static ArmException failure(String message) {
        return ArmException.of("VMExtensionProvisioningError", message);
    }

    private static String script(ObjectNode properties) {
        for (String settings : new String[] {"protectedSettings", "settings"}) {
            String command = Bodies.text(properties, settings + ".commandToExecute");
            if (!command.isEmpty()) {
                return command;
            }
            String script = Bodies.text(properties, settings + ".script");
            if (!script.isEmpty()) {
                return decode(script);
            }
        }
        return "";
    }

    private static String decode(String script) {
        byte[] bytes = Base64.getMimeDecoder().decode(script);
        if (bytes.length > 1 && bytes[0] == 0x1f && (bytes[1] & 0xff) == 0x8b) {
            try (GZIPInputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                bytes = unzipped.readAllBytes();
            } catch (IOException e) {
                throw ArmException.of("InvalidExtensionSettings.gzip");
            }
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
