package io.clusterwright.mpi.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * UCX at log level info: {@code ep_cfg[1]: tag(tcp/eth0) …} up to 1.13, {@code inter-node cfg#2 tag(rc_mlx5/mlx5_0:1) …} since.
 * Each endpoint configuration lists its lanes as transport and device.
 */
final class UcxLines {
    private static final Pattern CONFIGURATION = Pattern.compile("(?:ep_cfg\\[\\d+]:|\\bcfg#\\d+)\\s*(.*)");
    private static final Pattern LANES = Pattern.compile("\\w+\\(([^)]*)\\)");
    private static final Pattern VERBS =
            Pattern.compile("(?:rc|ud|dc|gga|srd)(?:_(?:x|v|verbs|mlx5))?|ugni\\w*|rdmacm");
    private static final Pattern MEMORY =
            Pattern.compile("self|sysv|posix|mm|cma|knem|xpmem|(?:cuda|rocm|ze|gdr|gaudi)(?:_\\w+)?");

    private UcxLines() {}

    static List<Transport> of(List<String> lines) {
        List<Transport> told = new ArrayList<>();
        for (String line : lines) {
            Matcher configuration = CONFIGURATION.matcher(line);
            if (configuration.find() && configuration.group(1).contains("(")) {
                told.add(transport(line, configuration.group(1)));
            }
        }
        return told;
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
