package io.clusterwright.core.internal.planning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.InterpreterLine;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource.Archive;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.ImageReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The names of the images a spec leads to. A name holds a hash of everything the image is made from, the contents of scripts and files
 * included, so that an unchanged recipe finds its image and a changed one never finds a wrong one. What a node gets when it joins is not in
 * an image and not in its name: clusters that differ in names, number of nodes, addresses and keys share one image.
 *
 * @param image the name of the customised image
 * @param updates the name of the updated base
 */
public record ImageRecipe(String image, String updates) {
    private static final int DIGITS = 16;

    /** The recipe of a spec on a base. */
    public static ImageRecipe of(ClusterSpec spec, String baseFingerprint) {
        JsonNode content = content(spec);
        JsonNode updates = content.path("customize").path("updates");
        MessageDigest base = sha256();
        add(base, baseFingerprint, updates.toString());
        String updated = text(base);
        MessageDigest digest = sha256();
        add(digest, updated, content.toString(), spec.login().user().value());
        if (installsSlurm(spec)) {
            add(digest, "scheduler " + spec.scheduler());
        }
        if (spec.operatingSystem() == OperatingSystem.WINDOWS) {
            spec.hpcPack()
                    .map(HpcPackSpec::firewall)
                    .orElse(List.of())
                    .forEach(rule -> add(digest, "firewall", rule.name(), rule.program()));
        }
        List<Script> scripts = spec.image().customize().scripts();
        for (int i = 0; i < scripts.size(); i++) {
            addFile(digest, spec, script(i), scripts.get(i).path());
        }
        List<FileCopy> files = spec.image().customize().files();
        for (int i = 0; i < files.size(); i++) {
            addFile(digest, spec, file(i), files.get(i).from());
        }
        return new ImageRecipe("image-" + text(digest), "updates-" + updated);
    }

    /** The fields of {@code image} that change what is captured; contents of files are added by {@link #addFile}. */
    private static JsonNode content(ClusterSpec spec) {
        ObjectNode image = Json.object();
        if (tree(spec).get("image") instanceof ObjectNode given) {
            image.setAll(given);
        }
        image.remove("capture");
        if (spec.image().base() instanceof ImageReference.SystemFile) {
            // Its content identifies it.
            image.remove("base");
        }
        if (image.get("customize") instanceof ObjectNode customize) {
            // Written when a node joins.
            customize.remove("ssh");
            customize.path("scripts").forEach(script -> without(script, "path", "timeout"));
            customize.path("files").forEach(file -> without(file, "from"));
            // Its SHA-256 identifies it.
            without(customize.path("mpi").path("install"), "archive");
            if (customize.isEmpty()) {
                image.remove("customize");
            }
        }
        return image;
    }

    private static void without(JsonNode node, String... fields) {
        if (node instanceof ObjectNode object) {
            object.remove(List.of(fields));
        }
    }

    /** Whether nodes get a scheduler: one that the system cannot run is a finding. */
    public static boolean installsSlurm(ClusterSpec spec) {
        return spec.scheduler() == Scheduler.SLURM && spec.operatingSystem() == OperatingSystem.LINUX;
    }

    /** Whether nodes get the distribution's updates. */
    public static boolean installsUpdates(ClusterSpec spec) {
        return spec.image().customize().updates().install() != Updates.Install.NONE;
    }

    /** Whether nodes need more than their base image has. */
    public static boolean changesBase(ClusterSpec spec) {
        return installsSlurm(spec)
                || !spec.image().customize().equals(Customization.builder().build());
    }

    /** The problems of files that the spec copies or runs and that cannot be read. */
    static List<SpecProblem> unreadable(ClusterSpec spec) {
        List<SpecProblem> problems = new ArrayList<>();
        Customization customize = spec.image().customize();
        for (int i = 0; i < customize.scripts().size(); i++) {
            check(problems, script(i), spec, customize.scripts().get(i).path());
        }
        for (int i = 0; i < customize.files().size(); i++) {
            check(problems, file(i), spec, customize.files().get(i).from());
        }
        return problems;
    }

