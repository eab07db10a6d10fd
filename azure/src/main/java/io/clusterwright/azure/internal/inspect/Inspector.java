package io.clusterwright.azure.internal.inspect;

import com.azure.resourcemanager.compute.fluent.models.ResourceSkuInner;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.image.BootImages;
import io.clusterwright.azure.internal.image.BootImages.BootImage;
import io.clusterwright.azure.internal.image.GalleryImages;
import io.clusterwright.azure.internal.image.Terms;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.ImageSpec.Security;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.MachineProvider.Inspection;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the facts of a subscription that a plan needs. What the caller has no right to read, and what the endpoint does not tell, is
 * <em>not checked</em>; an endpoint that does not answer and a credential that is not accepted end the inspection.
 */
public final class Inspector {
    private static final String PROCESSORS = "CpuArchitectureType";
    private static final String OLDEST = "x64";
    private static final List<String> SERVICES = List.of("Microsoft.Compute", "Microsoft.Network");
    private static final String SHUTDOWNS = "Microsoft.DevTestLab";
    private static final String AUTOSCALE = "Microsoft.Insights";

    private static final List<String> ADDRESSES =
            List.of("PublicIPAddresses", "StaticPublicIPAddresses", "StandardSkuPublicIpAddresses");

    private final Clients clients;
    private final ArmClient arm;
    private final ClusterSpec spec;
    private final BootImages images;
    private final Sizes sizes;
    private final List<AddressRange> callers;
    private final boolean privateAddresses;
    private final boolean managedImages;
    private final ResourceNames names;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> notChecked = new ArrayList<>();
    private final List<QuotaUse> quota = new ArrayList<>();
    private String generation = "";
    private @Nullable ObjectNode plan;
    private String fingerprint = "";

    public Inspector(
            Clients clients,
            ResourceNames names,
            BootImages images,
            Sizes sizes,
            List<AddressRange> callers,
            boolean privateAddresses,
            boolean managedImages) {
        this.clients = clients;
        this.arm = clients.arm();
        this.spec = names.spec();
        this.names = names;
        this.images = images;
        this.sizes = sizes;
        this.callers = callers;
        this.privateAddresses = privateAddresses;
        this.managedImages = managedImages;
    }

    public Inspection run() {
        if (spec.operatingSystem() == OperatingSystem.WINDOWS) {
            notBuiltOfWindows();
        }
        waysIn();
        for (String service : SERVICES) {
            check(
                    "subscription: whether " + service + " is registered",
                    () -> requireRegistered(AzureFindings.NOT_REGISTERED, "", service));
        }
        spec.timeToLive().ifPresent(this::timeToLive);
        check("image: whether " + spec.image().base() + " exists in " + spec.requireRegion(), this::image);
        check("terms: whether the terms of " + spec.image().base() + " are accepted", this::terms);
        if (!managedImages) {
            replicas();
        }
        check("size: whether " + spec.nodes().requireSize() + " is offered in " + spec.requireRegion(), this::size);
        check("quota: usage and limit in " + spec.requireRegion(), this::quota);
        check("addresses: quota of public addresses in " + spec.requireRegion(), this::addresses);
        check("names: whether other resources in " + spec.resourceGroup() + " have them", this::takenNames);
        if (spec.network().existing()) {
            check(
                    "network: whether " + spec.network().name() + " has free addresses and reaches the internet",
                    () -> new ExistingNetwork(clients, names, callers, this::add).inspect());
        }
        String base = clients.subscription() + "\n" + spec.requireRegion() + "\n" + fingerprint;
        return new Inspection(findings, notChecked, base, quota);
    }

