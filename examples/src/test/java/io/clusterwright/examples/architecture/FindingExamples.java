package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.rules.ReadingFindings;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.windows.classic.IaasConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One message for each code: made by a spec that breaks the rule, or kept in {@code pages/findings.yaml} for those of runs. */
final class FindingExamples {
    private static final Path TEXTS = Path.of("src", "test", "resources", "pages", "findings.yaml");
    private static final Path CLASSIC = Path.of(
            "..", "windows", "classic", "src", "test", "resources", "io", "clusterwright", "windows", "classic");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern HOLE = Pattern.compile("\\{[^}]*}");
    private static final JsonNode ALL = texts();
    private static final Map<String, String> REST =
            Map.of("region", "northeurope", "nodes", "{count: 4, size: Standard_HB120rs_v3}");

    private final Map<String, String> broken = new HashMap<>();
    private final String literals = literals();

    FindingExamples() {
        for (String module : List.of("core", "mpi")) {
            read(Path.of("..", module, "src", "test", "resources", "rules", "cases.txt"))
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", -1))
                    .forEach(parts -> broken.put(parts[0], parts[1]));
        }
    }

    /** The names of a part of the texts, in their order. */
    static Set<String> names(String part) {
        Map<String, String> names = new LinkedHashMap<>();
        ALL.path(part).fieldNames().forEachRemaining(name -> names.put(name, name));
        return names.keySet();
    }

    static JsonNode of(String part, String name) {
        return ALL.path(part).path(name);
    }

    /** The field, where there is one, and the message. */
    String of(FindingKind kind) {
        JsonNode more = of("codes", kind.code());
        if (more.has("values")) {
            List<Object> values = new ArrayList<>();
            more.path("values").forEach(value -> values.add(value.asText()));
            return String.format(kind.subject(), values.toArray());
        }
        if (more.has("message")) {
            return kept(kind.code(), more);
        }
        Finding finding = findings(kind.code(), more)
                .filter(found -> found.code().equals(kind.code()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("codes: {" + kind.code()
                        + ": …} of findings.yaml makes no such finding; give it a spec, values or a message"));
        return text(finding.path(), finding.message());
    }

    private static String text(String path, String message) {
        return path.isEmpty() ? message : path + ": " + message;
    }

    /** A message that is kept here has the words of main code. */
    private String kept(String code, JsonNode more) {
        String message = more.path("message").asText();
        for (String words : HOLE.split(message)) {
            assertThat(literals.contains(words))
                    .as("main code has the text \"%s\" of the message of %s in findings.yaml", words, code)
                    .isTrue();
        }
        return text(more.path("path").asText(), message.replace("{", "").replace("}", ""));
    }

    private Stream<Finding> findings(String code, JsonNode more) {
        if (more.has("xml")) {
            String text = read(CLASSIC.resolve("hpcpack-example1-headnode-as-dc.xml"));
            String pattern = more.path("xml").asText();
            IaasConfiguration file = IaasConfiguration.of(
                    pattern.isEmpty()
                            ? text
                            : text.replaceFirst(pattern, more.path("by").asText()));
            return (pattern.isEmpty()
                    ? Stream.concat(file.lint().stream(), file.notInSpec().stream())
                    : file.lint().stream());
        }
        if (more.has("file")) {
            String text = read(Path.of("specs", more.path("file").asText()));
            return check(
                    more.has("replace")
                            ? text.replaceFirst(
                                    more.path("replace").asText(),
                                    more.path("by").asText())
                            : text,
                    Facts.offline());
        }
        String spec = more.path("spec").asText(broken.getOrDefault(code, ""));
        return check(spec.startsWith("{") ? spec : completed(spec), facts(spec));
    }

    private static Stream<Finding> check(String text, Facts facts) {
        try {
            return RuleBook.installed().check(SpecReader.read(text, "demo.yaml"), facts, List.of()).stream();
        } catch (InvalidSpecException e) {
            return ReadingFindings.of(e).stream();
        }
    }

    private static String completed(String spec) {
        StringBuilder yaml = new StringBuilder("{name: demo, " + spec.replaceFirst("^@\\w+ ", ""));
        REST.forEach((name, value) -> {
            if (!Pattern.compile("(^|@\\w+ |, )" + name + ": ").matcher(spec).find()) {
                yaml.append(", ").append(name).append(": ").append(value);
            }
        });
        return yaml.append('}').toString();
    }

    private static Facts facts(String spec) {
        Facts facts = Facts.offline();
        if (spec.startsWith("@local ")) {
            return facts.provider("local");
        } else if (spec.startsWith("@azure ")) {
            return facts.provider("azure");
        } else if (spec.startsWith("@prices ")) {
            return facts.prices(new PriceTable("EUR", Map.of(VmSizes.HB120RS_V3, new BigDecimal("3.60"))));
        }
        return spec.startsWith("@quota ")
                ? facts.quota(List.of(
                        new QuotaUse("Standard HBv3 Family", 100, 200), new QuotaUse("standardHBrsv3Family", 100, 200)))
                : facts;
    }

    /** The texts in main code, with those that are joined there as one. */
    private static String literals() {
        StringBuilder all = new StringBuilder();
        try {
            for (Path file : Sources.main()) {
                LITERAL.matcher(JOINED.matcher(Sources.read(file)).replaceAll(""))
                        .results()
                        .forEach(text -> all.append(text.group(1)).append('\n'));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.toString();
    }

    private static JsonNode texts() {
        try {
            return new YAMLMapper().readTree(read(TEXTS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
