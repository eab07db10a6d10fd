package io.clusterwright.linux.internal.ssh;

import java.nio.file.FileSystem;
import java.util.regex.Pattern;

/** The names that a node may give to files of this machine: each names a file in its folder, and nothing else. */
final class LocalNames {
    private static final Pattern POSIX = Pattern.compile("[^/\\x00]+");
    private static final Pattern WINDOWS = Pattern.compile("[^/\\\\:*?\"<>|\\x00-\\x1f]*[^/\\\\:*?\"<>|\\x00-\\x1f. ]");
    private static final Pattern DEVICE = Pattern.compile(
            "(?:CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])\\s*(?:\\..*)?",
            Pattern.CASE_INSENSITIVE);

    private LocalNames() {}

    /** Whether a file system is the file system of Windows. */
    static boolean isWindows(FileSystem system) {
        return system.getSeparator().equals("\\");
    }

    /** Whether this is the name of a file in its folder: no path, and on Windows no drive, stream or device. */
    static boolean isUsable(String name, boolean windows) {
        return !name.equals(".")
                && !name.equals("..")
                && POSIX.matcher(name).matches()
                && (!windows
                        || WINDOWS.matcher(name).matches()
                                && !DEVICE.matcher(name).matches());
    }

    /**
     * Whether a link leads to something in the folder of the copy. As every link of the copy does so, it may go through others, and up
     * only at its beginning: behind another link, the folder above may be any.
     *
     * @param depth the number of folders between the folder of the copy and the link
     */
    static boolean staysInside(String target, int depth, boolean windows) {
        if (target.isEmpty() || target.startsWith("/")) {
            return false;
        }
        int up = 0;
        boolean down = false;
        for (String part : target.split("/")) {
            if (part.equals("..")) {
                up++;
                if (down || up > depth) {
                    return false;
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                down = true;
                if (!isUsable(part, windows)) {
                    return false;
                }
            }
        }
        return true;
    }
}
