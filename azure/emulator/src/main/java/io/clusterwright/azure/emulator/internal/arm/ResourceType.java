package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A type of resource as a table: the rows that check and complete the body of a PUT, in their order, the time its operations take, and
 * what happens besides. Another refusal is one more row. {@link ResourceHandler} answers requests by it.
 */
public final class ResourceType {
    // Types that refer to each other.
    public static final String VIRTUAL_NETWORKS = "Microsoft.Network/virtualNetworks";
    public static final String SECURITY_GROUPS = "Microsoft.Network/networkSecurityGroups";
    public static final String PUBLIC_ADDRESSES = "Microsoft.Network/publicIPAddresses";
    public static final String INTERFACES = "Microsoft.Network/networkInterfaces";
    public static final String NAT_GATEWAYS = "Microsoft.Network/natGateways";
    public static final String ROUTE_TABLES = "Microsoft.Network/routeTables";
    public static final String LOAD_BALANCERS = "Microsoft.Network/loadBalancers";

    public static final String MACHINES = "Microsoft.Compute/virtualMachines";
    public static final String AVAILABILITY_SETS = "Microsoft.Compute/availabilitySets";
    public static final String PROXIMITY_GROUPS = "Microsoft.Compute/proximityPlacementGroups";
    public static final String DISKS = "Microsoft.Compute/disks";
    public static final String SNAPSHOTS = "Microsoft.Compute/snapshots";
    public static final String IMAGES = "Microsoft.Compute/images";
    public static final String GALLERIES = "Microsoft.Compute/galleries";
    public static final String GALLERY_IMAGES = GALLERIES + "/images";
    public static final String GALLERY_VERSIONS = GALLERY_IMAGES + "/versions";
    public static final String SCALE_SETS = "Microsoft.Compute/virtualMachineScaleSets";
    public static final String INSTANCES = SCALE_SETS + "/virtualMachines";
    public static final String INSTANCE_INTERFACES = INSTANCES + "/networkInterfaces";
    public static final String INSTANCE_ADDRESSES = INSTANCE_INTERFACES + "/ipConfigurations/publicIPAddresses";

    public static final String AUTO_SHUTDOWNS = "Microsoft.DevTestLab/schedules";
    public static final String AUTOSCALE_SETTINGS = "Microsoft.Insights/autoscaleSettings";

    /** The future of work that no machine has to do. */
    public static final CompletableFuture<?> NO_MACHINES = CompletableFuture.completedFuture(null);

    final String name;
    final List<Row> rows = new ArrayList<>();
    final List<Row> early = new ArrayList<>();
    final Map<String, Consumer<ResourcePath>> children = new LinkedHashMap<>();
    final Map<String, String> places = new HashMap<>();
    final Set<String> shown = new LinkedHashSet<>();
    final Map<String, Action> reads = new HashMap<>();
    final Map<String, Action> actions = new HashMap<>();
    final Map<String, PartAction> partActions = new HashMap<>();
    Function<Draft, @Nullable Work> work = draft -> null;

    @Nullable
    Work deleteWork;

    MachineWork machines = (call, resource, created) -> NO_MACHINES;
    Function<Resource, CompletableFuture<?>> unmaking = resource -> NO_MACHINES;
    BiConsumer<Resource, @Nullable ArmException> finished = (resource, failure) -> {};
    Consumer<Resource> deleteCheck = resource -> {};
    Consumer<Resource> actionCheck = resource -> {};
    Consumer<Resource> removed = resource -> {};
    View view = (call, resource, body) -> {};
    Function<Call, Predicate<Resource>> filter = call -> resource -> true;
    boolean retryable;
    boolean inherits;
    int created = 201;

    /** The answer to a request below a resource. */
    public interface Action {
        Reply answer(Call call, Resource resource);
    }

    /** The answer to a POST below an entry of an array of a resource. */
    public interface PartAction {
        Reply answer(Call call, Resource holder, ResourcePath part);
    }

    /** Work of machines before a resource is there; started when the request was accepted. */
    public interface MachineWork {
        CompletableFuture<?> start(Call call, Resource resource, boolean created);
    }

