package io.clusterwright.core.plan;

/**
 * The steps of creating a cluster, in order, and the steps of operating and destroying a cluster. Use it to show the
 * title of the current step. Each event names its step.
 *
 * @see io.clusterwright.core.ClusterListener
 */
public enum Step {
    /** The container of all resources on a cloud, deleted as a whole. */
    RESOURCE_GROUP("resource group"),
    /** The certificates that machines and services know each other by. */
    CERTIFICATE("certificate"),
    /** The file that a deployment script reads. */
    CONFIGURATION("configuration"),
    /** The network that the machines share. */
    NETWORK("network"),
    /** The base image with the distribution's updates, where the provider can keep that apart. */
    UPDATES("updated base"),
    /** One machine, from which the image is made. */
    TEMPLATE("template node"),
    /** Updates, packages, MPI, limits, trust and scripts on the template. */
    CUSTOMIZE("customise"),
    /** Removing from the template what must not be in an image. */
    DEPROVISION("deprovision"),
    /** Marking the template's disk as an image of many machines. */
    GENERALIZE("generalise"),
    /** Keeping the template's disk as an image. */
    CAPTURE("capture"),
    /** Booting one machine from a new image, proving and deleting it, before the image counts. */
    BOOT_TEST("boot test"),
    /** The services and accounts that machines of a cloud are deployed into. */
    SERVICES("services"),
    /** The resources that keep the machines of a cloud on one fabric. */
    PLACEMENT("placement"),
    /** The head node, with its scheduler. */
    HEAD("head node"),
    /** The template from which a head node makes nodes. */
    NODE_TEMPLATE("node template"),
    /** All nodes, at once. */
    NODES("nodes"),
    /** The extensions that a cloud installs on running machines, such as drivers. */
    EXTENSIONS("extensions"),
    /** Starting nodes that a head node knows of, or machines that were stopped; billed from there on where the provider bills. */
    START("start"),
    /** Letting a scheduler use the nodes. */
    ONLINE("online"),
    /** Host keys, names, trust and hostfile on every node. */
    JOIN("join"),
    /** A scheduler on the nodes, which hands them out to jobs. */
    SCHEDULER("scheduler"),
    /** Proofs that the cluster does what it is for. */
    CHECK("check"),
    /** The jobs that show that the cluster works. */
    JOBS("jobs"),
    /** Keeping the scheduler from the nodes. */
    OFFLINE("offline"),
    /** Machines stop and keep their disks; see the provider for what is billed then. */
    STOP("stop"),
    /** Deleting the resources. */
    DESTROY("destroy");

    private final String title;

    Step(String title) {
        this.title = title;
    }

    /** The step's name for people. */
    public String title() {
        return title;
    }
}
