package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;

/**
 * A limit of locked memory for services of systemd, such as a scheduler's daemon, which limits.conf does not reach.
 * Use it where jobs are started by a daemon.
 *
 * <pre>{@code
 * SystemdLimits daemons = new SystemdLimits(MemlockLimit.of("unlimited"));
 * String path = SystemdLimits.servicePath("slurmd.service"); // where the drop-in belongs
 * String text = daemons.serviceDropIn();
 * }</pre>
 *
 * @param memlock the soft and the hard limit; systemd counts bytes, which the texts take into account
 */
public record SystemdLimits(MemlockLimit memlock) {
    private static final String FILE = "99-clusterwright-memlock.conf";

    /** The path of the drop-in for every service; the manager reads it when the machine starts. */
    public static final String MANAGER_PATH = "/etc/systemd/system.conf.d/" + FILE;

    /** The drop-in that sets the default of every service. */
    public String managerDropIn() {
        return "[Manager]\nDefaultLimitMEMLOCK=" + value() + "\n";
    }

    /** The drop-in that sets the limit of one service. */
    public String serviceDropIn() {
        return "[Service]\nLimitMEMLOCK=" + value() + "\n";
    }

    /**
     * The path of the drop-in for one service; it counts after {@code systemctl daemon-reload} and a restart of the
     * service.
     *
     * @param unit the service, such as {@code slurmd.service}
     * @throws InvalidValueException when it is not the name of a service
     */
    public static String servicePath(String unit) {
        if (!unit.matches("[A-Za-z0-9:_.@-]{1,200}\\.service")) {
            throw new InvalidValueException(
                    "service name",
                    unit,
                    "letters, digits, ':', '_', '.', '@' or '-', ending with .service",
                    "slurmd.service");
        }
        return "/etc/systemd/system/" + unit + ".d/" + FILE;
    }

    private String value() {
        return memlock.isUnlimited() ? "infinity" : Long.toString(memlock.kibibytes() * 1024);
    }
}
