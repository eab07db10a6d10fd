package io.clusterwright.windows.internal.render;

import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.internal.jobs.JobSubmitWords;
import io.clusterwright.windows.internal.quoting.CmdShell;
import java.util.List;

/** The batch files around jobs. */
final class JobScripts {
    private static final String FAIL = "if %errorlevel% neq 0 set failed=1";

    private JobScripts() {}

    static String submit(HpcPackJob job, String purpose) {
        return new CmdScript()
                .remark(purpose + " Run this on the head node, or where HPC Pack's client utilities are.")
                .remark(
                        "The head node must hold your password: run hpccred setcreds once. Where it does not, job submit would")
                .remark("ask for it and wait for ever; here it finds nothing to read and fails.")
                .line("call :submit <nul")
                .line("if %errorlevel% equ 0 exit /b 0")
                .line(
                        "echo The job was not submitted. If a password is missing, run hpccred setcreds and try again. 1>&2")
                .line("exit /b 1")
                .line("")
                .line(":submit")
                .line(CmdShell.batchLine("job", JobSubmitWords.of(job)))
                .line("exit /b %errorlevel%")
                .text();
    }

    static String taskView() {
        return new CmdScript()
                .remark(
                        "Shows the first task of a job and what it printed: task-view.cmd JOB, the number that job submit printed.")
                .line("if \"%~1\"==\"\" goto usage")
                .line("for /f \"delims=0123456789\" %%c in (\"%~1\") do goto usage")
                .line("task view %~1.1")
                .line("exit /b %errorlevel%")
                .line("")
                .line(":usage")
                .line("echo Usage: %~nx0 JOB, the number that job submit printed, such as 42 1>&2")
                .line("exit /b 2")
                .text();
    }

    static String firewall(List<FirewallRule> programs, String group) {
        CmdScript script = new CmdScript()
                .remark(
                        "Opens the firewall of this node for programs of MPI, whatever port they are given. Run it as administrator on")
                .remark("every node, from a share that they reach: clusrun /nodegroup:" + group
                        + " \\\\HEAD\\SHARE\\firewall.cmd")
                .line("set failed=0");
        register(script, programs);
        return script.line("exit /b %failed%").text();
    }

    static String startup(List<FirewallRule> programs) {
        CmdScript script = new CmdScript()
                .remark(
                        "Start-up script of new nodes: opens their firewall for programs of MPI before the first job. Name it in the")
                .remark("node template; it may run more than once.")
                .line("set failed=0")
                .line("set log=%TEMP%\\clusterwright-startup.log")
                .line("call :register >\"%log%\" 2>&1 <nul")
                .line("if %failed% neq 0 type \"%log%\" 1>&2")
                .line("exit /b %failed%")
                .line("")
                .line(":register");
        register(script, programs);
        return script.line("exit /b 0").text();
    }

    private static void register(CmdScript script, List<FirewallRule> programs) {
        if (programs.isEmpty()) {
            script.remark("The spec names no program in hpcPack.firewall.");
        }
        for (FirewallRule rule : programs) {
            script.line(CmdShell.batchLine("hpcfwutil", List.of("register", rule.name(), rule.program())))
                    .line(FAIL);
        }
    }

    /** A batch file, put together line by line: ASCII, lines that end as on Windows, delayed expansion off. */
    private static final class CmdScript {
        private final StringBuilder text = new StringBuilder();

        CmdScript() {
            line("@echo off").line("setlocal DisableDelayedExpansion");
        }

        /** Adds a line as it stands; what comes from a spec must have passed {@code CmdShell}. */
        CmdScript line(String line) {
            if (!line.chars().allMatch(c -> c >= ' ' && c < 127)) {
                throw new InvalidValueException("batch file line", line, "printable ASCII characters only", "job list");
            }
            text.append(line).append("\r\n");
            return this;
        }

        /** Adds a remark; of what comes from a spec only names without anything live for cmd belong into it. */
        CmdScript remark(String remark) {
            return line("rem " + remark.replaceAll("[%&|<>^]", "?"));
        }

        String text() {
            return text.toString();
        }
    }
}
