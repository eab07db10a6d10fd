package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.linux.probe.MemlockProbe;
import io.clusterwright.linux.probe.NativeAnswer;
import io.clusterwright.linux.probe.RdmaDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

@Command(name = "doctor", description = "Checks what this machine can do, and lists what to install or change.")
final class DoctorCommand extends ProgramCommand {
    private static final long PROBE_BYTES = 16L * 1024 * 1024;

    private final List<Line> lines = new ArrayList<>();

    @Override
    public Integer call() {
        LocalMachines.requirements()
                .forEach(need -> add("local nodes: " + need.check(), need.met(), need.detail(), need.remedy()));
        program("Open MPI", "mpirun.openmpi", "apt-get install openmpi-bin");
        program("MPICH", "mpirun.mpich", "apt-get install mpich");
        program("NetPIPE for MPICH", "NPmpich2", "apt-get install netpipe-mpich2");
        program("NetPIPE for Open MPI", "NPopenmpi", "apt-get install netpipe-openmpi");
        program("Slurm", "srun", "apt-get install slurm-client slurmctld slurmd munge libpmix-dev");
        program("Azure Linux agent", "waagent", "apt-get install waagent");
        rdma();
        memlock();
        return print(
                lines,
                line -> JsonFields.of("check", line.check)
                        .and("ok", line.ok)
                        .and("detail", line.detail)
                        .and("remedy", line.remedy),
                this::print);
    }

    private void rdma() {
        NativeAnswer<List<RdmaDevice>> answer = RdmaDevice.list();
        List<RdmaDevice> devices = answer.value().orElse(List.of());
        String reason = answer.reason().orElse("none");
        add(
                "RDMA devices",
                !devices.isEmpty(),
                devices.isEmpty() ? reason : devices.toString(),
                devices.isEmpty() ? "nothing to do for MPI over TCP" : "");
    }

    private void memlock() {
        NativeAnswer<MemlockProbe.Limits> answer = MemlockProbe.limits();
        answer.reason().ifPresent(reason -> add("locked memory", false, reason, "run this on Linux"));
        answer.value().ifPresent(limits -> {
            boolean enough = limits.hard().isUnlimited();
            String probe = MemlockProbe.tryLock(PROBE_BYTES)
                    .value()
                    .map(result -> result.error()
                            .map(error -> "16 MiB cannot be locked: " + error)
                            .orElse("16 MiB can be locked"))
                    .orElse("locking was not tried");
            add(
                    "locked memory",
                    enough,
                    "soft " + limits.soft() + " KiB, hard " + limits.hard() + " KiB; " + probe,
                    enough
                            ? ""
                            : "RDMA needs more: raise it in /etc/security/limits.conf and for services in"
                                    + " /etc/systemd/system.conf.d, then log in again");
        });
    }

    private void program(String name, String program, String remedy) {
        String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
        Stream.of(path.split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .ifPresentOrElse(
                        found -> add(name, true, found.toString(), ""),
                        () -> add(name, false, program + " is not installed", remedy));
    }

    private void add(String check, boolean ok, String detail, String remedy) {
        lines.add(new Line(check, ok, detail, remedy));
    }

    private void print(Line line) {
        String mark = line.ok ? Style.good("+") : Style.warn("-");
        String remedy = line.remedy.isEmpty() ? "" : "  -> " + line.remedy;
        out.printf("%s %-28s %s%s%n", mark, line.check, line.detail, remedy);
    }

    private record Line(String check, boolean ok, String detail, String remedy) {}
}