    private void notBuiltOfWindows() {
        spec.hpcPack()
                .filter(pack -> pack.head().isPresent())
                .ifPresent(
                        pack -> add(
                                AzureFindings.HEAD_ELSEWHERE,
                                "hpcPack.head",
                                "hpcPack.head is an existing head node: the machines are created without HPC Pack, and must have it in their image"));
        spec.hpcPack()
                .filter(pack -> pack.head().isEmpty())
                .ifPresent(pack -> add(
                        AzureFindings.NO_WINDOWS,
                        "hpcPack.scenario",
                        "the machines are created without HPC Pack: scenario " + pack.scenario()
                                + " is deployed from the files of clusterwright render"));
        if (names.hasScaleSet()) {
            add(
                    AzureFindings.NO_WINDOWS,
                    "placement.kind",
                    "placement " + spec.placement().kind()
                            + " means a scale set, and Windows instances of a scale set cannot be identified");
        }
    }

    private void waysIn() {
        SshAccess.External external = spec.network().ssh().external();
        if (external == SshAccess.External.ALL
                && names.hasScaleSet()
                && !names.ports().isRange()) {
            add(
                    AzureFindings.ALL_OR_NONE,
                    "network.ssh",
                    "external is all without portPrefix, and placement "
                            + spec.placement().kind() + " means a scale set for these nodes");
        }
        if (external != SshAccess.External.NONE && callers.isEmpty()) {
            add(
                    AzureFindings.NO_CALLER,
                    "network.ssh.allowFrom",
                    "network.ssh.allowFrom is empty, and external is " + external);
        }
        if (external == SshAccess.External.NONE && !privateAddresses) {
            add(
                    AzureFindings.INSIDE,
                    "network.ssh.external",
                    "external is " + external
                            + ": nodes have private addresses only, and this program connects to them");
        }
    }

    private void requireRegistered(FindingKind kind, String path, String service) {
        String state = arm.read(
                        "read provider " + service,
                        () -> clients.resources().getProviders().get(service))
                .registrationState();
        if (!"Registered".equalsIgnoreCase(state)) {
            add(
                    kind,
                    path,
                    service + " is " + state + " in subscription " + clients.subscription(),
                    "run: az provider register --namespace " + service + " --wait --subscription "
                            + clients.subscription());
        }
    }

    /** Azure ends separate machines at a time of day, and the instances of a scale set at any date. */
    private void timeToLive(Duration time) {
        boolean separate = !names.hasScaleSet() || spec.headNode().isPresent();
        if (separate && time.compareTo(ClusterResources.LONGEST_AHEAD) > 0) {
            add(
                    AzureFindings.NO_END,
                    "timeToLive",
                    (names.hasScaleSet() ? "the separate head node is" : "separate machines are")
                            + " stopped by a daily schedule of Azure, and timeToLive is " + time.toHours()
                            + " h, which is more than a day",
                    "write timeToLive: 24h"
                            + (names.hasScaleSet() ? "" : ", or placement: {kind: scale-set}, which ends at any date")
                            + ", or run regularly: clusterwright destroy --expired (ClusterManager.destroy of each cluster past"
                            + " its ClusterSummary.expires)");
        } else if (separate) {
            check("time to live: whether the subscription uses " + SHUTDOWNS, () -> ends(SHUTDOWNS));
        }
        if (names.hasScaleSet()) {
            check("time to live: whether the subscription uses " + AUTOSCALE, () -> ends(AUTOSCALE));
        }
    }

    private void ends(String service) {
        requireRegistered(AzureFindings.NO_END, "timeToLive", service);
    }

    private void image() {
        try {
            BootImage image = images.base(spec, spec.image().base());
            generation = image.generation();
            plan = image.plan();
            fingerprint = image.fingerprint();
            security(image);
            if (image.specialized()) {
                add(
                        AzureFindings.SPECIALIZED,
                        "image.base",
                        spec.image().base()
                                + " is specialised: every machine gets the accounts, passwords and keys of the image");
                if (!spec.image().capture() && names.hasScaleSet()) {
                    add(
                            AzureFindings.NO_SPECIALIZED_SET,
                            "placement.kind",
                            "placement " + spec.placement().kind() + " means a scale set for these nodes");
                }
            }
        } catch (AzureException e) {
            if (e.reason() != Reason.NOT_FOUND) {
                throw e;
            }
            add(AzureFindings.NO_IMAGE, "image.base", e.getMessage());
        }
    }

