package io.clusterwright.mpi.internal.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The requests to Slurm that every job of a target makes besides its nodes and ranks.
 *
 * @param partition the partition, or empty for Slurm's default
 * @param account the account that is charged, or empty for the user's own
 * @param timeLimit the time Slurm lets a job run; zero for the partition's own limit
 * @param pmi the kind of process management interface ({@code --mpi}), or empty for the one that suits the MPI
 * @param options further options of {@code srun} and {@code sbatch}, one word each
 * @param outputFile the file of a submitted job's output, or empty for Slurm's default
 */
record SlurmSettings(
        String partition, String account, Duration timeLimit, String pmi, List<String> options, String outputFile) {
    static final SlurmSettings PLAIN = new SlurmSettings("", "", Duration.ZERO, "", List.of(), "");

    SlurmSettings {
        options = List.copyOf(options);
    }

    SlurmSettings withPartition(String name) {
        return new SlurmSettings(name, account, timeLimit, pmi, options, outputFile);
    }

    SlurmSettings withAccount(String name) {
        return new SlurmSettings(partition, name, timeLimit, pmi, options, outputFile);
    }

    SlurmSettings withTimeLimit(Duration limit) {
        return new SlurmSettings(partition, account, limit, pmi, options, outputFile);
    }

    SlurmSettings withPmi(String plugin) {
        return new SlurmSettings(partition, account, timeLimit, plugin, options, outputFile);
    }

    SlurmSettings withOption(String word) {
        List<String> all = new ArrayList<>(options);
        all.add(word);
        return new SlurmSettings(partition, account, timeLimit, pmi, all, outputFile);
    }

    SlurmSettings withOutputFile(String path) {
        return new SlurmSettings(partition, account, timeLimit, pmi, options, path);
    }

    /** The options that {@code srun} and {@code sbatch} share. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (!partition.isEmpty()) {
            words.add("--partition=" + partition);
        }
        if (!account.isEmpty()) {
            words.add("--account=" + account);
        }
        if (!timeLimit.isZero()) {
            words.add("--time=" + time(timeLimit));
        }
        words.addAll(options);
        return List.copyOf(words);
    }

    /** Slurm's {@code days-hours:minutes:seconds}; it rounds up to whole minutes itself. */
    static String time(Duration limit) {
        return String.format(
                Locale.ROOT,
                "%d-%02d:%02d:%02d",
                limit.toDays(),
                limit.toHoursPart(),
                limit.toMinutesPart(),
                limit.toSecondsPart());
    }
}
