package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** State that all handlers share. Its monitor guards everything in it. */
public record Cloud(Settings settings, EmulatedClock clock, FaultCounter faults, Operations operations, Store store) {
    public Cloud(Settings settings, EmulatedClock clock, FaultCounter faults) {
        this(settings, clock, faults, new Operations(clock, settings.retryAfter()), new Store(clock));
    }

    public LongOperation start(
            Work work, @Nullable ArmException failure, CompletableFuture<?> machines, LongOperation.Ending ending) {
        return operations.start(work.duration(settings.realistic()), failure, machines, ending);
    }

    /** Starts the operation of a POST on a resource. */
    public Reply accept(
            Call call, Resource resource, Work work, CompletableFuture<?> machines, LongOperation.Ending ending) {
        LongOperation operation = start(work, faults.failure(call).orElse(null), machines, ending);
        resource.operation(operation);
        return linked(Reply.empty(202), call, resource.id(), operation);
    }

    /**
     * The answer with the links by which a client follows an operation: both headers, as Compute and Network send them; only
     * {@code Location} from the resource groups.
     */
    public Reply linked(Reply answer, Call call, ResourcePath id, LongOperation operation) {
        String namespace = id.namespace();
        String location = store.location(id);
        String subscription = call.base() + "/subscriptions/" + settings.subscription();
        String version = "api-version=" + call.query("api-version");
        Reply timed = operations.timed(answer);
        if (namespace.isEmpty() || namespace.equalsIgnoreCase("Microsoft.Resources")) {
            return timed.with("Location", subscription + "/operationresults/" + operation.id() + "?" + version);
        }
        String region = subscription + "/providers/" + namespace + "/locations/"
                + (location.isEmpty() ? "global" : location.toLowerCase(Locale.ROOT));
        boolean network = namespace.equalsIgnoreCase("Microsoft.Network");
        String status = region + "/operations/" + operation.id() + "?" + version;
        String result = region + (network ? "/operationResults/" : "/operations/") + operation.id() + "?"
                + (network ? "" : "monitor=true&") + version;
        Reply linked = timed.with("Azure-AsyncOperation", status).with("Azure-AsyncNotification", "Enabled");
        return answer.status() == 202 ? linked.with("Location", result) : linked;
    }

    /** The region's name without blanks, as Resource Manager keeps it. */
    public String region(String location) {
        String region = location.replace(" ", "").toLowerCase(Locale.ROOT);
        ArmException.refuse(
                !settings.regions().containsKey(region), "NoRegisteredProviderFound.location", location, regions());
        return region;
    }

    /** The same for the region of a new resource. */
    String region(String location, ResourcePath id) {
        String region = location.replace(" ", "").toLowerCase(Locale.ROOT);
        if (settings.regions().containsKey(region)) {
            return region;
        }
        throw id.isGroup()
                ? ArmException.of("LocationNotAvailableForResourceGroup", location, regions())
                : ArmException.of("LocationNotAvailableForResourceType", location, id.type(), regions());
    }

    private String regions() {
        return String.join(",", settings.regions().keySet());
    }

    /**
     * Settings of an emulated cloud.
     *
     * @param subscription the id of the subscription
     * @param regions the regions: names with display names
     * @param realistic whether things take the time they take in Azure
     * @param retryAfter the wait between polls that answers ask for; zero for none
     * @param coresPerFamily the limit of every family that {@code familyLimits} does not list
     * @param familyLimits limits by family, in billed cores
     * @param regionalCores the limit of a whole region
     * @param spotCores the limit of low-priority cores in a region
     * @param retiredSizes whether sizes can be had that Azure no longer offers
     * @param pageSize how many entries one page of a list has
     * @param restrictedSizes sizes, in lower case, that the subscription may not use
     * @param visible ids of the subscriptions that are listed
     * @param acceptedTerms whether the terms of all plans of the marketplace are accepted
     * @param publicAddresses how many public addresses a region may have
     * @param unregistered namespaces whose provider is not registered
     */
    public record Settings(
            String subscription,
            Map<String, String> regions,
            boolean realistic,
            Duration retryAfter,
            int coresPerFamily,
            Map<String, Integer> familyLimits,
            int regionalCores,
            int spotCores,
            boolean retiredSizes,
            int pageSize,
            Set<String> restrictedSizes,
            List<String> visible,
            boolean acceptedTerms,
            int publicAddresses,
            Set<String> unregistered) {}
}