    private void security(BootImage image) {
        boolean trusted = spec.image().security() == Security.TRUSTED_LAUNCH;
        String type = image.security().toLowerCase(Locale.ROOT);
        if (trusted && !type.contains("trustedlaunch") && !image.generation().isEmpty()) {
            add(
                    AzureFindings.SECURITY,
                    "image.security",
                    spec.image().base() + " of generation " + image.generation() + " does not support Trusted Launch");
        } else if (!trusted && (type.equals("trustedlaunch") || type.equals("confidentialvm"))) {
            add(
                    AzureFindings.SECURITY,
                    "image.security",
                    spec.image().base() + " boots on machines with " + image.security() + " only");
        }
    }

    /** The terms of the image's plan; a subscription that accepted none has no right to make the machine. */
    private void terms() {
        if (plan == null) {
            return;
        }
        Optional<Boolean> accepted = new Terms(clients).accepted(plan);
        if (accepted.isPresent() && !accepted.get()) {
            add(
                    AzureFindings.TERMS,
                    "image.base",
                    "the terms of " + Terms.name(plan) + " are not accepted in subscription " + clients.subscription(),
                    "read the terms, then run: az vm image terms accept --urn " + fingerprint + " --subscription "
                            + clients.subscription());
        }
    }

    private void replicas() {
        int machines = spec.nodes().count();
        if (spec.image().capture() && GalleryImages.replicas(machines) > 1) {
            add(
                    AzureFindings.REPLICAS,
                    "image.capture",
                    GalleryImages.replicas(machines) + " replicas for " + machines
                            + " nodes; each is billed for the used part of the disk until the image is deleted");
        }
    }

    private void size() {
        Optional<ResourceSkuInner> nodes = size("nodes.size", spec.nodes().requireSize());
        spec.headNode()
                .map(HeadNode::requireSize)
                .flatMap(size -> size("headNode.size", size))
                .filter(head -> nodes.isPresent())
                .ifPresent(head -> sameProcessors(head, nodes.get()));
    }

    /** A size that does not name its processors has those that all had before there was a choice. */
    private void sameProcessors(ResourceSkuInner head, ResourceSkuInner nodes) {
        String own = Sizes.capability(head, PROCESSORS);
        String others = Sizes.capability(nodes, PROCESSORS);
        if (!(own.isEmpty() ? OLDEST : own).equalsIgnoreCase(others.isEmpty() ? OLDEST : others)) {
            add(
                    AzureFindings.OTHER_HEAD,
                    "headNode.size",
                    "the head node " + head.name() + " has " + own + " processors, and the nodes, " + nodes.name()
                            + ", have " + others);
        }
    }

    private Optional<ResourceSkuInner> size(String path, VmSize size) {
        Optional<ResourceSkuInner> found = sizes.find(spec.requireRegion(), size);
        if (found.isEmpty()) {
            add(AzureFindings.NO_SIZE, path, spec.requireRegion() + " does not offer the size " + size);
            return found;
        }
        ResourceSkuInner sku = found.get();
        String restriction = Sizes.restriction(sku);
        if (!restriction.isEmpty()) {
            add(
                    AzureFindings.RESTRICTED,
                    path,
                    "the subscription may not use " + size + " in " + spec.requireRegion() + ": " + restriction);
        }
        String generations = Sizes.capability(sku, "HyperVGenerations");
        if (!generation.isEmpty()
                && !generations.isEmpty()
                && !List.of(generations.split(",", -1)).contains(generation)) {
            add(
                    AzureFindings.GENERATION,
                    "image.base",
                    spec.image().base() + " is an image of generation " + generation + ", and " + size + " boots "
                            + generations);
        }
        if (spec.image().security() == Security.TRUSTED_LAUNCH && Sizes.is(sku, "TrustedLaunchDisabled")) {
            add(AzureFindings.SECURITY, "image.security", size + " does not support Trusted Launch");
        }
        boolean expected = VmSizes.standard()
                .find(size)
                .filter(known -> known.interconnect() != Interconnect.NONE)
                .isPresent();
        if (expected && !Sizes.is(sku, "RdmaEnabled")) {
            add(
                    AzureFindings.NO_RDMA,
                    path,
                    "Azure reports no RDMA (RdmaEnabled) for " + size + " in " + spec.requireRegion());
        }
        return found;
    }

