package io.clusterwright.azure.emulator.internal.arm;

import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What all handlers share. Its monitor guards everything in it. */
public final class Cloud {
    private final Settings settings;
    private final EmulatedClock clock;
    private final Faults faults;
    private final Operations operations;
    private final Store store = new Store();
    private long etags;

    public Cloud(Settings settings, EmulatedClock clock, Faults faults) {
        this.settings = settings;
        this.clock = clock;
        this.faults = faults;
        this.operations = new Operations(clock, settings.retryAfter());
    }

    public Settings settings() {
        return settings;
    }

    public EmulatedClock clock() {
        return clock;
    }

    public Faults faults() {
        return faults;
    }

    public Operations operations() {
        return operations;
    }

    public Store store() {
        return store;
    }

    public String nextEtag() {
        etags++;
        return "W/\"" + new UUID(0x636c7573746572L, etags) + "\"";
    }

    /** Starts work that needs nothing but time. */
    public Operation start(Work work, @Nullable ArmException failure, Operation.Ending ending) {
        return start(work, failure, CompletableFuture.completedFuture(null), ending);
    }

    public Operation start(
            Work work, @Nullable ArmException failure, CompletableFuture<?> machines, Operation.Ending ending) {
        return operations.start(work.duration(settings.realistic()), failure, machines, ending);
    }

    /** The region's name without blanks, as Resource Manager keeps it. */
    public String region(String location) {
        String region = location.replace(" ", "").toLowerCase(Locale.ROOT);
        if (!settings.regions().containsKey(region)) {
            throw ArmException.badRequest(
                    "LocationNotAvailableForResourceType",
                    "The provided location '" + location + "' is not available. List of available regions is '"
                            + String.join(",", settings.regions().keySet()) + "'.");
        }
        return region;
    }
}
