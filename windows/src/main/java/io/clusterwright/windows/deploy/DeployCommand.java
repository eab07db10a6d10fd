package io.clusterwright.windows.deploy;

import io.clusterwright.core.type.UserName;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The command that runs the deployment script. The password of the administrator is never part of it: the script asks. Immutable.
 *
 * <p>Running it creates machines that are billed. It validates the file, lists what it will make, and asks before it does.
 */
public final class DeployCommand {
    /** The name of the file that holds the command. */
    public static final String FILE_NAME = "New-HPCIaaSCluster.ps1.txt";

    private final String configFile;
    private final UserName administrator;
    private final @Nullable String image;
    private final @Nullable String logFile;
    private final boolean withoutAsking;
    private final boolean keepFailed;

    private DeployCommand(
            String configFile,
            UserName administrator,
            @Nullable String image,
            @Nullable String logFile,
            boolean withoutAsking,
            boolean keepFailed) {
        this.configFile = Objects.requireNonNull(configFile, "configFile");
        this.administrator = Objects.requireNonNull(administrator, "administrator");
        this.image = image;
        this.logFile = logFile;
        this.withoutAsking = withoutAsking;
        this.keepFailed = keepFailed;
    }

    /**
     * A command for a file.
     *
     * @param configFile its path on the client
     * @param administrator who administers machines and domain
     */
    public static DeployCommand of(String configFile, UserName administrator) {
        return new DeployCommand(configFile, administrator, null, null, false, false);
    }

    /** The same with an image of HPC Pack; only one of Microsoft's in the marketplace can be deployed. */
    public DeployCommand image(String name) {
        return new DeployCommand(configFile, administrator, name, logFile, withoutAsking, keepFailed);
    }

    /** The same with a log file; the log is written at the end of each phase. */
    public DeployCommand logFile(String path) {
        return new DeployCommand(configFile, administrator, image, path, withoutAsking, keepFailed);
    }

    /** The same without the question before the first machine is made. */
    public DeployCommand withoutAsking() {
        return new DeployCommand(configFile, administrator, image, logFile, true, keepFailed);
    }

    /** The same, but machines that failed stay, to be looked at and removed by hand; they are billed. */
    public DeployCommand keepFailed() {
        return new DeployCommand(configFile, administrator, image, logFile, withoutAsking, true);
    }

    /** The command, for PowerShell as administrator in the folder of the script. */
    @Override
    public String toString() {
        StringBuilder command = new StringBuilder(".\\New-HPCIaaSCluster.ps1");
        command.append(" -ConfigFile ").append(word(configFile));
        command.append(" -AdminUserName ").append(word(administrator.value()));
        Optional.ofNullable(image)
                .ifPresent(name -> command.append(" -HPCImageName ").append(word(name)));
        Optional.ofNullable(logFile)
                .ifPresent(path -> command.append(" -LogFile ").append(word(path)));
        command.append(withoutAsking ? " -Force" : "").append(keepFailed ? " -NoCleanOnFailure" : "");
        return command.toString();
    }

    private static String word(String text) {
        return text.matches("[A-Za-z0-9._:\\\\-]+") ? text : PowerShellQuoting.literal(text);
    }
}
