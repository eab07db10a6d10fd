package io.clusterwright.examples.start;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.Deflater;

/**
 * Copies signed jars without their signatures, for the class path of the start scripts: a JVM keeps no class of a signed jar in an archive, and
 * checks its signature in each start. The copies are not compressed.
 */
public final class UnsignedJar {
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+[.](SF|RSA|DSA|EC)");

    private UnsignedJar() {}

    /** Takes the folder of the copies, and jars, of which it copies the signed ones. Verifies each signature before the copy stands. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        for (String argument : Arrays.asList(arguments).subList(1, arguments.length)) {
            Path given = Path.of(argument);
            try (JarFile jar = new JarFile(given.toFile(), true)) {
                if (isSigned(jar)) {
                    Path part = folder.resolve("part");
                    try (OutputStream file = Files.newOutputStream(part)) {
                        copy(jar, file);
                    }
                    Files.move(part, folder.resolve(given.getFileName()));
                }
            }
        }
    }

    private static boolean isSigned(JarFile jar) {
        return jar.stream().anyMatch(entry -> SIGNATURE.matcher(entry.getName()).matches());
    }

    /** The entries of a jar but for its signatures, and the main section of its manifest, without the digests. */
    static void copy(JarFile jar, OutputStream file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putAll(jar.getManifest().getMainAttributes());
        try (JarOutputStream copy = new JarOutputStream(file, manifest)) {
            copy.setLevel(Deflater.NO_COMPRESSION);
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.getName().equals(JarFile.MANIFEST_NAME)
                        && !SIGNATURE.matcher(entry.getName()).matches()) {
                    copy.putNextEntry(new JarEntry(entry.getName()));
                    jar.getInputStream(entry).transferTo(copy);
                    copy.closeEntry();
                }
            }
        }
    }
}
