package io.clusterwright.mpi.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Open MPI with verbose frameworks: the byte transfer layer ob1 chose for each peer, the libfabric domain of the ofi layer,
 * or the matching layer alone where it says no more.
 */
final class OpenMpiLines {
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
        List<Transport> told = new ArrayList<>();
        List<Transport> layers = new ArrayList<>();
        for (String line : lines) {
            Matcher btl = BTL.matcher(line);
            if (btl.find()) {
                Transport.Kind kind = BTLS.getOrDefault(btl.group(1), Transport.Kind.UNKNOWN);
                told.add(new Transport(kind, List.of("btl " + btl.group(1)), line.strip()));
            }
            Matcher ofi = OFI.matcher(line);
            if (ofi.find()) {
                told.add(new Transport(Names.kind(ofi.group(1)), List.of("ofi " + ofi.group(1)), line.strip()));
            }
            Matcher selected = SELECTED.matcher(line);
            if (selected.find()) {
                layers.add(new Transport(Transport.Kind.UNKNOWN, List.of(selected.group(1)), line.strip()));
            }
        }
        return told.isEmpty() ? layers : told;
    }
}
