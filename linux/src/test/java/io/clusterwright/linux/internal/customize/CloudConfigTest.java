package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.Planner;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.linux.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** User data for people who make their machines themselves. */
@Tag("breadth")
class CloudConfigTest {
    private static final String SHA = "0123456789abcdef".repeat(4);

    @TempDir
    Path folder;

    private RenderedFile rendered(String customize) {
        ClusterSpec spec = SpecReader.read(
                "name: wing\nregion: westus2\nnodes: {count: 2, size: Standard_HB120rs_v3}\n"
                        + "image: {customize: {mpi: {flavour: hpc-x, install: image}, " + customize + "}}\n",
                "wing.yaml");
        return Planner.offline()
                .render(spec.toBuilder().baseFolder(folder).build())
                .find("cloud-init.yaml")
                .orElseThrow();
    }

    private static JsonNode parsed(RenderedFile file) throws IOException {
        return new YAMLMapper().readTree(file.text());
    }

    private static String file(JsonNode config, String path) {
        for (JsonNode file : config.path("write_files")) {
            if (file.path("path").asText().equals(path)) {
                return file.path("content").asText();
            }
        }
        throw new AssertionError("no file " + path + " in " + config);
    }

    private static String script(RenderedFile file) throws IOException {
        return file(parsed(file), "/var/lib/clusterwright/customize.sh");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "updates: {install: none}",
                "updates: {install: security, kernel: hold}",
                "updates: {install: all, kernel: allow}, packages: [nfs-common, gcc]",
                "user: {name: hpcuser, groups: [hpc, video]}, ssh: {trust: none}",
                "memlock: [{who: '@hpc', limit: unlimited}, {who: '*', limit: 65536}]",
                "mpi: {flavour: open-mpi}",
                "mpi: {flavour: mvapich2}",
                "mpi: {flavour: intel-mpi, version: '2021.12', install: {packages: '/opt/a b/*.rpm'}}",
                "mpi: {flavour: intel-mpi, version: '2021.12', install: {archive: 'https://example.org/x.tgz?a=1&b=2',"
                        + " sha256: @SHA@}}",
                "mpi: {flavour: mpich, install: {archive: 'https://example.org/x.tgz', sha256: @SHA@}}",
                "scripts: [{name: one.1, path: ./a.sh, sudo: true}, {name: two, path: a.sh, timeout: 90s}]",
                "files: [{from: a.bin, to: /opt/a.bin, mode: '0600'}, {from: a.sh, to: /opt/a.sh}]"
            })
    void isAcceptedByCloudInitAndItsScriptByShellcheck(String customize) throws IOException {
        byte[] bytes = new byte[300];
        new Random(1).nextBytes(bytes);
        Files.write(folder.resolve("a.bin"), bytes);
        Files.writeString(folder.resolve("a.sh"), "#!/bin/sh\necho 'a: \"b\"'\n");
        String wanted = customize.replace("@SHA@", SHA);
        RenderedFile file = wanted.startsWith("mpi:") ? renderedMpi(wanted) : rendered(wanted);

        Path config = Files.writeString(folder.resolve("user-data"), file.text());
        Tool schema = Tool.run("cloud-init", "schema", "--config-file", config.toString());
        assertThat(schema.orThrow()).contains("Valid cloud-config");
        assertThat(schema.output() + schema.errors()).doesNotContainIgnoringCase("warning");

        if (file.text().contains("customize.sh")) {
            Path script = Files.writeString(folder.resolve("customize.sh"), script(file));
            assertThat(Tool.run("shellcheck", "--shell=sh", "--severity=warning", script.toString())
                            .orThrow())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"1500ms, 1.5", "1ms, 0.001", "90s, 90", "10m, 600"})
    void aScriptHasItsWholeTime(String timeout, String seconds) throws IOException {
        Files.writeString(folder.resolve("a.sh"), "#!/bin/sh\n");
        assertThat(script(rendered("scripts: [{name: a, path: a.sh, timeout: " + timeout + "}]")))
                .contains("timeout " + seconds + " /var/lib/clusterwright/scripts/1-a");
    }

    private RenderedFile renderedMpi(String mpi) {
        ClusterSpec spec = SpecReader.read(
                "name: wing\nregion: westus2\nnodes: {count: 2, size: Standard_HB120rs_v3}\nimage: {customize: {" + mpi
                        + "}}\n",
                "wing.yaml");
        return Planner.offline().render(spec).find("cloud-init.yaml").orElseThrow();
    }

    @Test
    void notesThatSlurmIsNotSetUp() {
        String spec = "name: wing\nregion: westus2\nnodes: {count: 2, size: Standard_HB120rs_v3}\nscheduler: slurm\n";
        RenderedFile file = Planner.offline()
                .render(SpecReader.read(spec, "wing.yaml"))
                .find("cloud-init.yaml")
                .orElseThrow();
        assertThat(file.text()).contains("# Note: Slurm is not set up: its services need a common secret key");
    }

    @Test
    void keepsEveryByteOfABinaryFile() throws IOException {
        byte[] bytes = {0, (byte) 0xFF, 10, 13, (byte) 0xC3};
        Files.write(folder.resolve("a.bin"), bytes);
        JsonNode file = parsed(rendered("files: [{from: a.bin, to: /opt/a.bin, mode: '0600'}]"))
                .path("write_files")
                .path(0);
        assertThat(file.path("encoding").asText()).isEqualTo("b64");
        assertThat(file.path("permissions").asText()).isEqualTo("0600");
        assertThat(file.path("content").binaryValue()).isEqualTo(bytes);
    }

    @Test
    void locksTheKernelBeforeAnyUpdate() throws IOException {
        String script = script(rendered("updates: {install: security, kernel: hold}"));
        assertThat(script.indexOf("apt-mark hold")).isPositive().isLessThan(script.indexOf("apt-get -q update"));
        assertThat(script.indexOf("addlock 'kernel*'")).isPositive().isLessThan(script.indexOf("zypper_run patch"));
        assertThat(script(rendered("updates: {install: all, kernel: allow}")))
                .doesNotContain("apt-mark", "addlock", "exclude");
    }

    @Test
    void installsPackagesAndMpiTogetherAndChecksThatTheMpiIsThere() throws IOException {
        String script = script(renderedMpi("packages: [nfs-common], mpi: {flavour: open-mpi}"));
        assertThat(script).contains("install -- nfs-common openmpi-bin\n", "zypper_run install", "where open-mpi is");
        assertThat(script(rendered("updates: {install: all}"))).doesNotContain("where hpc-x is");
    }

    @Test
    void notesItsOmissions() {
        RenderedFile file = rendered("updates: {install: none}, ssh: {trust: cluster-key}");
        assertThat(file.notes())
                .hasSize(2)
                .anyMatch(note -> note.contains("private keys, and this file must not hold them"));
        assertThat(file.text()).contains("# Note: trust between the nodes").doesNotContain("PRIVATE KEY");
        assertThat(rendered("ssh: {trust: none}").notes())
                .hasSize(1)
                .allMatch(note -> note.contains("login.publicKeys"));
    }

    @Test
    void leavesOutLongFilesWithANote() throws IOException {
        Files.write(folder.resolve("mesh.bin"), new byte[70_000]);
        Files.write(folder.resolve("half.txt"), "x\n".repeat(20_000).getBytes(StandardCharsets.UTF_8));
        RenderedFile one = rendered("files: [{from: mesh.bin, to: /opt/mesh.bin}]");
        assertThat(one.notes())
                .contains(
                        "mesh.bin is too long for user data, which holds 65535 bytes: put it at /opt/mesh.bin on every"
                                + " node");
        assertThat(one.content().length).isLessThan(10_000);
        RenderedFile two = rendered("files: [{from: half.txt, to: /opt/1}, {from: half.txt, to: /opt/2}]");
        assertThat(two.notes()).anyMatch(note -> note.contains("Azure takes at most 65535 of custom data"));
    }

    @Nested
    class Refused {
        @Test
        void refusesAMissingFile() {
            assertThatThrownBy(() -> rendered("files: [{from: none.conf, to: /opt/none.conf}]"))
                    .isInstanceOf(InvalidSpecException.class)
                    .hasMessageContaining("image.customize.files[0].from: cannot read " + folder.resolve("none.conf"));
        }

        @Test
        void refusesAScriptWithoutAnInterpreter() throws IOException {
            Files.writeString(folder.resolve("a.sh"), "echo\n");
            assertThatThrownBy(() -> rendered("scripts: [{name: a, path: a.sh}]"))
                    .isInstanceOf(InvalidSpecException.class)
                    .hasMessageContaining("image.customize.scripts[0].path: script a (a.sh) has no interpreter");
        }

        @Test
        void refusesTheSettingsOfEth1() throws IOException {
            Files.writeString(folder.resolve("ifcfg"), "DEVICE=eth1\n");
            assertThatThrownBy(() -> rendered("files: [{from: ifcfg, to: /etc/sysconfig/network/ifcfg-eth1}]"))
                    .isInstanceOf(SpecRefusedException.class)
                    .hasMessageContaining("CW-NET-006");
        }
    }

    /** The real cloud-init, on a machine that starts for the first time as far as it knows. */
    @Test
    @Timeout(180)
    void customisesAMachine() throws IOException {
        try (RealNodes nodes = new RealNodes("rnd-cloud", "10.81.0.0/16", spec -> spec)) {
            Files.writeString(folder.resolve("solver.conf"), "steps = 1000 # äöü\n");
            Files.writeString(folder.resolve("as-root.sh"), "#!/bin/sh\nid -un >/opt/as-root; pwd\n");
            Files.writeString(folder.resolve("as-user.sh"), "#!/bin/sh\nid -un >~/as-user; pwd >>~/as-user\n");
            ClusterSpec spec = SpecReader.read("""
                name: rnd-cloud
                region: westus2
                login: {user: azureuser, publicKeys: ["%s"]}
                nodes: {count: 2, size: Standard_HB120rs_v3}
                image:
                  customize:
                    user: {name: rnduser, groups: [rndgroup]}
                    memlock: [{who: "@rndgroup", limit: 1024 KiB}, {who: root, limit: 2048 KiB}]
                    mpi: {flavour: hpc-x, install: image}
                    files: [{from: solver.conf, to: /opt/app/solver.conf, mode: "0640"}]
                    scripts:
                      - {name: as-root, path: as-root.sh, sudo: true}
                      - {name: as-user, path: as-user.sh}
                """.formatted(nodes.loginKey.publicKey()), "wing.yaml").toBuilder()
                    .baseFolder(folder)
                    .build();
            String userData = Planner.offline()
                    .render(spec)
                    .find("cloud-init.yaml")
                    .orElseThrow()
                    .text();
            Machine machine = nodes.boot(RealNodes.THIS_SYSTEM, 21).get(0);
            NodeSession session = nodes.session(machine);
            session.write(userData.getBytes(StandardCharsets.UTF_8), "/tmp/user-data", 0600);

            String log = session.run(Command.shell("""
                exec 2>&1 </dev/null
                seed=/var/lib/cloud/seed/nocloud
                mkdir -p $seed
                mv /tmp/user-data $seed/user-data
                echo 'instance-id: first' >$seed/meta-data
                echo 'datasource_list: [NoCloud]' >/etc/cloud/cloud.cfg.d/99_test.cfg
                echo 'locale: false' >>/etc/cloud/cloud.cfg.d/99_test.cfg
                echo 'ssh_deletekeys: false' >>/etc/cloud/cloud.cfg.d/99_test.cfg
                echo 'network: {config: disabled}' >>/etc/cloud/cloud.cfg.d/99_test.cfg
                # It asks whether this is a container, and takes the environment of a node's first process amiss.
                printf '#!/bin/sh\\n' >/usr/bin/lxc-is-container
                chmod 755 /usr/bin/lxc-is-container
                cloud-init init
                cloud-init modules --mode=config
                cloud-init modules --mode=final
                """).elevate().timeout(Duration.ofMinutes(2)))
                    .stdout();

            assertThat(log).contains("clusterwright: this machine is customised");
            assertThat(nodes.outputAsRoot(machine, "cat /opt/app/solver.conf; stat -c %a:%U /opt/app/solver.conf"))
                    .isEqualTo("steps = 1000 # äöü\n640:root");
            assertThat(nodes.outputAsRoot(machine, "cat /opt/as-root")).isEqualTo("root");
            assertThat(nodes.outputAsRoot(machine, "cat ~azureuser/as-user")).isEqualTo("azureuser\n/home/azureuser");
            assertThat(nodes.outputAsRoot(machine, "id -nG rnduser")).contains("rnduser", "rndgroup");
            assertThat(nodes.outputAsRoot(machine, "su -s /bin/sh rnduser -c 'ulimit -Hl; ulimit -Sl'"))
                    .isEqualTo("1024\n1024");
            assertThat(nodes.outputAsRoot(machine, "cat ~rnduser/.ssh/authorized_keys"))
                    .contains(nodes.loginKey.publicKey().base64());
            assertThat(nodes.outputAsRoot(machine, "sudo -n -l -U rnduser || :"))
                    .contains("not allowed to run sudo");
            assertThat(nodes.outputAsRoot(machine, "cat /etc/systemd/system.conf.d/99-clusterwright-memlock.conf"))
                    .isEqualTo("[Manager]\nDefaultLimitMEMLOCK=2097152");
        }
    }
}
