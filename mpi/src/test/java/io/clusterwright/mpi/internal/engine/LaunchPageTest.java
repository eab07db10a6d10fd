package io.clusterwright.mpi.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.SlurmTarget;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/mpi-launch.md} with the commands of the launchers; {@code -Dclusterwright.update=true} writes it. */
class LaunchPageTest {
    private static final Path PAGE = Path.of("..", "docs", "mpi-launch.md");
    private static final String TOPOLOGY = "2\n4\n4\n16\n";
    private static final Map<String, MpiInstallation> MPIS = new LinkedHashMap<>();
    /** Options whose value is the next word. */
    private static final Set<String> WITH_VALUE = Set.of("--map-by", "--rank-by", "--bind-to", "-bind-to", "-map-by");

    private static final Pattern OF_SRUN = Pattern.compile("--(distribution|ntasks-per-|cpus-per-task|cpu-bind).*");
    private static final Pattern PINNING = Pattern.compile("(I_MPI_PIN|MV2_).*");

    static {
        MPIS.put("Open MPI", new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun"));
        MPIS.put("MPICH", new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "/usr/bin/mpirun.mpich"));
        MPIS.put("Intel MPI", new MpiInstallation(MpiFlavour.INTEL_MPI, "2021.11", "/opt/intel/mpirun"));
        MPIS.put("MVAPICH2", new MpiInstallation(MpiFlavour.MVAPICH2, "2.3.7", "/opt/mvapich2/bin/mpiexec"));
        MPIS.put("srun", new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun"));
    }

    @Test
    void pageHasTheCommandsOfTheLaunchers() throws IOException {
        String page = """
                # MPI launches

                To place the ranks of a job on the cores of its nodes: what to write, and what the launcher gets. The same options
                serve `mpi` and `submit`, every MPI, and Slurm.

                | Wish | Option | Java |
                |---|---|---|
                | N ranks on each node | `--ppn N` | `.ranksPerNode(N)` |
                | N ranks on each socket | `--per-socket N` | `.ranksPerSocket(N)` |
                | N ranks in each NUMA domain | `--per-numa N` | `.ranksPerNuma(N)` |
                | N ranks on each level 3 cache | `--per-l3 N` | `.ranksPerL3(N)` |
                | T threads and cores for each rank | `--threads T` | `.threadsPerRank(T)` |
                | ranks bound to a part of the node | `--bind core` | `.binding(CORE)` |
                | see where ranks run | `--report-binding` | `.reportBinding()` |
                | an option of the launcher | `--launcher-arg=-v` | `.launcherArguments("-v")` |

                * Write one of the first four options. The second to fourth read the number of sockets, domains, caches and cores from
                  each node before the job starts.
                * With `--threads T`, each rank gets T cores of its own. Without it, a rank may use all cores of its socket, domain or
                  cache. `--bind` overrides both.
                * `--threads T` alone divides the slots of each node by T. Where the spec has `threadsPerRank`, a slot of
                  `ranksPerNode` has that many cores.
                * `--threads T` sets `OMP_NUM_THREADS=T`. Ranks with more than one core of their own also get `OMP_PLACES=cores` and
                  `OMP_PROC_BIND=close`. Variables of the job, the spec and the preset win.
                * More ranks and threads than a domain has cores are refused before the start.
                * On nodes that share one machine, ranks are not bound unless `--bind` is given.
                * A variable of the job that contradicts the binding is refused.

                ## Defaults of a cluster

                A [spec](spec.md#mpi) has the same names under `mpi`, as defaults of all jobs on its cluster. An option overrides its
                field:

                ```yaml
                mpi: {ranksPerNuma: 4, threadsPerRank: 2}
                ```

                A job that sets neither ranks nor threads nor a binding follows Microsoft's advice for the size of its nodes
                ([`CW-MPI-055`](findings.md#cw-mpi-055)). Under Slurm it does not.

                | Size | MPI | Place of the ranks |
                |---|---|---|
                | HBv5 | Open MPI, MPICH | 1 to 7 ranks on each level 3 cache, `--bind core` |
                | HB, HBv2, HC | MPICH | `--bind core` |

                `Standard_HB120rs_v3` shows other level 3 caches than it has, and Microsoft reports a core mapping issue of
                `Standard_HB176rs_v4` and `Standard_HX176rs`: [`CW-SIZE-010`](findings.md#cw-size-010) and
                [`CW-MPI-054`](findings.md#cw-mpi-054) warn of it.

                ## What the launchers get

                On nodes with 2 sockets, 4 NUMA domains, 4 level 3 caches and 16 cores. HPC-X gets what Open MPI gets. Open MPI 5 has
                `package` in place of `socket`.

                """
                + wish("Ranks on each node", "--ppn 8")
                + wish("One rank for each core", "--bind core")
                + wish("Ranks spread over the NUMA domains", "--per-numa 2")
                + wish("Ranks with cores of their own", "--per-numa 2 --threads 2")
                + wish("MPI with OpenMP", "--per-socket 1 --threads 8")
                + wish("Ranks on each level 3 cache", "--per-l3 4 --bind core")
                + wish("Ranks of a node with OpenMP", "--ppn 4 --threads 4")
                + wish("Ranks that stay in a NUMA domain", "--ppn 8 --bind numa")
                + wish("Ranks that stay on a level 3 cache", "--ppn 8 --bind l3")
                + wish("No binding", "--ppn 8 --bind none")
                + """
                ### Notes

                * With `--bind core` and without `--threads`, all threads of a rank run on one core.
                * Order: Open MPI fills one domain after the other. MPICH takes the domains in turn: rank 0 in the first domain, rank
                  1 in the second. `srun` takes sockets in turn, and fills NUMA domains and caches one after the other.
                * Intel MPI and Slurm share the cores of a domain evenly among its ranks: the number of ranks must divide the number
                  of cores.
                * Slurm binds a rank to cores that its job has: with `--ppn 2 --bind numa`, two ranks have two cores of a node. With
                  `--per-numa 1 --threads 2`, a rank has all cores of its domain: Slurm cannot leave some of them out.
                * Slurm does not support binding to a level 3 cache: `--per-l3 N` needs `--bind core` or `--threads T` there.
                * HPC Pack and Azure Batch refuse `--per-socket`, `--per-numa` and `--per-l3`. With `--ppn N --threads T` they set
                  `OMP_NUM_THREADS`, and do not bind: Open MPI on Batch gets `--bind-to none` where T is above 1.

                ## See where ranks run

                With `--report-binding`, each rank reports its processors as the kernel of its node says. The program prints them on
                standard error after the job:

                ```
                $ clusterwright mpi demo --per-numa 1 --threads 2 --report-binding -- ./solver
                 RANK  NODE             PROCESSORS       NUMA
                    0  demo1            0-1              0
                    1  demo1            8-9              1
                    2  demo2            0-1              0
                    3  demo2            8-9              1
                ```

                JSON has them as `bindings`, and Java as `result.bindings()`. A queued job of Slurm has them in its output, in the
                words of `srun --cpu-bind=verbose`. HPC Pack and Azure Batch cannot report them.

                ## Options of the launcher

                `--launcher-arg` passes a word to `mpirun` or `srun`, behind the options of this program. Write it once for each word.
                Your `--map-by`, `--rank-by` or `--bind-to` replaces the word of this program:

                ```
                $ clusterwright mpi demo --launcher-arg=--mca --launcher-arg=coll --launcher-arg=^hcoll -- ./solver
                ```

                An option that the launcher does not know is named in the finding, such as [`CW-DIAG-216`](failures.md#cw-diag-216).
                HPC Pack refuses `--launcher-arg`.
                """;
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).hasContent(page);
    }

