package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.InvalidValueException;
import java.util.regex.Pattern;

/**
 * The private folder of one job on its launch node. Use it for the paths of the files that a launcher needs. Its name
 * is the job's token, by which every process of the job is found again: it stands in the environment of each rank and
 * on the command line of each helper.
 *
 * @param token {@code cwjob-} and 16 hexadecimal digits
 * @see Launcher
 */
public record JobFolder(String token) {
    /** The environment variable that carries the token to every rank. */
    public static final String VARIABLE = "CLUSTERWRIGHT_JOB";

    private static final Pattern TOKEN = Pattern.compile("cwjob-[0-9a-f]{16}");

    /**
     * Checks the token.
     *
     * @throws InvalidValueException when it does not have its form
     */
    public JobFolder {
        if (!TOKEN.matcher(token).matches()) {
            throw new InvalidValueException(
                    "job token", token, "cwjob- and 16 hexadecimal digits", "cwjob-0123456789abcdef");
        }
    }

    /** The folder's absolute path. */
    public String path() {
        return "/tmp/" + token;
    }

    /** The absolute path of a file in the folder. */
    public String path(String file) {
        return path() + "/" + file;
    }
}
