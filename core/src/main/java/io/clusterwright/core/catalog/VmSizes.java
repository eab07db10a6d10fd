package io.clusterwright.core.catalog;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.VmSize;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The catalog of VM sizes. Immutable. */
public final class VmSizes {
    private static final String PREFIX = "standard_";
    private static final VmSizes STANDARD = load("vm-sizes.csv");

    private final List<VmSizeFacts> sizes;

    private VmSizes(List<VmSizeFacts> sizes) {
        this.sizes = List.copyOf(sizes);
    }

    /** The catalog that comes with the library: Azure's RDMA sizes and their kin, as published. */
    public static VmSizes standard() {
        return STANDARD;
    }

    /** All sizes, in the order of the catalog. */
    public List<VmSizeFacts> all() {
        return sizes;
    }

    /** What is known about a size; case and a leading {@code Standard_} do not matter. */
    public Optional<VmSizeFacts> find(VmSize size) {
        return sizes.stream()
                .filter(facts -> plain(facts.size().name()).equals(plain(size.name())))
                .findFirst();
    }

    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith(PREFIX) ? lower.substring(PREFIX.length()) : lower;
    }

    private static VmSizes load(String resource) {
        CsvSchema schema = CsvSchema.emptySchema().withHeader();
        try (InputStream input = Objects.requireNonNull(VmSizes.class.getResourceAsStream(resource), resource);
                MappingIterator<Map<String, String>> rows = new CsvMapper()
                        .readerForMapOf(String.class)
                        .with(schema)
                        .readValues(input)) {
            List<VmSizeFacts> sizes = new ArrayList<>();
            while (rows.hasNextValue()) {
                sizes.add(facts(rows.nextValue()));
            }
            return new VmSizes(sizes);
        } catch (IOException e) {
            throw new ClusterwrightException("cannot read the catalog " + resource + ": " + e.getMessage(), e);
        }
    }

    private static VmSizeFacts facts(Map<String, String> row) {
        return new VmSizeFacts(
                VmSize.parse(text(row, "arm_name")),
                Integer.parseInt(text(row, "vcpus")),
                Double.parseDouble(text(row, "memory_gib")),
                interconnect(text(row, "rdma_mode")),
                text(row, "status"),
                latency(text(row, "latency_us")),
                bandwidth(text(row, "bandwidth_gbps")),
                text(row, "source"));
    }

    private static Interconnect interconnect(String mode) {
        return switch (mode) {
            case "network-direct" -> Interconnect.NETWORK_DIRECT;
            case "sr-iov" -> Interconnect.SRIOV_INFINIBAND;
            default -> Interconnect.NONE;
        };
    }

    /** A leading {@code <} says that the figure is an upper bound, which is what an envelope wants. */
    private static @Nullable Latency latency(String text) {
        String number = text.replace("<", "").strip();
        return number.isEmpty() ? null : new Latency(Double.parseDouble(number));
    }

    private static @Nullable Bandwidth bandwidth(String text) {
        String number = text.replace("<", "").strip();
        return number.isEmpty() ? null : Bandwidth.ofGigabitsPerSecond(Double.parseDouble(number));
    }

    private static String text(Map<String, String> row, String column) {
        return Objects.requireNonNullElse(row.get(column), "");
    }
}
