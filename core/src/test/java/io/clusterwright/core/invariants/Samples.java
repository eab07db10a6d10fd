package io.clusterwright.core.invariants;

import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.Planner;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackHead;
import io.clusterwright.core.spec.HpcPackLinuxNodes;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.VmSize;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Valid objects of every public type: what real descriptions, plans and catalogs hold, found by following their accessors. */
final class Samples {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f me";
    private static final int ENOUGH_OF_ONE_TYPE = 300;
    private static final Map<Class<?>, List<Object>> ALL = new Samples().collect();

    private final Map<Class<?>, List<Object>> found = new LinkedHashMap<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();

    private Samples() {}

    static List<Object> of(Class<?> type) {
        return ALL.getOrDefault(type, List.of());
    }

    private Map<Class<?>, List<Object>> collect() {
        List<Object> roots = new ArrayList<>(List.of(
                VmSizes.standard(),
                Images.standard(),
                Extensions.standard(),
                SizeDefaults.table(),
                VmSizes.standard().all(),
                Images.standard().all(),
                Extensions.standard().all(),
                Planner.offline(),
                MemlockSubject.of("*"),
                MemlockSubject.of("@hpc"),
                MemlockSubject.of("hpcuser"),
                NamePattern.of("a%01%"),
                Secret.of("s"),
                SecretReference.of("env:A"),
                new FirewallRule("a", "/opt/a"),
                SshPublicKey.of(KEY),
                ImageReference.of("auto"),
                ImageReference.of("local:mine"),
                ImageReference.of("file:/srv/trixie"),
                ImageReference.of("b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708"),
                ImageReference.of(
                        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/cluster-rg/providers/Microsoft.Compute/images/solver"),
                ImageReference.of("microsoft-dsvm:ubuntu-hpc:2204:latest")));
        List<ClusterSpec> specs = specs();
        roots.addAll(specs);
        specs.forEach(spec -> roots.add(Planner.check(spec)));
        specs.forEach(spec -> roots.add(PlannedMachines.of(spec)));
        roots.add(ClusterId.random(new ClusterName("wing")));
        roots.add(new MarkedCluster(
                ClusterId.random(new ClusterName("wing")),
                "this machine",
                List.of(new ResourceId("machine", "wing11")),
                List.of(VmSize.of("Standard_HB120rs_v3"))));
        roots.add(Planner.findings(refusal()));
        roots.add(refusal().problems());
        roots.add(new MpiSource.Archive(
                URI.create("https://example.org/a.tgz"), "0".repeat(64), Map.of("ACCEPT_EULA", "yes")));
        RenderedFile file = RenderedFile.text("hosts", "127.0.0.1 localhost\n").withNote("replaces the file");
        roots.add(new RenderedFiles(List.of(file), Map.of("mpi.env", "clusterwright-mpi")));
        roots.add(SshTrust.builder()
                .hostKeys(SshTrust.HostKeys.ACCEPT_IN_RANGE)
                .acceptRange(List.of("10.32.0.*"))
                .build());
        roots.add(HpcPackHead.builder()
                .address("https://head.hpc.example")
                .user("HPC\\hpcuser")
                .password("env:HPC_PASSWORD")
                .certificate("head.cer")
                .build());
        roots.add(HpcPackLinuxNodes.builder()
                .count(2)
                .size("Standard_A8")
                .namePattern("HPCLN-%01%")
                .image("microsoft-dsvm:ubuntu-hpc:2204:latest")
                .build());
        Planner planner = Planner.offline()
                .prices(new PriceTable("EUR", Map.of(VmSize.of("Standard_HB120rs_v3"), new BigDecimal("3.6"))))
                .quota(List.of(new QuotaUse(QuotaUse.REGION, 1, 100)));
        roots.add(new PriceTable("EUR", Map.of(VmSize.of("Standard_HB120rs_v3"), new BigDecimal("3.6"))));
        StoredImage image = new StoredImage("image-0123456789abcdef", Instant.EPOCH, 1, true, "");
        roots.add(new DestroyReport(
                List.of(new ResourceId("machine", "wing11")),
                Map.of(new ResourceId("network", "wing"), "busy"),
                List.of(image)));
        roots.add(planner.plan(
                text("nodes: {count: 2, size: Standard_HB120rs_v3}, headNode: {size: Standard_HB120rs_v3, index: 9}")));
        roots.forEach(this::open);
        while (!open.isEmpty()) {
            Object next = open.remove();
            PublicTypes.accessors(next.getClass()).forEach(accessor -> look(next, accessor));
        }
        return found;
    }

    private static List<ClusterSpec> specs() {
        List<ClusterSpec> specs = new ArrayList<>();
        for (String name : List.of("linux-full.yaml", "windows-full.yaml")) {
            try {
                specs.add(SpecReader.read(Path.of(Objects.requireNonNull(SpecReader.class.getResource(name), name)
                        .toURI())));
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
        String burst = "burst: {cloudService: c1, storageAccount: store1}";
        specs.add(text(
                "nodes: {count: 2, size: A9}, operatingSystem: windows, hpcPack: {scenario: burst, " + burst + "}"));
        specs.add(text("nodes: {count: 2, size: A9}, suppress: [CW-COST-001], network: {dnsServers: [10.32.0.200]},"
                + " login: {publicKeys: [" + KEY
                + "]}, extensions: [{name: CustomScript, settings: {commandToExecute: date}}]"));
        return specs;
    }

    static ClusterSpec text(String rest) {
        return SpecReader.read("{name: demo, region: westeurope, " + rest + "}", "sample.yaml");
    }

    private static InvalidSpecException refusal() {
        try {
            text("regoin: x");
        } catch (InvalidSpecException e) {
            return e;
        }
        throw new IllegalStateException("a name that is not known was read");
    }

    private void look(Object owner, Method accessor) {
        try {
            open(accessor.invoke(owner));
        } catch (InvocationTargetException e) {
            // What an accessor refuses to tell is no sample, such as a secret that is not there.
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(accessor.toString(), e);
        }
    }

    private void open(Object value) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(this::open);
        } else if (value instanceof Collection<?> collection) {
            collection.forEach(this::open);
        } else if (value instanceof Map<?, ?> map) {
            map.keySet().forEach(this::open);
            map.values().forEach(this::open);
        } else if (value != null && isOurs(value.getClass()) && seen.add(value)) {
            List<Object> samples = found.computeIfAbsent(value.getClass(), type -> new ArrayList<>());
            if (samples.size() < ENOUGH_OF_ONE_TYPE) {
                samples.add(value);
                open.add(value);
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getPackageName().startsWith("io.clusterwright.core.")
                && Modifier.isPublic(type.getModifiers())
                && !type.isEnum();
    }
}
