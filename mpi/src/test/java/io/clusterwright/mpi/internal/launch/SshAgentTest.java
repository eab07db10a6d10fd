package io.clusterwright.mpi.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.mpi.Tool;
import io.clusterwright.mpi.spi.JobFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent itself, run by the real shell, with an ssh that does as it is told. */
class SshAgentTest {
    private static final JobFolder FOLDER = new JobFolder("cwjob-0123456789abcdef");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"255, no", "255, yes", "127, yes", "126, yes"})
    void namesTheHostThatWasNotReached(int status, String connected) throws Exception {
        Tool agent = call(status, connected.equals("yes"), "-x", "10.32.0.12", "orted", "-mca", "ess");

        assertThat(agent.status()).isEqualTo(status);
        assertThat(agent.output().lines())
                .contains("clusterwright-launch cwjob-0123456789abcdef 10.32.0.12 %d %s".formatted(status, connected));
    }

    @ParameterizedTest
    @CsvSource({"0", "3"})
    void keepsQuietWhenTheProgramEndedByItself(int status) throws Exception {
        Tool agent = call(status, true, "-x", "10.32.0.12", "true");

        assertThat(agent.status()).isEqualTo(status);
        assertThat(agent.output()).doesNotContain("clusterwright-launch");
    }

    @Test
    void findsTheHostBehindOptionsAndUser() throws Exception {
        Tool agent = call(255, false, "-x", "-p", "2222", "-l", "hpc", "hpc@cluster12", "-not-an-option");

        assertThat(agent.output()).contains("clusterwright-launch cwjob-0123456789abcdef cluster12 255 no");
    }

    @Test
    void passesEveryArgumentOnUnchangedAndNeverAsks() throws Exception {
        Tool agent = call(0, true, "-x", "10.32.0.12", "a b", "$HOME", "");

        assertThat(agent.output())
                .contains("<-o><BatchMode=yes><-o><ConnectTimeout=5>")
                .contains("<-x><10.32.0.12><a b><$HOME><>");
    }

    private Tool call(int status, boolean connects, String... arguments) throws Exception {
        String mark = connects
                ? "for a in \"$@\"; do case $a in LocalForward=*) a=${a#*=}; : > \"${a% *}\" ;; esac; done\n"
                : "";
        executable("ssh", "#!/bin/sh\nprintf '<%s>' \"$@\"; echo\n" + mark + "exit " + status + "\n");
        String script = SshAgent.script(FOLDER).replace(FOLDER.path(), folder.toString());
        Path agent = executable("agent", script);
        List<String> argv =
                new ArrayList<>(List.of("env", "PATH=" + folder + ":" + System.getenv("PATH"), agent.toString()));
        argv.addAll(List.of(arguments));
        return Tool.run(argv);
    }

    private Path executable(String name, String text) throws Exception {
        Path file = Files.writeString(folder.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
