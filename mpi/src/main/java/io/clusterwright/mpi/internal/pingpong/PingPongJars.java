package io.clusterwright.mpi.internal.pingpong;

import io.clusterwright.mpi.internal.pingpong.MpiLibrary.MpiUnavailableException;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import jnr.ffi.LibraryLoader;

/** The class path of {@link JavaPingPong}: seven small files. */
public final class PingPongJars {
    /** A class of each library; by name, since two of them are modules without one. */
    private static final List<String> LIBRARIES = List.of(
            "jnr.ffi.LibraryLoader",
            "com.kenai.jffi.Invoker",
            "jnr.x86asm.Assembler",
            "jnr.a64asm.Assembler_A64",
            "org.objectweb.asm.ClassWriter");

    /** Holds the native part, for every system, of what calls native functions. */
    private static final String NATIVE_PART = "jni/x86_64-Linux/libjffi-1.2.so";

    static final List<Class<?>> OWN = List.of(
            JavaPingPong.class,
            PingPong.class,
            PingPong.Messages.class,
            PingPongOptions.class,
            MpiLibrary.MpiFunctions.class,
            MpiLibrary.class,
            MpiLibrary.Buffer.class,
            MpiLibrary.Transfer.class,
            MpiLibrary.DynamicLinker.class,
            MpiLibrary.Environment.class,
            MpiUnavailableException.class);

    private PingPongJars() {}

    /** The libraries by the name of their file. */
    public static Map<String, Path> files() {
        Map<String, Path> files = new LinkedHashMap<>();
        for (String type : LIBRARIES) {
            Path file = path(library(type).getProtectionDomain().getCodeSource().getLocation());
            files.put(file.getFileName().toString(), file);
        }
        Path natives = nativePart();
        files.put(natives.getFileName().toString(), natives);
        return files;
    }

    /** The classes of this package that the program consists of, as an archive. */
    public static byte[] ownClasses() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (Class<?> type : OWN) {
                String name = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(name));
                jar.write(content(name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] content(String name) throws IOException {
        try (InputStream in = PingPongJars.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new FileNotFoundException(name + " is missing from this module");
            }
            return in.readAllBytes();
        }
    }

    private static Class<?> library(String type) {
        try {
            return Class.forName(type, false, PingPongJars.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("class " + type + ", which jnr-ffi needs, is not on the class path", e);
        }
    }

    private static Path nativePart() {
        URL part = LibraryLoader.class.getClassLoader().getResource(NATIVE_PART);
        try {
            if (part != null && part.openConnection() instanceof JarURLConnection archive) {
                return path(archive.getJarFileURL());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(
                "the archive with " + NATIVE_PART + " is not on the class path: add com.github.jnr:jffi:native");
    }

    private static Path path(URL location) {
        return Path.of(URI.create(location.toString()));
    }
}
