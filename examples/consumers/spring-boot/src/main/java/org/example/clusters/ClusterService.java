package org.example.clusters;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.Planner;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.linux.local.LocalMachines;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A service that plans clusters and runs commands on them. Each request has a spec in YAML, each answer is JSON. */
@SpringBootApplication
public class ClusterService {
    public static void main(String[] arguments) {
        SpringApplication.run(ClusterService.class, arguments);
    }

    @Bean(destroyMethod = "close")
    ClusterManager clusters() {
        return ClusterManager.on(LocalMachines.create());
    }

    @RestController
    record Clusters(ClusterManager clusters) {
        @PostMapping("/spec")
        ClusterSpec spec(@RequestBody String yaml) {
            return SpecReader.read(yaml, "request");
        }

        @PostMapping("/plan")
        Plan plan(@RequestBody String yaml) {
            return clusters.plan(SpecReader.read(yaml, "request"));
        }

        /** On a thread of the common pool. */
        @PostMapping("/findings")
        CompletableFuture<List<Finding>> findings(@RequestBody String yaml) {
            ClusterSpec spec = SpecReader.read(yaml, "request");
            return CompletableFuture.supplyAsync(() -> Planner.check(spec));
        }

        @PostMapping("/uptime")
        NodeResults uptime(@RequestBody String yaml) {
            try (TemporaryCluster temporary = clusters.createTemporary(SpecReader.read(yaml, "request"))) {
                return temporary.cluster().run(Command.of("uptime"));
            }
        }
    }
}