    private static String wish(String title, String options) {
        StringBuilder text =
                new StringBuilder("### " + title + "\n\n```\n$ clusterwright mpi demo " + options + " -- ./solver\n");
        MPIS.forEach((name, mpi) -> text.append(String.format(Locale.ROOT, "%-10s %s", name, words(name, mpi, options))
                        .strip())
                .append('\n'));
        return text + "```\n\n";
    }

    private static String words(String name, MpiInstallation mpi, String options) {
        NodeTarget nodes = RankLayoutTest.target(
                node -> RankLayoutTest.answering(node, TOPOLOGY), false, LaunchTarget.NO_DEFAULTS);
        LaunchTarget target = name.equals("srun") ? LaunchTarget.of(SlurmTarget.of(nodes)) : nodes;
        try {
            JobStart start = JobStart.of(job(mpi, options), target);
            LaunchCommand command = start.choice().launcher().command(start.request());
            String words = String.join(" ", placing(command.arguments()));
            return words.isEmpty() ? "nothing" : words;
        } catch (InvalidValueException e) {
            return "refused";
        }
    }

    private static List<String> placing(List<String> all) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            String word = all.get(i);
            if (WITH_VALUE.contains(word)) {
                words.add(word + " " + all.get(i + 1));
            } else if (OF_SRUN.matcher(word).matches()) {
                words.add(word);
            } else if (PINNING.matcher(word).matches()) {
                words.add(word + "=" + all.get(i + 1));
            }
        }
        return words;
    }

    private static JobDescription job(MpiInstallation mpi, String options) {
        String[] words = options.split(" ");
        return new JobDescription(List.of("./solver")).with(job -> {
            job.installation = mpi;
            job.flavour = mpi.flavour();
            for (int i = 0; i < words.length; i += 2) {
                String value = words[i + 1];
                switch (words[i]) {
                    case "--ppn" -> job.ranksPerNode = Integer.valueOf(value);
                    case "--per-socket" -> job.ranksPerDomain = per(Binding.SOCKET, value);
                    case "--per-numa" -> job.ranksPerDomain = per(Binding.NUMA, value);
                    case "--per-l3" -> job.ranksPerDomain = per(Binding.L3, value);
                    case "--threads" -> job.threadsPerRank = Integer.valueOf(value);
                    case "--bind" -> job.binding = Binding.valueOf(value.toUpperCase(Locale.ROOT));
                    default -> throw new IllegalArgumentException(words[i]);
                }
            }
        });
    }

    private static RanksPerDomain per(Binding domain, String number) {
        return RanksPerDomain.of(domain, Integer.parseInt(number));
    }
}
