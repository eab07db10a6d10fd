package io.clusterwright.mpi.bench;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MPICH over ch4:ofi with {@code MPIR_CVAR_DEBUG_SUMMARY}: rank 0 lists every provider with its score and preference, and
 * uses the first of those with the highest sum.
 */
final class LibfabricLines {
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
                long score = Long.parseLong(provider.group(2)) + (preference == null ? 0 : Long.parseLong(preference));
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
