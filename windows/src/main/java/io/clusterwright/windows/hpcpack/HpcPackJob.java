package io.clusterwright.windows.hpcpack;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A job to be created, without its tasks. Immutable; each method that names a part gives another job. */
public final class HpcPackJob {
    private final Map<String, String> properties;
    private final Map<String, String> environment;

    private HpcPackJob(Map<String, String> properties, Map<String, String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /** A job of this name, of the size that its tasks need. */
    public static HpcPackJob named(String name) {
        return new HpcPackJob(Map.of(), Map.of()).property("Name", name);
    }

    /**
     * The same job on a number of nodes, which overrides that of its tasks.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the numbers are not positive or in the wrong order
     */
    public HpcPackJob nodes(int least, int most) {
        JobSize.check(least, most);
        return property("UnitType", "Node")
                .property("MinNodes", Integer.toString(least))
                .property("MaxNodes", Integer.toString(most))
                .property("AutoCalculateMin", "false")
                .property("AutoCalculateMax", "false");
    }

    /**
     * The same job on a number of cores, which overrides that of its tasks.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the numbers are not positive or in the wrong order
     */
    public HpcPackJob cores(int least, int most) {
        JobSize.check(least, most);
        return property("UnitType", "Core")
                .property("MinCores", Integer.toString(least))
                .property("MaxCores", Integer.toString(most))
                .property("AutoCalculateMin", "false")
                .property("AutoCalculateMax", "false");
    }

    /** The same job on nodes of these groups, such as {@code AzureNodes}. */
    public HpcPackJob nodeGroups(List<String> names) {
        return property("NodeGroups", JobSize.list("node groups", names));
    }

    /** The same job on some of these nodes. */
    public HpcPackJob requestedNodes(List<String> names) {
        return property("RequestedNodes", JobSize.list("requested nodes", names));
    }

    /** The same job under this job template. */
    public HpcPackJob template(String name) {
        return property("JobTemplate", name);
    }

    /** The same job that shares its nodes with no other. */
    public HpcPackJob exclusive() {
        return property("IsExclusive", "true");
    }

    /** The same job ended after this time, counted from its start. */
    public HpcPackJob runtime(Duration limit) {
        return property("RuntimeSeconds", JobSize.seconds(limit));
    }

    /** The same job with one more environment variable for all tasks; not with HPC Pack 2012. */
    public HpcPackJob environment(String name, String value) {
        return new HpcPackJob(properties, JobSize.with(environment, JobSize.variable(name), value));
    }

    /** The same job with any property of HPC Pack's ISchedulerJob. */
    public HpcPackJob property(String name, String value) {
        return new HpcPackJob(JobSize.with(properties, JobSize.propertyName(name), value), environment);
    }

    /** Its properties. */
    public Map<String, String> properties() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** The environment variables of all tasks. */
    public Map<String, String> environment() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }
}
