package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.linux.internal.local.Requirements.Refusal;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalTest {
    private static final Set<Path> BOTH = Set.of(Path.of("/etc/subuid"), Path.of("/etc/subgid"));

    @ParameterizedTest
    @CsvSource({
        "kernel.unprivileged_userns_clone, 0, 1",
        "user.max_user_namespaces, 0, 15000",
        "kernel.apparmor_restrict_unprivileged_userns, 1, 0"
    })
    void namesTheSettingOfTheKernel(String name, String found, String wanted) {
        Refusal refusal = refusal(Map.of(name.replace('.', '/'), found), BOTH);

        assertThat(refusal.detail())
                .isEqualTo("local nodes need root or user namespaces, and the kernel setting " + name + " is " + found);
        assertThat(refusal.remedy())
                .isEqualTo(
                        "run the command as root, or ask the administrator to run: sysctl -w " + name + "=" + wanted);
    }

    @Test
    void namesTheFileThatHasNoRange() {
        Refusal refusal = refusal(
                Map.of("kernel/unprivileged_userns_clone", "1", "user/max_user_namespaces", "96364"),
                Set.of(Path.of("/etc/subuid")));

        assertThat(refusal.detail())
                .isEqualTo("local nodes need root or a range of ids, and /etc/subgid lacks the user ann");
        assertThat(refusal.remedy())
                .isEqualTo("run the command as root, or ask the administrator to run: usermod --add-subuids"
                        + " 100000-165535 --add-subgids 100000-165535 ann");
    }

    @Test
    void repeatsWhatTheTryPrintedWhereNoSettingRefuses() {
        assertThat(refusal(Map.of(), BOTH).detail())
                .endsWith("this user cannot make one: unshare failed: Operation not permitted");
    }

    private static Refusal refusal(Map<String, String> settings, Set<Path> files) {
        return Refusal.of(
                name -> settings.getOrDefault(name, ""),
                files::contains,
                "ann",
                "unshare failed: Operation not permitted");
    }
}
