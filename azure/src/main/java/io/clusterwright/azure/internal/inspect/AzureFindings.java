package io.clusterwright.azure.internal.inspect;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import java.util.ArrayList;
import java.util.List;

/** Findings reported by Azure about a description. */
public final class AzureFindings implements RuleSet {
    /** All kinds, in the order of their declaration, which is that of their codes. */
    private static final List<FindingKind> KINDS = new ArrayList<>();

    static final FindingKind NO_SIZE = error(
            "CW-AZURE-001",
            "the region does not offer the size",
            "choose another size or region; sizes with a fast network: clusterwright sizes --rdma (VmSizes)");
    static final FindingKind RESTRICTED = error(
            "CW-AZURE-002",
            "the subscription may not use the size in this region",
            "ask Azure for access to the size, or choose another");
    static final FindingKind NO_IMAGE =
            error("CW-AZURE-003", "there is no such image in the region", "choose another image or version");
    static final FindingKind GENERATION = error(
            "CW-AZURE-004",
            "the size does not boot images of this generation",
            "choose the edition of the image for the other generation");
    static final FindingKind NOT_REGISTERED = error(
            "CW-AZURE-005",
            "the subscription does not use a service that the cluster needs",
            "run, with the namespace that the finding names: az provider register --namespace NAMESPACE --wait");
    static final FindingKind NO_CALLER = error(
            "CW-AZURE-006",
            "external SSH is on, and no caller ranges are given",
            "write network.ssh.allowFrom with your public address, or call addCallerRange of the builder");
    static final FindingKind NO_NETWORK = error(
            "CW-AZURE-007",
            "the existing network is not as described",
            "correct network.name and network.subnet, or write existing: false");
    static final FindingKind TAKEN = error(
            "CW-AZURE-008",
            "something else has a name that the cluster needs",
            "choose another name for the cluster or another resource group");
    static final FindingKind NO_WINDOWS = error(
            "CW-AZURE-010",
            "this provider does not make such Windows machines",
            "leave hpcPack out or render its files, and write placement: {kind: availability-set}");
    static final FindingKind INSIDE = warning(
            "CW-AZURE-011",
            "nodes without a way in from outside are dialled at their private addresses",
            "run this inside of the network or over a VPN, or write network.ssh.external: head");
    static final FindingKind NO_RDMA = warning(
            "CW-AZURE-012",
            "Azure does not report RDMA for a size that has it in the catalog",
            "check the size; MPI would run over TCP");
    static final FindingKind ALL_OR_NONE = error(
            "CW-AZURE-014",
            "nodes of a scale set are reached from outside through ports of one address",
            "write network.ssh.portPrefix, or network.ssh.external: head to reach all through the head");
    static final FindingKind SPECIALIZED = warning(
            "CW-AZURE-015",
            "the image is specialised: its accounts, passwords and keys come along to every machine",
            "make sure that you know its accounts, or use an image of the state Generalized");
    static final FindingKind NO_SPECIALIZED_SET = error(
            "CW-AZURE-016",
            "instances of a scale set with a specialised image cannot be identified",
            "use an image of the state Generalized, capture one from it, or write placement.kind: availability-set");
    static final FindingKind OUTAGE = warning(
            "CW-AZURE-017",
            "Azure does not answer, and the operation waits for it",
            "check the network; the operation goes on by itself when Azure answers within 20 min, or interrupt it");
    static final FindingKind NO_ADDRESSES = error(
            "CW-AZURE-018",
            "the region has no room for the public addresses",
            "write network.ssh.portPrefix, so that the nodes share one address, or ask Azure for more");
    static final FindingKind HEAD_ELSEWHERE = warning(
            "CW-AZURE-019",
            "machines of a cluster whose head node is elsewhere are made without HPC Pack",
            "use an image with HPC Pack's node agent, and bring the nodes online: clusterwright hpcpack SPEC online NODE (HpcPackClient.nodes().bringOnline)");
    static final FindingKind OTHER_HEAD = error(
            "CW-AZURE-030",
            "the head node boots the image of the nodes, and its size cannot",
            "give the head node a size with the processors of the nodes, which boots images of the same generation");
    static final FindingKind TERMS = error(
            "CW-AZURE-031",
            "the terms of the image's purchase plan are not accepted",
            "read them, then accept them once for the subscription: az vm image terms accept --urn PUBLISHER:OFFER:SKU:VERSION");
    static final FindingKind REPLICAS = kind(
            Severity.INFO,
            "CW-AZURE-032",
            "a captured image is kept in a gallery, with replicas that are billed as storage of its disk",
            "delete images that are not needed: clusterwright images --prune --on azure (ClusterManager.pruneImages)");
    static final FindingKind SECURITY = error(
            "CW-AZURE-033",
            "image, size and type of security do not fit",
            "write image: {security: trusted-launch} or standard, as the image needs, or choose another image or size");
    static final FindingKind NO_WAY_OUT = warning(
            "CW-AZURE-040",
            "the existing subnet has no way out for nodes without a public address",
            "attach a NAT gateway to the subnet, or write network.ssh.portPrefix: the cluster's load balancer is a way out then");
    static final FindingKind ROUTED = warning(
            "CW-AZURE-041",
            "the routes of the existing subnet lead answers to SSH from outside elsewhere",
            "write network.ssh.external: none and run this inside of the network or over a VPN, or add a route of your"
                    + " address with next hop Internet");
    static final FindingKind CLOSED = warning(
            "CW-AZURE-042",
            "the security group of the existing subnet lets no SSH in",
            "add a rule to it that allows TCP port 22 from network.ssh.allowFrom, or write network.ssh.external: none");
    static final FindingKind NO_END = warning(
            "CW-AZURE-050",
            "Azure does not end the billed machines by itself when their time to live is over",
            "run regularly, for instance by a timer of a machine of yours: clusterwright destroy --expired (ClusterManager.destroy of each cluster past its ClusterSummary.expires)");

    /** For {@link java.util.ServiceLoader}. */
    public AzureFindings() {}

    @Override
    public List<Rule> rules() {
        return List.of();
    }

    @Override
    public List<FindingKind> otherKinds() {
        return List.copyOf(KINDS);
    }

    /** The finding of an operation that waits for Azure. */
    public static Finding outage(String message) {
        return new Finding(OUTAGE.code(), OUTAGE.severity(), "", message, OUTAGE.remedy());
    }

    /** The finding of a cluster whose end Azure refused to carry out. */
    public static Finding noEnd(String message) {
        return new Finding(NO_END.code(), NO_END.severity(), "timeToLive", message, NO_END.remedy());
    }

    private static FindingKind error(String code, String subject, String remedy) {
        return kind(Severity.ERROR, code, subject, remedy);
    }

    private static FindingKind warning(String code, String subject, String remedy) {
        return kind(Severity.WARNING, code, subject, remedy);
    }

    private static FindingKind kind(Severity severity, String code, String subject, String remedy) {
        FindingKind kind = new FindingKind(code, severity, subject, remedy);
        KINDS.add(kind);
        return kind;
    }
}
