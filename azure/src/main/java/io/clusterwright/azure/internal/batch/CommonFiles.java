package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The common files of a multi-instance task: each of its nodes gets them into the task's shared folder before the coordination command.
 *
 * @param remote the files that are in storage, as Batch describes them
 * @param local the files of this machine, by their paths on the nodes
 * @param storage the container through which files of this machine go; null for none
 */
public record CommonFiles(
        List<ObjectNode> remote,
        Map<String, Path> local,
        @Nullable BatchStorage storage) {
    /** No files. */
    public static final CommonFiles NONE = new CommonFiles(List.of(), Map.of(), null);

    private static final String HELD = ".clusterwright-files/";
    private static final Pattern OUTSIDE = Pattern.compile("(.*/)?\\.\\.(/.*)?|.*/|\\s*|.*\\x00.*");
    /** What the node agent itself keeps in the folder. */
    private static final Set<String> TAKEN = Set.of("stdout.txt", "stderr.txt", "wd", "certs");

    private static final Pattern CONTAINER = Pattern.compile("(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");
    private static final int OWNER = 0600;

    /** Copies the collections. */
    public CommonFiles {
        remote = List.copyOf(remote);
        local = new LinkedHashMap<>(local);
    }

    public CommonFiles through(BatchStorage container) {
        return new CommonFiles(remote, local, container);
    }

    /** With one more file, from a URL. */
    public CommonFiles withUrl(URI url, String path) {
        relative(path);
        return with(Json.object().put("httpUrl", url(url)).put("filePath", path));
    }

    /** With the files of a container that its URL lets anyone list and read. */
    public CommonFiles withContainer(URI url, String prefix, String folder) {
        return with(inFolder(Json.object().put("storageContainerUrl", url(url)), prefix, folder));
    }

    /** With the files of a container of the storage account that is linked to the Batch account. */
    public CommonFiles withContainer(String container, String prefix, String folder) {
        if (!CONTAINER.matcher(container).matches()) {
            throw new InvalidValueException(
                    "storage container name",
                    container,
                    "3 to 63 lower-case letters, digits or single hyphens",
                    "cases");
        }
        return with(inFolder(Json.object().put("autoStorageContainerName", container), prefix, folder));
    }

    private static ObjectNode inFolder(ObjectNode file, String prefix, String folder) {
        if (!prefix.isEmpty()) {
            file.put("blobPrefix", prefix);
        }
        if (!folder.isEmpty()) {
            relative(folder);
            file.put("filePath", folder);
        }
        return file;
    }

    private CommonFiles with(ObjectNode file) {
        List<ObjectNode> all = new ArrayList<>(remote);
        all.add(file);
        return new CommonFiles(all, local, storage);
    }

    private static String url(URI url) {
        if (url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
            throw new InvalidValueException(
                    "job file URL",
                    url.toString().replaceFirst("\\?.*", "?…"),
                    "an http or https URL that a node can read without credentials",
                    "https://account.blob.core.windows.net/cases/case.xml?sv=…&sig=…");
        }
        return url.toString();
    }

    /**
     * With files of this machine.
     *
     * @throws InvalidValueException when there is no container for them, or a path is none
     */
    public CommonFiles withLocal(Map<String, Path> files) {
        if (storage == null) {
            throw InvalidValueException.of(
                    "Azure Batch nodes can read files from storage only",
                    "add BatchPool.storage(containerUrl), or use BatchPool.commonFile for files that are in storage already");
        }
        files.keySet().forEach(path -> relative(path.replaceFirst("^/+", "")));
        Map<String, Path> all = new LinkedHashMap<>(local);
        all.putAll(files);
        return new CommonFiles(remote, all, storage);
    }

    private static void relative(String path) {
        if (path.startsWith("/")
                || OUTSIDE.matcher(path).matches()
                || TAKEN.contains(path.replaceFirst("/.*", "").toLowerCase(Locale.ROOT))) {
            throw new InvalidValueException(
                    "file path on the nodes",
                    path,
                    "a relative path without '..'; Azure Batch reserves stdout.txt, stderr.txt, wd and certs",
                    "case.xml");
        }
    }

    /** The files as a task has them; files of this machine are sent to the container first. */
    ArrayNode resources() {
        ArrayNode all = Json.array();
        remote.forEach(all::add);
        int number = 0;
        for (Map.Entry<String, Path> file : local.entrySet()) {
            String path = file.getKey();
            BatchStorage container = storage;
            if (container == null) {
                throw new IllegalStateException("files without a container");
            }
            all.addObject()
                    .put("httpUrl", container.upload(file.getValue()))
                    .put("filePath", path.startsWith("/") ? HELD + number : path)
                    .put("fileMode", mode(file.getValue()));
            number++;
        }
        return all;
    }

    /** What each node runs before the coordination command: a file of an absolute path appears there when it is whole. */
    String placing() {
        StringBuilder script = new StringBuilder();
        int number = 0;
        for (String path : local.keySet()) {
            if (path.startsWith("/")) {
                String to = PosixShell.quote(path);
                script.append("cp -p \"$AZ_BATCH_TASK_SHARED_DIR/" + HELD + number + "\" " + to + ".$$ && mv -f " + to
                        + ".$$ " + to + " || exit 1\n");
            }
            number++;
        }
        return script.toString();
    }

    /** The permissions of a local file; its owner reads and writes it in any case, as Batch must. */
    private static String mode(Path file) {
        int mode = OWNER;
        try {
            for (PosixFilePermission permission : Files.getPosixFilePermissions(file)) {
                mode |= 0400 >> permission.ordinal();
            }
        } catch (UnsupportedOperationException | IOException e) {
            return "0770";
        }
        return String.format(Locale.ROOT, "%04o", mode);
    }

    /** The URLs may hold signatures. */
    @Override
    public String toString() {
        return remote.size() + local.size() + " common files";
    }
}
