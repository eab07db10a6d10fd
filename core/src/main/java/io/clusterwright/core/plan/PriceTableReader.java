package io.clusterwright.core.plan;

import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.SourceNode;
import io.clusterwright.core.internal.spec.TreeReader;
import io.clusterwright.core.spec.CostCap;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.VmSize;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a price table from YAML or JSON. */
final class PriceTableReader {
    private static final String EXAMPLE = "write {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}";

    private final Reading reading = new Reading();
    private final Map<VmSize, BigDecimal> prices = new HashMap<>();
    private String currency = "";

    private PriceTableReader() {}

    static PriceTable read(Path file) {
        PriceTableReader reader = new PriceTableReader();
        reader.table(TreeReader.read(load(file), file.toString()));
        if (reader.reading.count() > 0) {
            throw new InvalidSpecException(file.toString(), reader.reading.problems());
        }
        return new PriceTable(reader.currency, reader.prices);
    }

    private static String load(Path file) {
        try (InputStream input = Files.newInputStream(file)) {
            byte[] bytes = input.readNBytes(TreeReader.LONGEST_TEXT + 1);
            if (bytes.length > TreeReader.LONGEST_TEXT) {
                throw TreeReader.tooLong(file.toString());
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InvalidSpecException(
                    file.toString(), List.of(SpecProblem.of("", "the price table cannot be read: " + e, EXAMPLE)));
        }
    }

    private void table(SourceNode.Mapping table) {
        table.entries().forEach((name, entry) -> {
            switch (name) {
                case "currency" -> currency(entry.value());
                case "perHour" -> perHour(entry.value());
                default -> reading.report(entry.value(), name, "the name is not known in a price table", EXAMPLE);
            }
        });
        for (String name : List.of("currency", "perHour")) {
            if (table.get(name) == null) {
                reading.report(table, name, "the value is missing", EXAMPLE);
            }
        }
    }

    private void currency(SourceNode value) {
        if (value instanceof SourceNode.Scalar scalar) {
            reading.attempt(value, "currency", () -> currency = new CostCap(scalar.text(), BigDecimal.ONE).currency());
        } else {
            reading.reportKind(value, "currency", "three capital letters", EXAMPLE);
        }
    }

    private void perHour(SourceNode value) {
        if (!(value instanceof SourceNode.Mapping sizes)) {
            reading.reportKind(value, "perHour", "sizes with their prices", EXAMPLE);
            return;
        }
        sizes.entries().forEach((name, entry) -> {
            String path = "perHour." + name;
            if (entry.value() instanceof SourceNode.Scalar scalar
                    && scalar.kind() == SourceNode.Kind.NUMBER
                    && scalar.text().matches("\\d{1,9}(\\.\\d{1,8})?")) {
                reading.attempt(
                        entry.value(), path, () -> prices.put(VmSize.parse(name), new BigDecimal(scalar.text())));
            } else {
                reading.reportKind(entry.value(), path, "a price such as 3.60", EXAMPLE);
            }
        });
    }
}
