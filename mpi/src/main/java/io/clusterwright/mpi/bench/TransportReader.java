package io.clusterwright.mpi.bench;

import io.clusterwright.core.spec.MpiFlavour;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes an MPI say which transport it uses, and reads the answer. The same variables and texts serve every version: a
 * variable that a version does not know does nothing. {@code docs/fabric-check.md} has the texts and their sources.
 */
public final class TransportReader {
    private static final List<LineReader> READERS =
            List.of(UcxLines::of, OpenMpiLines::of, LibfabricLines::of, IntelMpiLines::of, MvapichLines::of);

    private TransportReader() {}

    /**
     * The environment variables with which an MPI names its transports when it starts. They cost nothing once messages
     * flow, but their output may stand between the lines of a program's own.
     */
    public static Map<String, String> environment(MpiFlavour flavour) {
        Map<String, String> all = new TreeMap<>(
                switch (flavour) {
                    case MPICH -> Map.of("MPIR_CVAR_DEBUG_SUMMARY", "1");
                    case INTEL_MPI -> Map.of("I_MPI_DEBUG", "5");
                    case OPEN_MPI, HPC_X ->
                        Map.of(
                                "OMPI_MCA_pml_base_verbose", "10",
                                "OMPI_MCA_btl_base_verbose", "20",
                                "OMPI_MCA_mtl_base_verbose", "10");
                    case MVAPICH2 -> Map.of("MV2_SHOW_ENV_INFO", "2");
                    case MS_MPI -> Map.<String, String>of();
                });
        if (flavour != MpiFlavour.MS_MPI) {
            all.put("UCX_LOG_LEVEL", "info");
        }
        return Map.copyOf(all);
    }

    /**
     * Reads what a job printed that ran with {@link #environment}. Where ranks differ, the worst counts: one that used TCP
     * makes the whole TCP. Text in which nothing is recognised gives {@link Transport.Kind#UNKNOWN}.
     *
     * @param lines both streams of all ranks, in any order; lines of the program itself may stand between them
     */
    public static Transport read(Stream<String> lines) {
        List<String> all = lines.toList();
        for (LineReader reader : READERS) {
            List<Transport> told = reader.read(all);
            if (!told.isEmpty()) {
                return Transport.worst(told);
            }
        }
        return Transport.UNKNOWN;
    }

    /** Reads the lines of one library; empty when it said nothing. */
    interface LineReader {
        List<Transport> read(List<String> lines);
    }
}
