package io.clusterwright.core.internal.planning;

import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.YamlTree;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.PriceTable;
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
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads a price table from YAML or JSON. */
public final class PriceTableReader {
    private static final String EXAMPLE = "write {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}";

    private static final String SUBJECT = "the price table";

    private final Reading reading = new Reading();
    private final Map<VmSize, BigDecimal> prices = new HashMap<>();
    private String currency = "";
    private @Nullable BigDecimal snapshot;

    private PriceTableReader() {}

    /** The table in a file. */
    public static PriceTable read(Path file) {
        PriceTableReader reader = new PriceTableReader();
        try {
            reader.table(YamlTree.read(load(file), file.toString()));
        } catch (InvalidSpecException e) {
            throw new InvalidSpecException(
                    SUBJECT,
                    file.toString(),
                    e.problems().stream().map(PriceTableReader::ofPrices).toList());
        }
        if (reader.reading.count() > 0) {
            throw new InvalidSpecException(SUBJECT, file.toString(), reader.reading.problems());
        }
        return new PriceTable(reader.currency, reader.prices, Optional.ofNullable(reader.snapshot));
    }

    /** A problem of the text, whose reader expects a cluster spec. */
    private static SpecProblem ofPrices(SpecProblem problem) {
        boolean spec = problem.remedy().contains("cluster") || problem.message().contains("cluster");
        SpecProblem changed = SpecProblem.of(
                problem.path(),
                problem.message().replace("a cluster spec", "a price table"),
                spec ? EXAMPLE : problem.remedy());
        return problem.line().isPresent()
                ? changed.at(problem.line().getAsInt(), problem.column().orElse(1))
                : changed;
    }

    private static String load(Path file) {
        try (InputStream input = Files.newInputStream(file)) {
            byte[] bytes = input.readNBytes(YamlTree.LONGEST + 1);
            if (bytes.length > YamlTree.LONGEST) {
                throw YamlTree.tooLong(file.toString());
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InvalidSpecException(
                    SUBJECT,
                    file.toString(),
                    List.of(SpecProblem.of("", "the price table cannot be read: " + Reason.of(e), EXAMPLE)));
        }
    }

    private void table(MappingNode table) {
        YamlTree.entries(table).forEach((name, entry) -> {
            switch (name) {
                case "currency" -> currency(entry.getValueNode());
                case "perHour" -> perHour(entry.getValueNode());
                case "snapshotPerGibMonth" -> price(entry.getValueNode(), name, "0.05", price -> snapshot = price);
                default ->
                    reading.report(entry.getValueNode(), name, "the name is not known in a price table", EXAMPLE);
            }
        });
        for (String name : List.of("currency", "perHour")) {
            if (YamlTree.get(table, name) == null) {
                reading.report(table, name, "the value is missing", EXAMPLE);
            }
        }
    }

    private void currency(Node value) {
        if (value instanceof ScalarNode scalar) {
            reading.attempt(
                    value, "currency", () -> currency = new CostCap(scalar.getValue(), BigDecimal.ONE).currency());
        } else {
            reading.reportKind(value, "currency", "three capital letters", EXAMPLE);
        }
    }

    private void perHour(Node value) {
        if (!(value instanceof MappingNode sizes)) {
            reading.reportKind(value, "perHour", "sizes with their prices", EXAMPLE);
            return;
        }
        YamlTree.entries(sizes).forEach((name, entry) -> {
            price(entry.getValueNode(), "perHour." + name, "3.60", price -> {
                if (prices.put(VmSize.of(name), price) != null) {
                    reading.report(
                            entry.getValueNode(),
                            "perHour." + name,
                            "the size has a second price, as sizes ignore case",
                            "remove one of the prices of " + name);
                }
                return price;
            });
        });
    }

    private void price(Node value, String path, String example, UnaryOperator<BigDecimal> put) {
        if (value instanceof ScalarNode scalar
                && YamlTree.kind(scalar) == YamlTree.Kind.NUMBER
                && scalar.getValue().matches("\\d{1,9}(\\.\\d{1,8})?")) {
            reading.attempt(value, path, () -> put.apply(new BigDecimal(scalar.getValue())));
        } else {
            reading.reportKind(value, path, "a price such as " + example, EXAMPLE);
        }
    }
}
