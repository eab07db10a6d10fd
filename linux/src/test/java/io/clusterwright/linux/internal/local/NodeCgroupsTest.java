package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeCgroupsTest {
    private static final String V2 = "25 24 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";

    @Test
    void findsTheGroupOfASession() {
        assertThat(NodeCgroups.of(
                        List.of("0::/user.slice/user-1000.slice/session-3.scope"),
                        List.of("24 1 0:23 / /sys rw shared:7 - sysfs sysfs rw", V2)))
                .containsExactly(Path.of("/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope"));
    }

    @Test
    void findsTheGroupsOfBothVersions() {
        assertThat(NodeCgroups.of(
                        List.of("9:name=systemd:/", "4:memory:/job/7", "2:cpu,cpuacct:/", "1:pids:/", "0::/x:y"),
                        List.of(
                                "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
                                "31 25 0:27 / /sys/fs/cgroup/cpu rw shared:1 master:2 - cgroup cgroup rw,cpu,cpuacct",
                                "32 25 0:28 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd",
                                "33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw")))
                .containsExactly(
                        Path.of("/sys/fs/cgroup/cpu"),
                        Path.of("/sys/fs/cgroup/memory/job/7"),
                        Path.of("/sys/fs/cgroup/systemd"),
                        Path.of("/sys/fs/cgroup/unified/x:y"));
    }

    @Test
    void findsTheGroupOfAContainerThatSeesItsPartOnly() {
        assertThat(NodeCgroups.of(
                        List.of("5:memory:/docker/1f/job"),
                        List.of("30 25 0:26 /docker/1f /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory")))
                .containsExactly(Path.of("/sys/fs/cgroup/memory/job"));
        assertThat(NodeCgroups.of(
                        List.of("5:memory:/elsewhere"),
                        List.of("30 25 0:26 /docker/1f /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory")))
                .isEmpty();
    }
}
