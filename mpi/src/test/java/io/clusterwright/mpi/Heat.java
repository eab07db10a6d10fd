package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.MpiFlavour;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The programs {@code programs/*.c}, built against the library of an MPI. */
final class Heat {
    private Heat() {}

    static Path build(MpiFlavour flavour, Path folder) throws Exception {
        return build("heat", flavour, folder);
    }

    static Path build(String name, MpiFlavour flavour, Path folder) throws Exception {
        for (String file : List.of(name + ".c", "mpi.h")) {
            try (InputStream in = Heat.class.getResourceAsStream("programs/" + file)) {
                Files.write(folder.resolve(file), in.readAllBytes());
            }
        }
        Path program = folder.resolve(name + "-" + flavour);
        List<String> gcc = new ArrayList<>(List.of("gcc", "-O1", "-fopenmp", "-o", program.toString(), name + ".c"));
        gcc.addAll(
                flavour == MpiFlavour.MPICH ? List.of("-l:libmpich.so.12") : List.of("-DOPEN_MPI", "-l:libmpi.so.40"));
        Process compiler = new ProcessBuilder(gcc)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String complaints = new String(compiler.getInputStream().readAllBytes());
        assertThat(compiler.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(compiler.exitValue()).as(complaints).isZero();
        return program;
    }
}
