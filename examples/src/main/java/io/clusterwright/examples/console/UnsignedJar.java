package io.clusterwright.examples.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/** Copies a signed jar without its signatures, for the class path of the start scripts: a JVM keeps no class of a signed jar in an archive. */
public final class UnsignedJar {
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+[.](SF|RSA|DSA|EC)");

    private UnsignedJar() {}

    /** Takes the folder of the copy and the jar. Verifies each signature before the copy stands. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        Path signed = Path.of(arguments[1]);
        Path part = folder.resolve("part");
        try (JarFile jar = new JarFile(signed.toFile(), true);
                OutputStream file = Files.newOutputStream(part)) {
            copy(jar, file);
        }
        Files.move(part, folder.resolve(signed.getFileName()));
    }

    /** The entries of a jar but for its signatures, and the main section of its manifest, without the digests. */
    static void copy(JarFile jar, OutputStream file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putAll(jar.getManifest().getMainAttributes());
        try (JarOutputStream copy = new JarOutputStream(file, manifest)) {
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
