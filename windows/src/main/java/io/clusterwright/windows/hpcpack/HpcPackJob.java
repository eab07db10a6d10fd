package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.ClusterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A job with its tasks: {@link HpcPackJobs#create} creates it at a head node, {@link JobClient} writes it as a
 * command or a file. Use it for jobs that are no MPI jobs. Immutable; each method that names a part gives another
 * job.
 *
 * @see HpcPackJobs
 */
public final class HpcPackJob {
    private final Map<String, String> properties;
    private final Map<String, String> environment;
    private final List<HpcPackTask> tasks;

    private HpcPackJob(Map<String, String> properties, Map<String, String> environment, List<HpcPackTask> tasks) {
        this.properties = properties;
        this.environment = environment;
        this.tasks = List.copyOf(tasks);
    }

    /** A job of this name without tasks, of the size that its tasks need. */
    public static HpcPackJob named(String name) {
        return new HpcPackJob(Map.of(), Map.of(), List.of()).property("Name", name);
    }

    /** A job without a name of one task, of the size that it needs. */
    public static HpcPackJob of(HpcPackTask task) {
        return new HpcPackJob(Map.of(), Map.of(), List.of(task));
    }

    /** Adds a task. */
    public HpcPackJob addTask(HpcPackTask task) {
        List<HpcPackTask> more = new ArrayList<>(tasks);
        more.add(task);
        return new HpcPackJob(properties, environment, more);
    }

    /**
     * Sets the number of nodes, which overrides the number of its tasks.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the numbers are not positive or in the wrong order
     */
    public HpcPackJob nodes(int least, int most) {
        return size("Node", least, most);
    }

    /**
     * Sets the number of cores, which overrides the number of its tasks.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the numbers are not positive or in the wrong order
     */
    public HpcPackJob cores(int least, int most) {
        return size("Core", least, most);
    }

    private HpcPackJob size(String unit, int least, int most) {
        JobProperties.checkSize(least, most);
        return property("UnitType", unit)
                .property("Min" + unit + "s", Integer.toString(least))
                .property("Max" + unit + "s", Integer.toString(most))
                .property("AutoCalculateMin", "false")
                .property("AutoCalculateMax", "false");
    }

    /** Limits the job to nodes of these groups, such as {@code AzureNodes}. */
    public HpcPackJob nodeGroups(List<String> names) {
        return property("NodeGroups", JobProperties.list("node groups", names));
    }

    /** Limits the job to some of these nodes. */
    public HpcPackJob requestedNodes(List<String> names) {
        return property("RequestedNodes", JobProperties.list("requested nodes", names));
    }

    /** Sets the job template. */
    public HpcPackJob template(String name) {
        return property("JobTemplate", name);
    }

    /** Sets the time limit, counted from the start of the job. */
    public HpcPackJob runtime(Duration limit) {
        return property("RuntimeSeconds", JobProperties.seconds(limit));
    }

    /** Adds an environment variable for all tasks. */
    public HpcPackJob environment(String name, String value) {
        return new HpcPackJob(properties, JobProperties.variable(environment, name, value), tasks);
    }

    /** Sets a property of HPC Pack's ISchedulerJob, such as {@code IsExclusive}; an empty value removes it. */
    public HpcPackJob property(String name, String value) {
        return new HpcPackJob(JobProperties.property(properties, name, value), environment, tasks);
    }

    /**
     * Refuses an MPI job that could get nodes of two cloud services of a spec, between which there is no RDMA.
     *
     * @return this job
     * @throws io.clusterwright.core.type.InvalidValueException when it could span two of them
     */
    public HpcPackJob requireOneDomain(ClusterSpec spec) {
        return requireOneDomain(PlacementDomains.of(spec));
    }

    /**
     * Refuses an MPI job that could get nodes of two placement domains: cloud services, availability sets or placement groups.
     *
     * @param domains the domain of each node and of each node group that lies in one; case does not matter in the names
     * @return this job
     * @throws io.clusterwright.core.type.InvalidValueException when it could span two of them
     */
    public HpcPackJob requireOneDomain(Map<String, String> domains) {
        return requireOneDomain(PlacementDomains.of(domains));
    }

    private HpcPackJob requireOneDomain(PlacementDomains domains) {
        List<String> names = new ArrayList<>();
        Stream.of("NodeGroups", "RequestedNodes")
                .flatMap(property -> Stream.ofNullable(properties.get(property)))
                .forEach(list -> names.addAll(List.of(list.split(","))));
        tasks.stream()
                .flatMap(task -> Stream.ofNullable(task.properties().get("RequiredNodes")))
                .forEach(list -> names.addAll(List.of(list.split(","))));
        domains.check(names, "Uniform".equals(properties.get("NodeGroupOp")));
        return this;
    }

    /** Its properties, in the order in which they were given. */
    public Map<String, String> properties() {
        return properties;
    }

    /** The environment variables of all tasks. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Its tasks, in their order. */
    public List<HpcPackTask> tasks() {
        return tasks;
    }

    /** Its name and how many tasks it has, since commands may hold secrets. */
    @Override
    public String toString() {
        return "job " + properties.getOrDefault("Name", "without a name") + " of " + tasks.size() + " tasks";
    }
}
