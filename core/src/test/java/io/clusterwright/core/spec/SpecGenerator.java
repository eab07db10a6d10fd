package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.HpcPackResourceManager.HpcPackCertificate;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDomain;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.ImageSpec.Deprovision;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Verification.BandwidthLimit;
import io.clusterwright.core.spec.Verification.LatencyLimit;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes valid descriptions, each decided by its seed. */
final class SpecGenerator {
    /** Texts that careless writers and readers of YAML take for something else. */
    private static final List<String> TRAPS = List.of(
            "no",
            "Yes",
            "on",
            "off",
            "true",
            "null",
            "~",
            "",
            "4.10",
            "0644",
            "1e5",
            "0x1F",
            "1_000",
            "12:30:45",
            ".inf",
            "-",
            "- a",
            "a: b",
            "a #b",
            "#c",
            "'",
            "\"",
            "\\n",
            " lead",
            "trail ",
            "*alias",
            "&anchor",
            "!tag",
            "%x",
            "{a}",
            "[b]",
            "?",
            "@hpc",
            "`",
            "|",
            ">",
            "2026-11-20",
            "=",
            "<<",
            "é漢😀",
            "C:\\x",
            "-1",
            "+1",
            ".5",
            "...",
            "---");

    private final Random random;

    SpecGenerator(long seed) {
        this.random = new Random(seed);
    }

    ClusterSpec next() {
        int count = 1 + random.nextInt(40);
        ClusterSpec.Builder spec =
                ClusterSpec.builder("c" + random.nextInt(1000)).region(pick("westeurope", "no", "on"));
        spec.nodes(n -> nodes(n.count(count).size(pick("Standard_A9", "Standard_HB120rs_v3")), count));
        maybe(() -> spec.operatingSystem(pick(OperatingSystem.values())));
        maybe(() -> spec.resourceGroup(pick("rg", "a.b_(c)", "0644", "Null")));
        maybe(() -> spec.login(l -> login(l)));
        maybe(() -> spec.putTag(pick("project", "on", "a b", "4.1"), trap()).putTag("owner", trap()));
        maybe(() -> spec.timeToLive(duration()));
        maybe(() -> spec.costCap(new CostCap("EUR", money())));
        maybe(() -> spec.headNode(h -> {
            h.size("Standard_D8s_v5").index(1000 + random.nextInt(10));
            maybe(() -> h.name("HEAD"));
        }));
        maybe(() -> spec.network(this::network));
        maybe(() -> spec.placement(p -> p.kind(pick(Placement.Kind.values())).proximityGroup(random.nextBoolean())));
        maybe(() -> spec.image(i -> i.base(pick("auto", "local:hpc", "a:b:c:1.2.3"))
                .capture(random.nextBoolean())
                .customize(this::customize)
                .deprovision(pick(Deprovision.values()))));
        maybe(() -> spec.addExtension(e -> e.name("InfiniBandDriverLinux").version(pick("2.1", "1", "1.10"))));
        maybe(() -> spec.addExtension(e -> e.publisher("P").type("T").putSetting(trap(), setting(3))));
        maybe(() -> spec.mpi(m -> {
            m.preset(pick("auto", "mpich/tcp")).ranksPerNode(1 + random.nextInt(4096));
            maybe(() -> m.ranksPerSocket(1 + random.nextInt(64)).ranksPerNuma(1 + random.nextInt(64)));
            maybe(() -> m.ranksPerL3(1 + random.nextInt(64)).threadsPerRank(1 + random.nextInt(64)));
            maybe(() -> m.binding(pick(Binding.values())));
            maybe(() -> m.putEnv("UCX_TLS", trap()).netmask("172.16.0.0/16"));
        }));
        maybe(() -> spec.scheduler(pick(Scheduler.values())));
        maybe(() -> spec.verify(v -> {
            v.hostname(random.nextBoolean()).fabric(pick(Verification.Fabric.values()));
            maybe(() -> v.maxLatency(new LatencyLimit(0.001 + random.nextDouble() * 10, random.nextInt(9000))));
            maybe(() -> v.minBandwidth(new BandwidthLimit(pick(200.0, 0.1 + 0.2, 1e9))));
        }));
        maybe(() -> spec.hpcPack(this::hpcPack));
        maybe(() -> spec.putOn("local", Map.of("nodes", Map.of("count", 1 + random.nextInt(3)))));
        maybe(() -> spec.putOn("azure", "mpi: {env: {X: 0644}}\ntags: {on: 4.10}"));
        maybe(() -> spec.suppress("CW-NET-001"));
        return spec.build();
    }

    private void nodes(NodeGroup.Builder nodes, int count) {
        if (random.nextInt(4) == 0) {
            nodes.namePattern("HPCCN-%0001%");
        } else {
            maybe(() -> nodes.prefix(pick("n", "node-", "A")));
            maybe(() -> nodes.firstIndex(random.nextInt(100)));
        }
        maybe(() -> nodes.quorum(1 + random.nextInt(count)));
        maybe(() -> nodes.deadline(duration()));
        maybe(() -> nodes.spot(s -> s.enabled(random.nextBoolean()).maxPricePerHour(money())));
    }

