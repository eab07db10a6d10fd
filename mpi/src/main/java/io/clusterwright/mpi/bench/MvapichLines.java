package io.clusterwright.mpi.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** MVAPICH2 with {@code MV2_SHOW_ENV_INFO}: the adapter it was tuned for. Its verbs channel has no way over TCP. */
final class MvapichLines {
    private static final Pattern ADAPTER = Pattern.compile("HCA NAME\\s*:\\s*MV2_HCA_(\\w+)");

    private MvapichLines() {}

    static List<Transport> of(List<String> lines) {
        List<Transport> told = new ArrayList<>();
        for (String line : lines) {
            Matcher adapter = ADAPTER.matcher(line);
            if (adapter.find()) {
                boolean known = !adapter.group(1).startsWith("UNKWN")
                        && !adapter.group(1).startsWith("ANY");
                told.add(new Transport(
                        known ? Transport.Kind.RDMA : Transport.Kind.UNKNOWN,
                        List.of("MV2_HCA_" + adapter.group(1)),
                        line.strip()));
            }
        }
        return told;
    }
}
