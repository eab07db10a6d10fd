package io.clusterwright.mpi.check;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Transport.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes an MPI say which transport it uses, and reads the answer. The same variables and texts serve every version: a
 * variable that a version does not know does nothing. {@code docs/evidence/soft-roce.md} has the texts and their sources.
 */
final class TransportReader {
    /** Intel MPI with {@code I_MPI_DEBUG=5}: {@code libfabric provider: mlx} since 2019. */
    private static final Named INTEL_PROVIDER =
            new Named("MPI startup\\(\\): libfabric provider: ([\\w;]+)", "", TransportReader::kind);

    /** Intel MPI up to 2018: {@code shm and dapl data transfer modes}. */
    private static final Named INTEL_MODES = new Named(
            "MPI startup\\(\\): (?:shm and )?(shm|dapl|ofa|tcp|tmi|ofi) data transfer modes?",
            "",
            TransportReader::kind);

    /** MVAPICH2 with {@code MV2_SHOW_ENV_INFO}: the adapter it was tuned for. Its verbs channel has no way over TCP. */
    private static final Named MVAPICH_ADAPTER = new Named(
            "HCA NAME\\s*:\\s*MV2_HCA_(\\w+)",
            "MV2_HCA_",
            adapter -> adapter.startsWith("UNKWN") || adapter.startsWith("ANY") ? Kind.UNKNOWN : Kind.RDMA);

    /** Open MPI with verbose frameworks: the byte transfer layer that ob1 chose for each peer. */
    private static final Named OPEN_MPI_BTL =
            new Named("mca: bml: Using (\\w+) btl (?:for (?:send|rdma) )?to ", "btl ", btl -> switch (btl) {
                case "tcp" -> Kind.TCP;
                case "openib", "uct", "ugni", "portals4" -> Kind.RDMA;
                case "self", "sm", "smcuda", "vader" -> Kind.SHARED_MEMORY;
                default -> Kind.UNKNOWN;
            });

    /** The libfabric domain of Open MPI's ofi layer. */
    private static final Named OPEN_MPI_OFI = new Named("mtl:ofi:provider: (\\S+)", "ofi ", TransportReader::kind);

    /** The matching layer of Open MPI, which counts where it says no more. */
    private static final Named OPEN_MPI_LAYER =
            new Named("select: component (ucx|yalla|mxm|psm2?|psm3|portals4) selected", "", layer -> Kind.UNKNOWN);

    private static final Pattern LIBFABRIC_PROVIDER =
            Pattern.compile("\\bprovider: ([\\w;]+), score = (-?\\d{1,9})(?:, pref = (-?\\d{1,9}))?");
    private static final Pattern UCX_CONFIGURATION = Pattern.compile("(?:ep_cfg\\[\\d+]:|\\bcfg#\\d+)\\s*(.*)");
    private static final Pattern UCX_LANES = Pattern.compile("\\w+\\(([^)]*)\\)");
    private static final Pattern UCX_VERBS =
            Pattern.compile("(?:rc|ud|dc|gga|srd)(?:_(?:x|v|verbs|mlx5))?|ugni\\w*|rdmacm");
    private static final Pattern UCX_MEMORY =
            Pattern.compile("self|sysv|posix|mm|cma|knem|xpmem|(?:cuda|rocm|ze|gdr|gaudi)(?:_\\w+)?");
    private static final Pattern RDMA = Pattern.compile(
            "verbs(?:;ofi_rx[md])?|mlx|dapl|ofa|efa|psm2?|opx|cxi|gni|(?:mlx[45]|rxe|siw|hfi1|irdma|bnxt_re|erdma|ib)_?\\d.*");
    private static final Pattern TCP =
            Pattern.compile("(?:tcp|sockets|udp|net)(?:;ofi_rx[md])?|(?:eth|en[opsx]?|wl|lo|bond|br|veth)[\\w.-]*");

    /** The readers of the lines of each library, the most exact first; each gives nothing where its library said nothing. */
    private static final List<Function<List<String>, List<Transport>>> LIBRARIES = List.of(
            TransportReader::ucx,
            TransportReader::openMpi,
            TransportReader::libfabric,
            lines -> found(lines, INTEL_PROVIDER, INTEL_MODES),
            lines -> found(lines, MVAPICH_ADAPTER));

    private TransportReader() {}

