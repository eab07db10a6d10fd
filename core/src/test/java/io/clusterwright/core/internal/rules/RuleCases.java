package io.clusterwright.core.internal.rules;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Facts;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One case for each rule: a spec that triggers it and one that does not. */
record RuleCases(String code, String broken, String good) {
    private static final Map<String, String> REST =
            Map.of("region", "northeurope", "nodes", "{count: 4, size: Standard_HB120rs_v3}");

    static Stream<RuleCases> all() {
        try (InputStream input = RuleCases.class.getResourceAsStream("/rules/cases.txt")) {
            String text = new String(Objects.requireNonNull(input).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", -1))
                    .map(parts -> new RuleCases(parts[0], parts[1], parts[2]));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static ClusterSpec spec(String text) {
        StringBuilder yaml = new StringBuilder("{name: demo, " + text.replaceFirst("^@\\w+ ", ""));
        REST.forEach((name, value) -> {
            if (!Pattern.compile("(^|@\\w+ |, )" + name + ": ").matcher(text).find()) {
                yaml.append(", ").append(name).append(": ").append(value);
            }
        });
        return SpecReader.read(yaml.append('}').toString(), "case.yaml");
    }

    static Facts facts(String text) {
        Facts facts = Facts.offline();
        if (text.startsWith("@local ")) {
            return facts.provider("local");
        } else if (text.startsWith("@azure ")) {
            return facts.provider("azure");
        } else if (text.startsWith("@prices ")) {
            return facts.prices(new PriceTable("EUR", Map.of(VmSizes.HB120RS_V3, new BigDecimal("3.60"))));
        } else if (text.startsWith("@quota ")) {
            return facts.quota(List.of(
                    new QuotaUse("Standard HBv3 Family", 100, 200),
                    new QuotaUse("standardHBrsv3Family", 100, 200),
                    new QuotaUse("standardHCSFamily", 100, 200)));
        }
        return facts;
    }

    @Override
    public String toString() {
        return code;
    }
}
