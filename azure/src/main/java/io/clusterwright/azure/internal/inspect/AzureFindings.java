package io.clusterwright.azure.internal.inspect;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import java.util.ArrayList;
import java.util.List;

/** Kinds of the findings that Azure reports about a spec. */
public final class AzureFindings implements RuleSet {
    /** All kinds, in the order of their codes. */
    private static final List<FindingKind> KINDS = new ArrayList<>();

    static final FindingKind NO_SIZE = error(
            "CW-AZURE-001",
            "the region does not offer the size",
            "choose another size or region; sizes with a fast network: clusterwright sizes --rdma (VmSizes.standard())");
    static final FindingKind RESTRICTED = error(
            "CW-AZURE-002",
            "the subscription may not use the size in this region",
            "request access to the size from Azure support, or choose another size");
    static final FindingKind NO_IMAGE =
            error("CW-AZURE-003", "there is no such image in the region", "choose another image or version");
    static final FindingKind GENERATION = error(
            "CW-AZURE-004",
            "the size cannot boot an image of this generation",
            "choose the image for the other generation, or write image: {base: auto}");
    static final FindingKind NOT_REGISTERED = error(
            "CW-AZURE-005",
            "a service that the cluster needs is not registered in the subscription",
            "run: az provider register --namespace NAMESPACE --wait");
    static final FindingKind NO_CALLER = error(
            "CW-AZURE-006",
            "SSH from outside is on, and network.ssh.allowFrom is empty",
            "write network.ssh.allowFrom with your public address, or, in Java, call addCallerRange of AzureMachines.Builder");
    static final FindingKind NO_NETWORK = error(
            "CW-AZURE-007",
            "the existing network does not match the spec",
            "correct network.name and network.subnet, or write network: {existing: false}");
    static final FindingKind TAKEN = error(
            "CW-AZURE-008",
            "another resource has a name that the cluster needs",
            "write another name or another resourceGroup");
    static final FindingKind NO_WINDOWS = error(
            "CW-AZURE-010",
            "the provider cannot create these Windows machines",
            "with hpcPack, remove hpcPack or run: clusterwright render SPEC --to DIR (Planner.render);"
                    + " with a scale set, write placement: {kind: availability-set}");
    static final FindingKind INSIDE = warning(
            "CW-AZURE-011",
            "nodes have private addresses only, and this program connects to these addresses",
            "run this program inside of the network or over a VPN, or write network: {ssh: {external: head}}");
    static final FindingKind NO_RDMA = warning(
            "CW-AZURE-012",
            "Azure does not report RDMA for a size with RDMA in the catalog",
            "check the size in Azure's documentation; without RDMA, MPI runs over TCP");
    static final FindingKind ALL_OR_NONE = error(
            "CW-AZURE-014",
            "nodes of a scale set share one public address, and portPrefix is missing",
            "write network: {ssh: {portPrefix: 101}}, or external: head to connect through the head node");
    static final FindingKind SPECIALIZED = warning(
            "CW-AZURE-015",
            "the image is specialised: every machine gets the accounts, passwords and keys of the image",
            "check the accounts of the image, or use an image of the state Generalized");
    static final FindingKind NO_SPECIALIZED_SET = error(
            "CW-AZURE-016",
            "instances of a scale set with a specialised image cannot be identified",
            "use an image of the state Generalized, capture one from it, or write placement: {kind: availability-set}");
    static final FindingKind OUTAGE = warning(
            "CW-AZURE-017",
            "Azure does not answer, and the operation waits",
            "check the network; the operation continues when Azure answers within 20 min");
    static final FindingKind NO_ADDRESSES = error(
            "CW-AZURE-018",
            "the quota of public addresses in the region is too small",
            "write network: {ssh: {portPrefix: 101}}, so that the nodes share one address, or request more quota");
    static final FindingKind HEAD_ELSEWHERE = warning(
            "CW-AZURE-019",
            "the cluster uses an existing head node, and its machines are created without HPC Pack",
            "use an image with HPC Pack's node agent, and bring the nodes online: clusterwright hpcpack SPEC online NODE (HpcPackClient.nodes().bringOnline)");
    static final FindingKind OTHER_HEAD = error(
            "CW-AZURE-030",
            "the size of the head node cannot boot the image of the nodes",
            "write a headNode.size with the processor architecture and the image generation of the nodes");
    static final FindingKind TERMS = error(
            "CW-AZURE-031",
            "the terms of the image's purchase plan are not accepted",
            "read the terms, then run once for the subscription: az vm image terms accept --urn PUBLISHER:OFFER:SKU:VERSION");
    static final FindingKind REPLICAS = kind(
            Severity.INFO,
            "CW-AZURE-032",
            "a gallery keeps the captured image in replicas, and each replica is billed as disk storage",
            "to delete unused images, run: clusterwright images --prune --on azure (ClusterManager.pruneImages)");
    static final FindingKind SECURITY = error(
            "CW-AZURE-033",
            "image, size and image.security do not fit together",
            "write image: {security: trusted-launch} or image: {security: standard}, or choose another image or size");
    static final FindingKind NO_WAY_OUT = warning(
            "CW-AZURE-040",
            "nodes without a public address cannot reach the internet from the existing subnet",
            "attach a NAT gateway to the subnet, or write network: {ssh: {portPrefix: 101}} to use the cluster's load balancer");
    static final FindingKind ROUTED = warning(
            "CW-AZURE-041",
            "the routes of the existing subnet send the answers to SSH from outside to another device",
            "write network: {ssh: {external: none}} and run this program inside of the network or over a VPN, or add a"
                    + " route for your address with next hop Internet");
    static final FindingKind CLOSED = warning(
            "CW-AZURE-042",
            "the security group of the existing subnet blocks SSH",
            "add a rule that allows TCP port 22 from network.ssh.allowFrom, or write network: {ssh: {external: none}}");
    static final FindingKind NO_END = warning(
            "CW-AZURE-050",
            "Azure does not stop the billed machines at the end of timeToLive",
            "run regularly, for example in cron: clusterwright destroy --expired (ClusterManager.destroy of each cluster past its ClusterSummary.expires)");

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
