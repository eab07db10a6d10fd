package io.clusterwright.mpi.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Intel MPI with {@code I_MPI_DEBUG=5}: {@code libfabric provider: mlx} since 2019, {@code shm and dapl data transfer modes} up
 * to 2018.
 */
final class IntelMpiLines {
    private static final Pattern PROVIDER = Pattern.compile("MPI startup\\(\\): libfabric provider: ([\\w;]+)");
    private static final Pattern MODES =
            Pattern.compile("MPI startup\\(\\): (?:shm and )?(shm|dapl|ofa|tcp|tmi|ofi) data transfer modes?");

    private IntelMpiLines() {}

    static List<Transport> of(List<String> lines) {
        List<Transport> told = new ArrayList<>();
        for (String line : lines) {
            for (Pattern pattern : List.of(PROVIDER, MODES)) {
                Matcher name = pattern.matcher(line);
                if (name.find()) {
                    told.add(new Transport(Names.kind(name.group(1)), List.of(name.group(1)), line.strip()));
                }
            }
        }
        return told;
    }
}