    private void login(Login.Builder login) {
        maybe(() -> login.user(pick("azureuser", "hpc")));
        maybe(() -> login.password(pick("env:CW_PASSWORD", "file:./a b: c")));
    }

    private void network(NetworkSpec.Builder network) {
        network.existing(random.nextBoolean());
        maybe(() -> network.name(pick("vnet", "on", "1e5")));
        maybe(() -> network.addDnsServer("10.0.0.4").addDnsServer("10.0.0.5"));
        maybe(() -> network.addressSpace("192.168.0.0/16"));
        maybe(() -> network.subnet(s -> s.name(pick("no", "Subnet-2"))));
        maybe(() ->
                network.firstAddress(network.build().subnet().range().network().plus(4 + random.nextInt(50))));
        maybe(() -> network.ssh(s -> s.addAllowFrom("203.0.113.0/24")
                .external(pick(SshAccess.External.values()))
                .portPrefix(1 + random.nextInt(6553))));
    }

    private void customize(Customization.Builder customize) {
        maybe(() -> customize.user("hpcuser", "hpc"));
        maybe(() -> customize.updates(new Updates(pick(Updates.Install.values()), pick(Updates.Kernel.values()))));
        maybe(() -> customize.packages("nfs-common", "g++", "lib1=1:2.0~3"));
        maybe(() -> customize.addMemlock(MemlockRule.of(pick("*", "@hpc", "root"), pick("unlimited", "8192"))));
        maybe(() -> customize.ssh(
                pick(SshTrust.perNodeKeys(), SshTrust.clusterKey().acceptingHostKeysIn("10.32.0.*", "10.0.0.0/8"))));
        maybe(() -> customize.mpi(m -> {
            m.flavour(pick(MpiFlavour.values())).install(source());
            maybe(() -> m.version(pick("4.1", "5.0.0.028", "no")));
        }));
        maybe(() -> customize.addFile(FileCopy.of(pick("./a", "~/b c", "on"), pick("/opt/x", "C:\\x y"))
                .mode(pick("0644", "4755", "0000"))));
        int scripts = random.nextInt(3);
        for (int i = 0; i < scripts; i++) {
            int number = i;
            customize.addScript(
                    Script.of("s" + number, "./s.sh").sudo(random.nextBoolean()).timeout(duration()));
        }
    }

    private void hpcPack(HpcPackSpec.Builder pack) {
        pack.scenario(pick(HpcPackSpec.Scenario.values())).version(pick(HpcPackSpec.Version.values()));
        maybe(() -> pack.subscription(
                new HpcPackSubscription("01234567-89ab-cdef-0123-456789abcdef", pick("123", "store"))));
        maybe(() -> pack.domain(new HpcPackDomain(pick(HpcPackDomain.Option.values()), "a.b")));
        maybe(() -> pack.addFirewall(new FirewallRule("x", "C:\\a b\\c.exe")).restApi(true));
        maybe(() -> pack.head(head ->
                head.address("https://a-1.b").user("A\\b c").password("env:A").certificate("./a b.cer")));
        maybe(() -> pack.burst(
                b -> b.cloudService("x").storageAccount("123").managementCertificate("0123456789".repeat(4))));
        maybe(() -> pack.linuxNodes(nodes ->
                nodes.count(3).size("Standard_A8").namePattern("L%1%").image(pick("a:b:c:latest", "x__sles-12"))));
        maybe(() -> pack.resourceManager(new HpcPackResourceManager("123", new HpcPackCertificate("kv", "1e5"))));
    }

    private MpiSource source() {
        return pick(
                MpiSource.distribution(),
                MpiSource.image(),
                MpiSource.packages("/opt/intelMPI/*.rpm"),
                new MpiSource.Archive(URI.create("https://example.org/a.tgz"), "0".repeat(64), Map.of("EULA", trap())));
    }

    private Object setting(int depth) {
        return switch (depth == 0 ? random.nextInt(4) : random.nextInt(6)) {
            case 0 -> trap();
            case 1 -> random.nextLong() % 1_000_000_000_000_000_000L;
            case 2 -> random.nextBoolean();
            case 3 -> new BigDecimal(random.nextInt()).movePointLeft(random.nextInt(12));
            case 4 -> {
                List<Object> list = new ArrayList<>();
                random.ints(random.nextInt(3)).forEach(unused -> list.add(setting(depth - 1)));
                yield list;
            }
            default -> Map.of(trap(), setting(depth - 1));
        };
    }

    private String trap() {
        return TRAPS.get(random.nextInt(TRAPS.size()));
    }

    private BigDecimal money() {
        return BigDecimal.valueOf(1 + random.nextInt(1_000_000), random.nextInt(5));
    }

    private Duration duration() {
        return pick(
                Duration.ofMillis(1 + random.nextInt(100_000_000)),
                Duration.ofMinutes(1 + random.nextInt(100)),
                Duration.ofDays(1 + random.nextInt(100)));
    }

    @SafeVarargs
    private <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }

    private void maybe(Runnable step) {
        if (random.nextBoolean()) {
            step.run();
        }
    }
}
