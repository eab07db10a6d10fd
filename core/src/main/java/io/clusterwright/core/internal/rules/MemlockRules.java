package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.UserName;
import java.util.List;

/** Locked memory, without which RDMA fails or silently becomes TCP. */
final class MemlockRules {
    private static final String PATH = "image.customize.memlock";
    private static final MemlockLimit LEAST = MemlockLimit.of(1 << 20);
    private static final long KIB_PER_GIB = 1 << 20;

    private MemlockRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-MEM-001",
                        CLOUD,
                        "the limit of locked memory is not raised, and RDMA needs locked memory",
                        "write image: {customize: {memlock: [{who: \"*\", limit: unlimited}]}}",
                        MemlockRules::missing),
                Rule.warning(
                        "CW-MEM-002",
                        CLOUD,
                        "the limit of locked memory is below 1 GiB, which RDMA needs",
                        "write limit: unlimited",
                        MemlockRules::tooSmall),
                Rule.warning(
                        "CW-MEM-003",
                        CLOUD,
                        "the limit of locked memory is more than the memory of a node: the unit is KiB",
                        "write the number in KiB, or limit: unlimited",
                        MemlockRules::wrongUnit),
                Rule.warning(
                        "CW-MEM-004",
                        EVERYWHERE,
                        "memlock has no line for the user of MPI jobs",
                        "add a line for the user, for one of its groups, or for \"*\" (\"*\" does not include root)",
                        MemlockRules::otherUser));
    }

    private static List<MemlockRule> limits(ClusterSpec spec) {
        return spec.image().customize().memlock();
    }

    private static void missing(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean ready = ImageRules.Images.sriovOnly(SpecQueries.marketplace(spec))
                || SpecQueries.automaticImage(spec) && SpecQueries.sriov(spec, facts)
                || SpecQueries.marketplace(spec).isEmpty() && !SpecQueries.automaticImage(spec);
        if (SpecQueries.linux(spec)
                && SpecQueries.fabricWanted(spec, facts)
                && limits(spec).isEmpty()
                && !ready) {
            report.add(
                    PATH,
                    "image.customize.memlock is missing: most systems let a user lock 64 KiB to 8 MiB, and RDMA needs more");
        }
    }

    private static void tooSmall(ClusterSpec spec, Facts facts, Rule.Report report) {
        for (int i = 0; i < limits(spec).size(); i++) {
            MemlockRule rule = limits(spec).get(i);
            if (SpecQueries.rdma(spec, facts) && !rule.limit().covers(LEAST)) {
                report.add(
                        PATH + "[" + i + "].limit",
                        rule.limit() + " KiB for " + rule.who() + " is less than 1 GiB, which RDMA needs");
            }
        }
    }

    private static void wrongUnit(ClusterSpec spec, Facts facts, Rule.Report report) {
        facts.size(spec).ifPresent(size -> {
            for (int i = 0; i < limits(spec).size(); i++) {
                MemlockLimit limit = limits(spec).get(i).limit();
                if (!limit.isUnlimited() && limit.kibibytes() > size.memoryGib() * KIB_PER_GIB) {
                    report.add(
                            PATH + "[" + i + "].limit",
                            limit + " KiB is more than the " + size.memoryGib() + " GiB of " + size.size()
                                    + ": the unit is KiB");
                }
            }
        });
    }

    private static void otherUser(ClusterSpec spec, Facts facts, Rule.Report report) {
        UserName user = spec.mpiUser();
        boolean covered = limits(spec).stream().anyMatch(rule -> covers(rule.who(), spec, user));
        if (SpecQueries.linux(spec) && !limits(spec).isEmpty() && !covered) {
            report.add(PATH, "MPI jobs run as " + user + ", and no line of memlock is for " + user);
        }
    }

    private static boolean covers(MemlockSubject subject, ClusterSpec spec, UserName user) {
        if (subject instanceof MemlockSubject.User one) {
            return one.name().equals(user);
        }
        if (subject instanceof MemlockSubject.Group group) {
            return spec.image()
                    .customize()
                    .user()
                    .filter(account -> account.groups().contains(group.name()))
                    .isPresent();
        }
        return !user.equals(UserName.ROOT);
    }
}