    private void quota() {
        arm.list(
                        "read the quotas of " + spec.requireRegion(),
                        () -> clients.compute().getUsages().list(spec.requireRegion()))
                .forEach(usage -> quota.add(new QuotaUse(
                        usage.name().value(), usage.currentValue(), (int) Math.min(usage.limit(), Integer.MAX_VALUE))));
    }

    /** Azure counts public addresses of a region twice: all, and the addresses of the sku Standard. */
    private void addresses() {
        int needed = names.ports().publicAddresses();
        if (needed == 0) {
            return;
        }
        arm
                .list(
                        "read the use of networks in " + spec.requireRegion(),
                        () -> clients.network().getUsages().list(spec.requireRegion()))
                .stream()
                .filter(usage -> ADDRESSES.contains(usage.name().value()))
                .filter(usage -> usage.limit() - usage.currentValue() < needed)
                .findFirst()
                .ifPresent(usage -> add(
                        AzureFindings.NO_ADDRESSES,
                        "network.ssh",
                        "the cluster needs " + needed + " public addresses, and " + usage.currentValue() + " of "
                                + usage.limit() + " are used in " + spec.requireRegion()));
    }

    /** A group of that name that exists is used; what is in it must not have our names. */
    private void takenNames() {
        String group = spec.resourceGroup();
        if (clients.find("look for resource group " + group, names.group()).isEmpty()) {
            return;
        }
        Set<String> ours = new HashSet<>();
        spec.nodes().names().forEach(node -> ours.add(names.machine(node).plain()));
        ours.add(names.machine(spec.headName()).plain());
        ours.add(names.securityGroup().plain());
        if (!spec.network().existing()) {
            ours.add(names.network().plain());
        }
        List<String> taken = arm
                .list(
                        "list the resources in " + group,
                        () -> clients.resources().getResources().listByResourceGroup(group))
                .stream()
                .filter(one -> !Tags.areNamed(one.tags(), spec.name())
                        && ours.contains(one.id().toLowerCase(Locale.ROOT)))
                .map(one -> one.name() + " (" + one.type() + ")")
                .toList();
        if (!taken.isEmpty()) {
            add(
                    AzureFindings.TAKEN,
                    "resourceGroup",
                    "resource group " + group + " already has " + String.join(", ", taken)
                            + ", which belongs to something else, and cluster " + spec.name() + " needs "
                            + (taken.size() == 1 ? "this name" : "these names"));
        }
    }

    private void check(String what, Runnable question) {
        try {
            question.run();
        } catch (AzureException e) {
            if (!Errors.isRefusal(e)) {
                throw e;
            }
            String because = switch (e.reason()) {
                case FORBIDDEN -> "the caller has no right to read it";
                case NOT_REGISTERED -> "the subscription does not use the service";
                default -> "this endpoint does not tell it";
            };
            notChecked.add(what + ", because " + because + ": " + e.getMessage());
        }
    }

    private void add(FindingKind kind, String path, String message) {
        add(kind, path, message, kind.remedy());
    }

    private void add(FindingKind kind, String path, String message, String remedy) {
        findings.add(new Finding(kind.code(), kind.severity(), path, message, remedy));
    }
}