    /** Completes a copy of the body, as a client sees it, by what follows from other resources. */
    public interface View {
        void complete(Call call, Resource resource, ObjectNode body);
    }

    private ResourceType(String name) {
        this.name = name;
    }

    public static ResourceType of(String name) {
        return new ResourceType(name);
    }

    /** Further rows, after those so far. */
    public ResourceType rows(Row... more) {
        rows.addAll(List.of(more));
        return this;
    }

    /** Rows that are run on their own before anything of a template is made, which need nothing else of it. */
    public ResourceType early(Row... checks) {
        early.addAll(List.of(checks));
        return this;
    }

    /** An array of the properties whose entries have names and ids; rows for each. */
    public ResourceType entries(String array, Row... each) {
        shown(array);
        return rows(Row.array("properties." + array), Row.entries(array), Row.each("properties." + array, each));
    }

    /** An array whose entries can be read on their own. */
    public ResourceType shown(String array) {
        shown.add(array);
        return this;
    }

    /** The same for entries that can also be written and deleted on their own, such as rules. */
    public ResourceType children(String array, Row... each) {
        children.put(array, child -> {});
        return entries(array, each);
    }

    /** The same for entries whose array is elsewhere in the body, and which have no ids there. */
    public ResourceType childrenAt(String array, String path) {
        places.put(array, path);
        children.put(array, child -> {});
        return shown(array);
    }

    /** Refuses to delete an entry of {@link #children} that is in use. */
    public ResourceType childDeleteCheck(String array, Consumer<ResourcePath> check) {
        children.put(array, check);
        return this;
    }

    /** The duration of operations; without, everything is done at once. */
    public ResourceType takes(Work create, Work update, Work delete) {
        return takes(draft -> draft.before() == null ? create : update, delete);
    }

    public ResourceType takes(Function<Draft, @Nullable Work> write, @Nullable Work delete) {
        this.work = write;
        this.deleteWork = delete;
        return this;
    }

    /** Answers a request during another operation with 429, and calls each change an update, as Microsoft.Network does. */
    public ResourceType retryableWhileBusy() {
        this.retryable = true;
        return this;
    }

    public ResourceType machines(MachineWork start) {
        this.machines = start;
        return this;
    }

    /** Work of machines that must end before it is deleted. */
    public ResourceType unmaking(Function<Resource, CompletableFuture<?>> stop) {
        this.unmaking = stop;
        return this;
    }

    /** Called when it was created or changed, or could not be: then with the reason. */
    public ResourceType finished(BiConsumer<Resource, @Nullable ArmException> action) {
        this.finished = action;
        return this;
    }

    /** Refuses to delete what is in use. */
    public ResourceType deleteCheck(Consumer<Resource> check) {
        this.deleteCheck = check;
        return this;
    }

    /** Called before it is removed from the store. */
    public ResourceType removed(Consumer<Resource> action) {
        this.removed = action;
        return this;
    }

    public ResourceType view(View completion) {
        this.view = completion;
        return this;
    }

    /** The filter of a list, by its request. */
    public ResourceType filter(Function<Call, Predicate<Resource>> lists) {
        this.filter = lists;
        return this;
    }

    /** A GET below the resource. A path may be of two words, of which the second may be {@code *} for any name. */
    public ResourceType read(String path, Action action) {
        reads.put(path.toLowerCase(Locale.ROOT), action);
        return this;
    }

    /** A POST below the resource. */
    public ResourceType action(String path, Action action) {
        actions.put(path.toLowerCase(Locale.ROOT), action);
        return this;
    }

    /** A POST below an entry of {@link #children}. */
    public ResourceType partAction(String array, String path, PartAction action) {
        partActions.put((array + "/" + path).toLowerCase(Locale.ROOT), action);
        return this;
    }

    /** Refuses any action. */
    public ResourceType actionCheck(Consumer<Resource> check) {
        this.actionCheck = check;
        return this;
    }

    /** A part of another resource that has no location in its body. */
    public ResourceType inRegionOfParent() {
        this.inherits = true;
        return this;
    }

    /** The status of the answer to a creation, where it is not 201. */
    public ResourceType created(int status) {
        this.created = status;
        return this;
    }
}
