package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.linux.internal.local.Requirements.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseSystemTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final String MAKE = "debootstrap --include=openssh-server,sudo,python3 trixie /srv/trixie";

    @TempDir
    private Path folder;

    private BaseSystem system;

    @BeforeEach
    void make() throws IOException {
        system = new BaseSystem(folder.resolve("trixie"));
        write("etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n");
        write("var/lib/dpkg/status", "Package: base-files\n");
        for (String program : List.of("usr/bin/bash", "usr/bin/sudo", "usr/sbin/useradd")) {
            write(program, "");
        }
        Files.copy(JAVA, system.at("usr/sbin/sshd"));
    }

    @Test
    void aSystemWithItsProgramsIsUsable() {
        assertThat(system.refusal()).isEmpty();
        assertThat(system.name()).isEqualTo("Debian GNU/Linux 13 (trixie)");
        assertThat(BaseSystem.THIS_MACHINE.refusal()).isEmpty();
    }

    @Test
    void namesTheFolderThatIsNotThere() {
        assertRefused(
                new BaseSystem(folder.resolve("none")),
                "there is no folder " + folder.resolve("none"),
                "correct the path, which is relative to the folder of the spec; or make a system: " + MAKE);
    }

    @Test
    void refusesTheSystemOfThisMachineWithItsPrivateFiles() {
        assertRefused(
                new BaseSystem(Path.of("/usr/..")),
                "/usr/.. is the system of this machine",
                "write image: {base: auto}");
    }

    @Test
    void namesWhatAFolderWithoutASystemLacks() throws IOException {
        Files.delete(system.at("etc/os-release"));
        assertRefused(
                system,
                system + " is not a Linux system: it has no etc/os-release",
                "write the folder that has usr and etc, or make a system: " + MAKE);
        assertRefused(
                new BaseSystem(folder),
                folder + " is not a Linux system: it has no usr/bin",
                "write the folder that has usr and etc, or make a system: " + MAKE);
    }

    @Test
    void namesTheProgramsThatASystemLacks() throws IOException {
        Files.delete(system.at("usr/sbin/sshd"));
        Files.delete(system.at("usr/bin/sudo"));

        assertRefused(
                system,
                "the system " + system + " has no sshd, sudo, which each node needs",
                "make the system again: " + MAKE);
        assertThatThrownBy(system::orThrow)
                .isInstanceOf(LocalMachinesException.class)
                .hasMessage("could not use the system " + system + ": the system " + system
                        + " has no sshd, sudo, which each node needs; make the system again: " + MAKE);
    }

    @Test
    void refusesASystemForOtherProcessors() throws IOException {
        byte[] program = Files.readAllBytes(JAVA);
        boolean arm = program[18] == (byte) 183;
        program[18] = (byte) (arm ? 62 : 183);
        Files.write(system.at("usr/sbin/sshd"), program);

        assertRefused(
                system,
                "the system " + system + " is for " + (arm ? "x86-64" : "ARM64") + " processors, and this machine has "
                        + (arm ? "ARM64" : "x86-64") + " processors",
                "write a system for the processors of this machine");
    }

    @Test
    void refusesAPathThatAMountCannotTake() throws IOException {
        Path blank = Files.move(system.root(), folder.resolve("a,b"));

        assertRefused(
                new BaseSystem(blank),
                "the path " + blank + " has a character that the mount of a node cannot take",
                "rename the folder: use letters, digits or . _ / + @ -");
    }

    @Test
    void isAnotherSystemAfterAChangeOfItsPackages() throws IOException {
        String before = system.fingerprint();
        FileTime start = FileTime.from(Instant.now().minusSeconds(10));
        assertThat(system.fingerprint()).isEqualTo(before).isNotEqualTo(BaseSystem.THIS_MACHINE.fingerprint());
        assertThat(HostPackages.changedSince(system.root(), start)).isEmpty();

        write("var/lib/dpkg/status", "Package: base-files\nPackage: hello\n");
        write("var/lib/dpkg/info/hello.list", "/usr/bin/hello\n");

        assertThat(system.fingerprint()).isNotEqualTo(before);
        assertThat(HostPackages.changedSince(system.root(), start)).containsExactly("hello");
    }

    @Test
    void isTheLastOfTheLayersOfANode() {
        assertThat(BaseSystem.below(List.of("ab", "/srv/trixie"))).isEqualTo(new BaseSystem(Path.of("/srv/trixie")));
        assertThat(BaseSystem.above(List.of("ab", "/srv/trixie"))).containsExactly("ab");
        assertThat(BaseSystem.below(List.of("ab"))).isEqualTo(BaseSystem.THIS_MACHINE);
        assertThat(BaseSystem.below(List.of())).isEqualTo(BaseSystem.THIS_MACHINE);
    }

    private static void assertRefused(BaseSystem system, String detail, String remedy) {
        assertThat(system.refusal()).contains(new Refusal(detail, remedy));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(LayerFolder.above(system.at(file)));
        Files.writeString(system.at(file), text);
    }
}