    private static String script(int index) {
        return "image.customize.scripts[" + index + "].path";
    }

    private static String file(int index) {
        return "image.customize.files[" + index + "].from";
    }

    /** The problems of scripts that Linux cannot run; none of scripts that cannot be read. */
    static List<SpecProblem> unfitScripts(ClusterSpec spec) {
        List<SpecProblem> problems = new ArrayList<>();
        List<Script> scripts = spec.operatingSystem() == OperatingSystem.LINUX
                ? spec.image().customize().scripts()
                : List.of();
        for (int i = 0; i < scripts.size(); i++) {
            Script script = scripts.get(i);
            Path file = spec.resolve(script.path());
            if (Files.isReadable(file) && !Files.isDirectory(file)) {
                String path = script(i);
                InterpreterLine.problem(start(spec, path, file))
                        .ifPresent(problem -> problems.add(SpecProblem.of(
                                path,
                                "script " + script.name() + " (" + file.normalize() + ") " + problem.fact(),
                                problem.remedy())));
            }
        }
        return problems;
    }

    private static byte[] start(ClusterSpec spec, String path, Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            return content.readNBytes(InterpreterLine.LONGEST);
        } catch (IOException e) {
            throw refused(spec, path, file, e);
        }
    }

    /** The problems of an archive of the MPI on this machine: that it cannot be read, or is not the one that the spec's digest names. */
    static List<SpecProblem> unfitArchive(ClusterSpec spec) {
        List<SpecProblem> problems = new ArrayList<>();
        if (spec.image().customize().mpi().map(MpiInstall::install).orElse(null) instanceof Archive source
                && source.file().isPresent()) {
            Path file = spec.resolve(source.file().get());
            check(
                    problems,
                    "image.customize.mpi.install.archive",
                    spec,
                    source.file().get());
            String found = problems.isEmpty() ? sha256(spec, file) : source.sha256();
            if (!found.equals(source.sha256())) {
                problems.add(SpecProblem.of(
                        "image.customize.mpi.install.sha256",
                        file + " has the SHA-256 " + found + ", and the spec expects another",
                        "check the source of the archive, and write the output of sha256sum"));
            }
        }
        return problems;
    }

    private static void check(List<SpecProblem> problems, String path, ClusterSpec spec, String name) {
        Path file = spec.baseFolder().resolve(name);
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            problems.add(unreadable(
                    path,
                    file,
                    Files.isDirectory(file) ? "it is a folder" : "there is no such file, or you may not read it"));
        }
    }

    private static SpecProblem unreadable(String path, Path file, String reason) {
        return SpecProblem.of(
                path,
                "cannot read " + (file.normalize().toString().isEmpty() ? file : file.normalize())
                        + ", a file that the spec copies or runs: " + reason,
                "correct the path; a path in a spec is relative to the folder of the spec");
    }

    private static JsonNode tree(ClusterSpec spec) {
        try {
            return Json.MAPPER.readTree(spec.toJson());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the spec's own JSON does not parse", e);
        }
    }

    private static void add(MessageDigest digest, String... parts) {
        for (String part : parts) {
            add(digest, part.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void add(MessageDigest digest, byte[] part) {
        digest.update((part.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(part);
    }

    private static void addFile(MessageDigest digest, ClusterSpec spec, String path, String name) {
        Path file = spec.baseFolder().resolve(name);
        try {
            add(digest, Files.readAllBytes(file));
        } catch (IOException e) {
            throw refused(spec, path, file, e);
        }
    }

    private static InvalidSpecException refused(ClusterSpec spec, String path, Path file, IOException reason) {
        return new InvalidSpecException(List.of(spec.located(unreadable(path, file, Reason.of(reason)))));
    }

    private static String sha256(ClusterSpec spec, Path file) {
        MessageDigest digest = sha256();
        try (InputStream content = new DigestInputStream(Files.newInputStream(file), digest)) {
            content.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw refused(spec, "image.customize.mpi.install.archive", file, e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
