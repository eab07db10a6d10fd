package io.clusterwright.mpi.internal.fabric;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.bench.Transport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
            List<Transport> named = reader.read(all);
            if (!named.isEmpty()) {
                return Transport.worst(named);
            }
        }
        return Transport.unknown();
    }

    /** Reads the lines of one library; empty when it said nothing. */
    interface LineReader {
        List<Transport> read(List<String> lines);
    }

    /**
     * Intel MPI with {@code I_MPI_DEBUG=5}: {@code libfabric provider: mlx} since 2019, {@code shm and dapl data transfer modes} up
     * to 2018.
     */
    static final class IntelMpiLines {
        private static final Pattern PROVIDER = Pattern.compile("MPI startup\\(\\): libfabric provider: ([\\w;]+)");
        private static final Pattern MODES =
                Pattern.compile("MPI startup\\(\\): (?:shm and )?(shm|dapl|ofa|tcp|tmi|ofi) data transfer modes?");

        private IntelMpiLines() {}

        static List<Transport> of(List<String> lines) {
            List<Transport> named = new ArrayList<>();
            for (String line : lines) {
                for (Pattern pattern : List.of(PROVIDER, MODES)) {
                    Matcher name = pattern.matcher(line);
                    if (name.find()) {
                        named.add(new Transport(Names.kind(name.group(1)), List.of(name.group(1)), line.strip()));
                    }
                }
            }
            return named;
        }
    }

    /**
     * MPICH over ch4:ofi with {@code MPIR_CVAR_DEBUG_SUMMARY}: rank 0 lists every provider with its score and preference, and
     * uses the first of those with the highest sum.
     */
    static final class LibfabricLines {
        private static final Pattern PROVIDER =
                Pattern.compile("\\bprovider: ([\\w;]+), score = (-?\\d{1,9})(?:, pref = (-?\\d{1,9}))?");

        private LibfabricLines() {}

        static List<Transport> of(List<String> lines) {
            List<Transport> best = List.of();
            long highest = Long.MIN_VALUE;
            for (String line : lines) {
                Matcher provider = PROVIDER.matcher(line);
                if (provider.find()) {
                    String preference = provider.group(3);
                    long score =
                            Long.parseLong(provider.group(2)) + (preference == null ? 0 : Long.parseLong(preference));
                    if (score > highest) {
                        highest = score;
                        best = List.of(
                                new Transport(Names.kind(provider.group(1)), List.of(provider.group(1)), line.strip()));
                    }
                }
            }
            return best;
        }
    }

    /** MVAPICH2 with {@code MV2_SHOW_ENV_INFO}: the adapter it was tuned for. Its verbs channel has no way over TCP. */
    static final class MvapichLines {
        private static final Pattern ADAPTER = Pattern.compile("HCA NAME\\s*:\\s*MV2_HCA_(\\w+)");

        private MvapichLines() {}

        static List<Transport> of(List<String> lines) {
            List<Transport> named = new ArrayList<>();
            for (String line : lines) {
                Matcher adapter = ADAPTER.matcher(line);
                if (adapter.find()) {
                    boolean known = !adapter.group(1).startsWith("UNKWN")
                            && !adapter.group(1).startsWith("ANY");
                    named.add(new Transport(
                            known ? Transport.Kind.RDMA : Transport.Kind.UNKNOWN,
                            List.of("MV2_HCA_" + adapter.group(1)),
                            line.strip()));
                }
            }
            return named;
        }
    }

    /**
     * Open MPI with verbose frameworks: the byte transfer layer ob1 chose for each peer, the libfabric domain of the ofi layer,
     * or the matching layer alone where it says no more.
     */
    static final class OpenMpiLines {
        private static final Pattern BTL = Pattern.compile("mca: bml: Using (\\w+) btl (?:for (?:send|rdma) )?to ");
        private static final Pattern OFI = Pattern.compile("mtl:ofi:provider: (\\S+)");
        private static final Pattern SELECTED =
                Pattern.compile("select: component (ucx|yalla|mxm|psm2?|psm3|portals4) selected");
        private static final Map<String, Transport.Kind> BTLS = Map.ofEntries(
                Map.entry("tcp", Transport.Kind.TCP),
                Map.entry("openib", Transport.Kind.RDMA),
                Map.entry("uct", Transport.Kind.RDMA),
                Map.entry("ugni", Transport.Kind.RDMA),
                Map.entry("portals4", Transport.Kind.RDMA),
                Map.entry("self", Transport.Kind.SHARED_MEMORY),
                Map.entry("sm", Transport.Kind.SHARED_MEMORY),
                Map.entry("smcuda", Transport.Kind.SHARED_MEMORY),
                Map.entry("vader", Transport.Kind.SHARED_MEMORY));

        private OpenMpiLines() {}

        static List<Transport> of(List<String> lines) {
            List<Transport> named = new ArrayList<>();
            List<Transport> layers = new ArrayList<>();
            for (String line : lines) {
                Matcher btl = BTL.matcher(line);
                if (btl.find()) {
                    Transport.Kind kind = BTLS.getOrDefault(btl.group(1), Transport.Kind.UNKNOWN);
                    named.add(new Transport(kind, List.of("btl " + btl.group(1)), line.strip()));
                }
                Matcher ofi = OFI.matcher(line);
                if (ofi.find()) {
                    named.add(new Transport(Names.kind(ofi.group(1)), List.of("ofi " + ofi.group(1)), line.strip()));
                }
                Matcher selected = SELECTED.matcher(line);
                if (selected.find()) {
                    layers.add(new Transport(Transport.Kind.UNKNOWN, List.of(selected.group(1)), line.strip()));
                }
            }
            return named.isEmpty() ? layers : named;
        }
    }

    /**
     * UCX at log level info: {@code ep_cfg[1]: tag(tcp/eth0) …} up to 1.13, {@code inter-node cfg#2 tag(rc_mlx5/mlx5_0:1) …} since.
     * Each endpoint configuration lists its lanes as transport and device.
     */
    static final class UcxLines {
        private static final Pattern CONFIGURATION = Pattern.compile("(?:ep_cfg\\[\\d+]:|\\bcfg#\\d+)\\s*(.*)");
        private static final Pattern LANES = Pattern.compile("\\w+\\(([^)]*)\\)");
        private static final Pattern VERBS =
                Pattern.compile("(?:rc|ud|dc|gga|srd)(?:_(?:x|v|verbs|mlx5))?|ugni\\w*|rdmacm");
        private static final Pattern MEMORY =
                Pattern.compile("self|sysv|posix|mm|cma|knem|xpmem|(?:cuda|rocm|ze|gdr|gaudi)(?:_\\w+)?");

        private UcxLines() {}

        static List<Transport> of(List<String> lines) {
            List<Transport> named = new ArrayList<>();
            for (String line : lines) {
                Matcher configuration = CONFIGURATION.matcher(line);
                if (configuration.find() && configuration.group(1).contains("(")) {
                    named.add(transport(line, configuration.group(1)));
                }
            }
            return named;
        }

        private static Transport transport(String line, String configuration) {
            List<String> lanes = new ArrayList<>();
            Matcher group = LANES.matcher(configuration);
            while (group.find()) {
                Arrays.stream(group.group(1).trim().split("\\s+"))
                        .filter(lane -> lane.contains("/"))
                        .forEach(lanes::add);
            }
            if (lanes.isEmpty()) {
                return new Transport(Transport.Kind.UNKNOWN, List.of(), line.strip());
            }
            List<String> names = lanes.stream()
                    .filter(lane -> kind(lane) == kind(lanes.get(0)))
                    .distinct()
                    .toList();
            return new Transport(kind(lanes.get(0)), names, line.strip());
        }

        /** Of the first lane: it carries the messages, the others help with large ones or set up the connection. */
        private static Transport.Kind kind(String lane) {
            String name = name(lane);
            if (MEMORY.matcher(name).matches()) {
                return Transport.Kind.SHARED_MEMORY;
            }
            if (VERBS.matcher(name).matches()) {
                return Transport.Kind.RDMA;
            }
            return name.equals("tcp") ? Transport.Kind.TCP : Transport.Kind.UNKNOWN;
        }

        private static String name(String lane) {
            return lane.substring(0, lane.indexOf('/'));
        }
    }

    /** The kinds of transports by the names of libfabric providers and devices. */
    static final class Names {
        private static final Pattern RDMA = Pattern.compile(
                "verbs(?:;ofi_rx[md])?|mlx|dapl|ofa|efa|psm2?|opx|cxi|gni|(?:mlx[45]|rxe|siw|hfi1|irdma|bnxt_re|erdma|ib)_?\\d.*");
        private static final Pattern TCP =
                Pattern.compile("(?:tcp|sockets|udp|net)(?:;ofi_rx[md])?|(?:eth|en[opsx]?|wl|lo|bond|br|veth)[\\w.-]*");
        private static final Pattern MEMORY = Pattern.compile("shm|self");

        private Names() {}

        /**
         * The kind of a provider; unknown for those that run over several kinds, such as psm3 (verbs or sockets) and ucx, whose own lines
         * tell it.
         */
        static Transport.Kind kind(String name) {
            if (RDMA.matcher(name).matches()) {
                return Transport.Kind.RDMA;
            }
            if (MEMORY.matcher(name).matches()) {
                return Transport.Kind.SHARED_MEMORY;
            }
            return TCP.matcher(name).matches() ? Transport.Kind.TCP : Transport.Kind.UNKNOWN;
        }
    }
}
