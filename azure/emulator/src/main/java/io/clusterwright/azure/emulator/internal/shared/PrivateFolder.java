package io.clusterwright.azure.emulator.internal.shared;

import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.file.PrivateFiles.Ownership;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The folder of a shared emulator, which no other user may read or change: its record has the token of real machines. */
public final class PrivateFolder {
    private PrivateFolder() {}

    /**
     * Makes the folder where it is absent, with mode 0700.
     *
     * @throws ClusterwrightException when it cannot be made, is a link, or another user owns it or may write to it
     */
    public static void create(Path folder) {
        try {
            boolean exists = Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
            if (exists) {
                requireOwn(folder);
            }
            PrivateFiles.requireOwn(
                    folder,
                    (reason, remedy) -> new ClusterwrightException("The emulated Azure does not use " + folder + ": "
                            + reason + ". Set CLUSTERWRIGHT_STATE to a folder of your own, or " + remedy));
            if (!exists) {
                PrivateFiles.createFolders(folder);
                requireOwn(folder);
            }
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "Cannot create the folder of the emulated Azure " + folder + ": " + Reason.of(e)
                            + ". Set CLUSTERWRIGHT_STATE to a folder of your own.",
                    e);
        }
    }

    /** Refuses a file or folder that is a link, or that another user owns or may write to. */
    static void requireOwn(Path path) throws IOException {
        Ownership ownership = Ownership.of(path);
        if (ownership.isLink()) {
            throw unsafe(path, "is a symbolic link");
        }
        if (!ownership.isOurs()) {
            throw unsafe(
                    path,
                    "belongs to the user with number " + ownership.user()
                            + ", who is not the one that runs this program");
        }
        if (ownership.isWritableByOthers()) {
            throw unsafe(path, "may be written by other users");
        }
    }

    private static ClusterwrightException unsafe(Path path, String why) {
        return new ClusterwrightException("The emulated Azure does not use " + path + ", because it " + why
                + ". Delete it, or choose another state folder with CLUSTERWRIGHT_STATE.");
    }
}
