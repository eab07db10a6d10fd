package io.clusterwright.core.internal.rules;

import java.util.Set;
import java.util.regex.Pattern;

/** What the names of marketplace images say, all in lower case. */
final class Images {
    private static final Set<String> LINUX = Set.of(
            "microsoft-dsvm", "canonical", "almalinux", "openlogic", "suse", "redhat", "resf", "azure-hpc", "debian");
    private static final Pattern OLD_CENTOS = Pattern.compile("openlogic:centos-hpc:(6[._]\\d+|7[._][0-4]).*");
    private static final Pattern SLES_12 =
            Pattern.compile("suse:sles-hpc(-priority)?:12.*|suse:sles-12(-sp[12345])?-hpc.*");
    private static final Pattern SRIOV_READY = Pattern.compile(
            "(microsoft-dsvm:ubuntu-hpc|almalinux:almalinux-hpc|azure-hpc:azurelinux-hpc):.*|openlogic:centos-hpc:7[._][6-9].*");
    private static final Pattern PLAIN = Pattern.compile("canonical:(?!.*hpc).*|debian:.*|resf:.*|redhat:rhel:.*"
            + "|almalinux:almalinux-x86_64:.*|openlogic:centos:.*|suse:sles-\\d+-sp\\d+:.*");
    private static final Pattern FIRST_GENERATION = Pattern.compile(
            ".*[:-]gen1|openlogic:centos-hpc:7[._]\\d|microsoftwindowsserver:windowsserver:\\d{4}(-r2)?-datacenter");

    private Images() {}

    static boolean knownLinux(String image) {
        return LINUX.contains(image.split(":")[0]);
    }

    /** Whether it holds drivers for network-direct sizes, and none for SR-IOV. */
    static boolean networkDirectOnly(String image) {
        return OLD_CENTOS.matcher(image).matches() || image.matches("suse:sles-hpc(-priority)?:12.*");
    }

    static boolean slesTwelve(String image) {
        return SLES_12.matcher(image).matches();
    }

    /** Whether it holds drivers for SR-IOV sizes, and none for network-direct. */
    static boolean sriovOnly(String image) {
        return SRIOV_READY.matcher(image).matches();
    }

    /** Whether it holds no RDMA driver at all. */
    static boolean plain(String image) {
        return PLAIN.matcher(image).matches();
    }

    static boolean firstGeneration(String image) {
        return FIRST_GENERATION.matcher(image).matches();
    }
}
