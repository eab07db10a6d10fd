package io.clusterwright.core.plan;

/** What creating a cluster goes through, in order, and then what becomes of it. */
public enum Step {
    /** What holds everything on a cloud, and is deleted as a whole. */
    RESOURCE_GROUP("resource group"),
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
    /** Telling a cloud that the template's disk is no longer one machine's. */
    GENERALIZE("generalise"),
    /** Keeping the template's disk as an image. */
    CAPTURE("capture"),
    /** What keeps the machines of a cloud on one fabric. */
    PLACEMENT("placement"),
    /** All nodes, at once. */
    NODES("nodes"),
    /** What a cloud installs on running machines, such as drivers. */
    EXTENSIONS("extensions"),
    /** Host keys, names, trust and hostfile on every node. */
    JOIN("join"),
    /** Proofs that the cluster does what it is for. */
    CHECK("check"),
    /** Stopped machines come back. */
    START("start"),
    /** Machines stop and keep their disks. */
    STOP("stop"),
    /** Removing what was made. */
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
