package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.emulator.internal.http.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/** Counter of the faults of a script. Guarded by the cloud's lock. */
public final class FaultCounter {
    private static final Pattern MACHINE = Pattern.compile(".+/virtualMachines/[^/]+", Pattern.CASE_INSENSITIVE);

    /** Kinds that answer the request itself. */
    public static final Set<Fault.Kind> OF_REQUESTS = EnumSet.of(
            Fault.Kind.TOO_MANY_REQUESTS,
            Fault.Kind.INTERNAL_SERVER_ERROR,
            Fault.Kind.SERVICE_UNAVAILABLE,
            Fault.Kind.INVALID_TOKEN,
            Fault.Kind.AUTHORIZATION_FAILED,
            Fault.Kind.NOT_OFFERED,
            Fault.Kind.CONNECTION_RESET,
            Fault.Kind.OUTAGE,
            Fault.Kind.SKU_NOT_AVAILABLE,
            Fault.Kind.QUOTA_EXCEEDED);

    /** Kinds that let the operation fail when its time is over. */
    public static final Set<Fault.Kind> OF_OPERATIONS = EnumSet.of(
            Fault.Kind.ALLOCATION_FAILED,
            Fault.Kind.OVERCONSTRAINED,
            Fault.Kind.OS_PROVISIONING_TIMED_OUT,
            Fault.Kind.EXTENSION_FAILED);

    /** Chance failures of one resource, after which it succeeds. */
    private static final int MOST_BY_CHANCE = 2;

    private final double rate;
    private final long seed;
    private final Map<String, Integer> attempts = new HashMap<>();
    private List<Fault> script;
    private int[] seen;
    private Instant outageEnd = Instant.MIN;

    /**
     * FaultCounter of a script, and failures by chance.
     *
     * @param rate the part of the creations of machines that fail, from 0 to 1
     * @param seed makes other ones fail; with one seed, each resource meets the same whatever the order of requests
     */
    public FaultCounter(List<Fault> script, double rate, long seed) {
        this.rate = rate;
        this.seed = seed;
        this.script = script;
        this.seen = new int[script.size()];
    }

    /** Goes on with another script, from its start. */
    public void replace(List<Fault> next) {
        this.script = next;
        this.seen = new int[next.size()];
        this.outageEnd = Instant.MIN;
    }

    /** The faults that have not hit all their requests, with the remaining skips and hits; a fault without an end is done with its first hit. */
    public List<Fault> pending() {
        List<Fault> pending = new ArrayList<>();
        for (int i = 0; i < seen.length; i++) {
            Fault fault = script.get(i);
            int skipped = Math.min(seen[i], fault.skip());
            int hits = seen[i] - skipped;
            boolean always = fault.times() == Integer.MAX_VALUE;
            if (hits == 0 || !always && hits < fault.times()) {
                Fault rest = fault.skip(fault.skip() - skipped);
                pending.add(always ? rest : rest.times(fault.times() - hits));
            }
        }
        return pending;
    }

    /** Lets no request through before this time. */
    public void outageUntil(Instant end) {
        outageEnd = end;
    }

    /** Whether no request gets through at this time. */
    public boolean isOutage(Instant now) {
        return now.isBefore(outageEnd);
    }

    /** The fault that hits this request, counted as done. */
    public Optional<Fault> take(Call call, Set<Fault.Kind> kinds) {
        return take(call.method(), call.path(), kinds);
    }

    /** The fault that hits the creation of a resource without a separate request, counted as done. */
    public Optional<Fault> take(String method, String path, Set<Fault.Kind> kinds) {
        Fault hit = null;
        for (int i = 0; i < seen.length; i++) {
            Fault fault = script.get(i);
            if (kinds.contains(fault.kind()) && fault.matches(method, path)) {
                int before = seen[i];
                if (before - fault.skip() >= fault.times()) {
                    continue;
                }
                seen[i] = before + 1;
                if (before >= fault.skip()) {
                    hit = fault;
                    break;
                }
            }
        }
        return Optional.ofNullable(hit);
    }

    public Optional<ArmException> failure(Call call) {
        return failure(call.method(), call.path());
    }

    public Optional<ArmException> failure(String method, String path) {
        return take(method, path, OF_OPERATIONS)
                .or(() -> chance(method, path))
                .map(fault ->
                        ArmException.of(409, fault.kind().code(), fault.kind().message()));
    }

    /** The failure that a machine meets by chance: no capacity for it, or a system that does not boot in time. */
    private Optional<Fault> chance(String method, String path) {
        if (rate == 0 || !method.equals("PUT") || !MACHINE.matcher(path).matches()) {
            return Optional.empty();
        }
        String key = path.toLowerCase(Locale.ROOT);
        int attempt = attempts.merge(key, 1, Integer::sum);
        Random random = new Random(seed * 31 + key.hashCode() * 17L + attempt);
        random.nextInt();
        if (attempt > MOST_BY_CHANCE || random.nextDouble() >= rate) {
            return Optional.empty();
        }
        Fault.Kind kind = random.nextBoolean() ? Fault.Kind.ALLOCATION_FAILED : Fault.Kind.OS_PROVISIONING_TIMED_OUT;
        return Optional.of(Fault.of(kind, method, path));
    }
}
