package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.TriState;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.type.Interconnect;
import java.util.TreeSet;

/** The JSON forms of the catalogs; what is not known is left out. */
final class CatalogJson {
    private CatalogJson() {}

    static ObjectNode size(VmSizeFacts size) {
        ObjectNode json = Common.JSON
                .createObjectNode()
                .put("name", size.size().name())
                .put("shortName", size.shortName())
                .put("vcpus", size.vcpus())
                .put("billedCores", size.billedCores())
                .put("memoryGib", size.memoryGib())
                .put("rdma", size.interconnect().isRdma())
                .put("interconnect", size.interconnect().toString());
        if (size.isInterconnectDisputed()) {
            json.put("interconnectDisputed", true);
        }
        size.infiniBand().ifPresent(generation -> json.put("infiniBand", generation.toString()));
        size.linkRate().ifPresent(rate -> json.put("gbps", rate.gigabitsPerSecond()));
        size.quotaFamily().ifPresent(family -> json.put("quotaFamily", family));
        json.put("architecture", size.architecture().toString());
        json.put("generation2Only", size.isGeneration2Only());
        json.put("status", size.status().toString());
        size.retiredOn().ifPresent(day -> json.put("retiredOn", day.toString()));
        size.replacement().ifPresent(name -> json.put("replacement", name.name()));
        size.latency().ifPresent(latency -> json.put("latencyMicros", latency.micros()));
        size.bandwidth().ifPresent(bandwidth -> json.put("bandwidthGbps", bandwidth.gigabitsPerSecond()));
        if (!size.use().isEmpty()) {
            json.put("use", size.use());
        }
        return json.put("source", size.source());
    }

    static ObjectNode image(ImageFacts image) {
        ObjectNode json = Common.JSON.createObjectNode().put("name", image.name());
        image.reference().ifPresent(reference -> json.put("reference", reference.toString()));
        json.put("captured", false)
                .put("classic", image.isClassic())
                .put("publisher", image.publisher())
                .put("distribution", image.distribution())
                .put("operatingSystem", image.operatingSystem().toString());
        image.generation().ifPresent(generation -> json.put("generation", generation));
        stated(json, "rdmaDrivers", image.rdmaDrivers());
        if (!image.driversFor().isEmpty()) {
            ArrayNode drivers = json.putArray("driversFor");
            new TreeSet<Interconnect>(image.driversFor()).forEach(one -> drivers.add(one.toString()));
        }
        stated(json, "mpi", image.mpi());
        if (!image.contents().isEmpty()) {
            json.put("contents", image.contents());
        }
        return json.put("paid", image.isPaid())
                .put("plan", image.needsPlan())
                .put("status", image.status().toString())
                .put("source", image.source());
    }

    static ObjectNode captured(StoredImage image) {
        return Common.JSON
                .createObjectNode()
                .put("name", image.name())
                .put("reference", "local:" + image.name())
                .put("captured", true)
                .put("proven", image.proven())
                .put("created", image.created().toString())
                .put("bytes", image.sizeBytes());
    }

    private static void stated(ObjectNode json, String name, TriState answer) {
        if (answer != TriState.NOT_STATED) {
            json.put(name, answer == TriState.YES);
        }
    }
}