    /**
     * The environment variables with which an MPI names its transports when it starts. They cost nothing once messages
     * flow, but their output may stand between the lines of a program's own.
     */
    static Map<String, String> environment(MpiFlavour flavour) {
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
    static Transport read(Stream<String> lines) {
        List<String> all = lines.toList();
        for (Function<List<String>, List<Transport>> library : LIBRARIES) {
            List<Transport> named = library.apply(all);
            if (!named.isEmpty()) {
                return Transport.worst(named);
            }
        }
        return Transport.unknown();
    }

    private static List<Transport> openMpi(List<String> lines) {
        List<Transport> named = found(lines, OPEN_MPI_BTL, OPEN_MPI_OFI);
        return named.isEmpty() ? found(lines, OPEN_MPI_LAYER) : named;
    }

    /**
     * MPICH over ch4:ofi with {@code MPIR_CVAR_DEBUG_SUMMARY}: rank 0 lists every provider with its score and preference, and
     * uses the first of those with the highest sum.
     */
    private static List<Transport> libfabric(List<String> lines) {
        List<Transport> best = List.of();
        long highest = Long.MIN_VALUE;
        for (String line : lines) {
            Matcher provider = LIBFABRIC_PROVIDER.matcher(line);
            if (provider.find()) {
                String preference = provider.group(3);
                long score = Long.parseLong(provider.group(2)) + (preference == null ? 0 : Long.parseLong(preference));
                if (score > highest) {
                    highest = score;
                    String name = provider.group(1);
                    best = List.of(new Transport(kind(name), List.of(name), line.strip()));
                }
            }
        }
        return best;
    }

    /**
     * UCX at log level info: {@code ep_cfg[1]: tag(tcp/eth0) …} up to 1.13, {@code inter-node cfg#2 tag(rc_mlx5/mlx5_0:1) …} since.
     * Each endpoint configuration lists its lanes as transport and device.
     */
    private static List<Transport> ucx(List<String> lines) {
        List<Transport> named = new ArrayList<>();
        for (String line : lines) {
            Matcher configuration = UCX_CONFIGURATION.matcher(line);
            if (configuration.find() && configuration.group(1).contains("(")) {
                named.add(ucx(line, configuration.group(1)));
            }
        }
        return named;
    }

    /** The first lane carries the messages, the others help with large ones or set up the connection. */
    private static Transport ucx(String line, String configuration) {
        List<String> lanes = UCX_LANES
                .matcher(configuration)
                .results()
                .flatMap(group -> Stream.of(group.group(1).trim().split("\\s+")))
                .filter(lane -> lane.contains("/"))
                .toList();
        if (lanes.isEmpty()) {
            return new Transport(Kind.UNKNOWN, List.of(), line.strip());
        }
        Kind first = lane(lanes.get(0));
        List<String> same =
                lanes.stream().filter(lane -> lane(lane) == first).distinct().toList();
        return new Transport(first, same, line.strip());
    }

    private static Kind lane(String lane) {
        String name = lane.substring(0, lane.indexOf('/'));
        if (UCX_MEMORY.matcher(name).matches()) {
            return Kind.SHARED_MEMORY;
        }
        if (UCX_VERBS.matcher(name).matches()) {
            return Kind.RDMA;
        }
        return name.equals("tcp") ? Kind.TCP : Kind.UNKNOWN;
    }

    /**
     * The kind of a libfabric provider or device; unknown for those that run over several kinds, such as psm3 (verbs or sockets) and
     * ucx, whose own lines tell it.
     */
    private static Kind kind(String name) {
        if (RDMA.matcher(name).matches()) {
            return Kind.RDMA;
        }
        if (name.equals("shm") || name.equals("self")) {
            return Kind.SHARED_MEMORY;
        }
        return TCP.matcher(name).matches() ? Kind.TCP : Kind.UNKNOWN;
    }

    private static List<Transport> found(List<String> lines, Named... texts) {
        return lines.stream()
                .flatMap(line -> Stream.of(texts).flatMap(text -> text.in(line)))
                .toList();
    }

    /** A text of a library that names what it uses: the first group of a pattern, after a prefix that tells what kind of name it is. */
    private record Named(Pattern pattern, String prefix, Function<String, Kind> kind) {
        Named(String regex, String prefix, Function<String, Kind> kind) {
            this(Pattern.compile(regex), prefix, kind);
        }

        Stream<Transport> in(String line) {
            Matcher name = pattern.matcher(line);
            return name.find()
                    ? Stream.of(new Transport(kind.apply(name.group(1)), List.of(prefix + name.group(1)), line.strip()))
                    : Stream.empty();
        }
    }
}
