package io.clusterwright.examples.cli;

import io.clusterwright.azure.BatchPool;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.MpiJob;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that every node of a job of Azure Batch gets before it starts. */
final class CommonFileOptions {
    private static final String VARIABLE = "CLUSTERWRIGHT_BATCH_STORAGE";
    private static final String AUTO = "autostorage:";
    private static final Pattern URL = Pattern.compile("(?<url>https?://[^/]+/[^:]*)(:(?<path>.+))?");
    private static final Pattern STORED =
            Pattern.compile(AUTO + "(?<container>[^/:]+)(/(?<prefix>[^:]*))?(:(?<path>.+))?");

    @Option(
            names = "--stage-in",
            paramLabel = "FILE[:PATH]",
            description = "File for every node, copied before the job to the folder in which the ranks start, or to an"
                    + " absolute PATH. Either a local file, sent through the container with the signed URL in "
                    + VARIABLE
                    + "; or a URL (write ':' as %%3A), where a URL that ends in / means all files of a container"
                    + " or folder; or autostorage:CONTAINER[/PREFIX]. May be given several times.")
    private List<String> files = List.of();

    /** The pool whose jobs get the files that are in storage. */
    BatchPool pool(BatchPool pool) {
        BatchPool with = pool;
        for (String file : files) {
            try {
                with = stored(with, file);
            } catch (InvalidValueException | IllegalArgumentException e) {
                throw new RefusedException("--stage-in " + masked(file) + ": " + e.getMessage());
            }
        }
        if (local().isEmpty()) {
            return with;
        }
        String container = System.getenv(VARIABLE);
        if (container == null || container.isBlank()) {
            throw new RefusedException(
                    "--stage-in " + local().keySet().iterator().next()
                            + ": Azure Batch nodes can read files from storage only. Write the URL of a file in"
                            + " storage, or run, with your account and container: export " + VARIABLE
                            + "=\"https://ACCOUNT.blob.core.windows.net/CONTAINER?$(az storage container generate-sas"
                            + " --account-name ACCOUNT --name CONTAINER --permissions rcw --expiry "
                            + LocalDate.now(ZoneOffset.UTC).plusDays(2) + " --https-only --output tsv)\"");
        }
        try {
            return with.storage(Secret.of(container));
        } catch (InvalidValueException e) {
            throw new RefusedException(VARIABLE + ": " + e.getMessage());
        }
    }

    private static BatchPool stored(BatchPool pool, String file) {
        Matcher auto = STORED.matcher(file);
        if (auto.matches()) {
            return pool.commonFiles(auto.group("container"), or(auto.group("prefix")), or(auto.group("path")));
        }
        Matcher url = URL.matcher(file);
        if (!url.matches()) {
            return pool;
        }
        URI from = URI.create(url.group("url"));
        String name = from.getPath();
        if (!name.endsWith("/")) {
            String path = or(url.group("path"));
            return pool.commonFile(from, path.isEmpty() ? name.substring(name.lastIndexOf('/') + 1) : path);
        }
        String[] parts = from.getRawPath().substring(1).split("/", 2);
        String query = from.getRawQuery() == null ? "" : "?" + from.getRawQuery();
        URI container = URI.create(from.getScheme() + "://" + from.getRawAuthority() + "/" + parts[0] + query);
        String prefix = name.substring(1).contains("/") ? name.substring(name.indexOf('/', 1) + 1) : "";
        return pool.commonFiles(container, prefix, or(url.group("path")));
    }

    /** The job with the files of this machine. */
    MpiJob job(MpiJob job) {
        MpiJob with = job;
        for (Map.Entry<String, Path> file : local().entrySet()) {
            String path = file.getKey().substring(file.getValue().toString().length());
            with = with.stageIn(
                    file.getValue(),
                    path.isEmpty() ? String.valueOf(file.getValue().getFileName()) : path.substring(1));
        }
        return with;
    }

    /** The local files by what was given. */
    private Map<String, Path> local() {
        Map<String, Path> all = new LinkedHashMap<>();
        for (String file : files) {
            if (file.startsWith(AUTO) || URL.matcher(file).matches()) {
                continue;
            }
            FileSystem system = FileSystems.getDefault();
            int colon = file.indexOf(':', JobOptions.endOfDrive(file, system));
            String path = colon < 1 || JobOptions.isFile(file, system) ? file : file.substring(0, colon);
            if (!JobOptions.isFile(path, system)) {
                throw new RefusedException("--stage-in " + file + ": there is no file " + path
                        + "; write FILE, FILE:PATH, a URL, or autostorage:CONTAINER");
            }
            all.put(file, Path.of(path));
        }
        return all;
    }

    private static String masked(String file) {
        return file.replaceFirst("\\?[^:]*", "?…");
    }

    private static String or(@Nullable String text) {
        return text == null ? "" : text;
    }
}
