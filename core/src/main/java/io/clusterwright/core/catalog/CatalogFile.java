package io.clusterwright.core.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import io.clusterwright.core.internal.spec.YamlTree;
import io.clusterwright.core.internal.text.EncodedText;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads catalog files: CSV in UTF-8, the first line names the columns, lines that begin with {@code #} are comments.
 *
 * @param <T> the entry that a row makes
 */
final class CatalogFile<T> {
    private static final long LARGEST_BYTES = 4L << 20;

    private final List<String> known;
    private final List<String> required;
    private final Function<CatalogRow, T> make;
    private final Function<CatalogRow, String> key;

    /**
     * A kind of file.
     *
     * @param columns the columns, separated by blanks; those that a file must have end with {@code *}
     * @param make makes an entry of a row
     * @param key the text that no two rows of one file share
     */
    CatalogFile(String columns, Function<CatalogRow, T> make, Function<CatalogRow, String> key) {
        this.known = List.of(columns.replace("*", "").split(" "));
        this.required = Stream.of(columns.split(" "))
                .filter(name -> name.endsWith("*"))
                .map(name -> name.replace("*", ""))
                .sorted()
                .toList();
        this.make = make;
        this.key = key;
    }

    /** The name that a mistyped one most likely means, when there is a near one. */
    static Optional<String> nearest(String name, Collection<String> names) {
        return NearestName.of(name, names);
    }

    /** The entries by their keys of a file that comes with the library. */
    Map<String, T> resource(String name) {
        return read(name, load(name), make);
    }

    /** The entries of a file that comes with the library, each made when it is first asked for. */
    CatalogEntries<T> lateResource(String name) {
        return new CatalogEntries<>(read(name, load(name), row -> new CatalogEntries.Entry<>(() -> make.apply(row))));
    }

    private static String load(String resource) {
        try (InputStream input = Objects.requireNonNull(CatalogFile.class.getResourceAsStream(resource), resource)) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ClusterwrightException("cannot read the catalog " + resource + ": " + e.getMessage(), e);
        }
    }

    /**
     * The entries by their keys of a user's file.
     *
     * @throws InvalidSpecException with all its problems
     */
    Map<String, T> file(Path file) {
        String source = file.toString();
        try {
            if (Files.size(file) > LARGEST_BYTES) {
                throw refused(source, 0, "the file has more than 4 MiB", "name a file with catalog rows only");
            }
            return read(source, EncodedText.decode(Files.readAllBytes(file)), make);
        } catch (NoSuchFileException e) {
            throw refused(source, 0, "there is no such file", "name a CSV file");
        } catch (CharacterCodingException e) {
            throw refused(source, 0, "the file is not UTF-8 text", "save the file as CSV in UTF-8");
        } catch (IOException e) {
            throw refused(source, 0, "the file cannot be read: " + e.getMessage(), "name a CSV file that can be read");
        }
    }

    private <E> Map<String, E> read(String source, String text, Function<CatalogRow, E> entry) {
        String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
        List<SpecProblem> problems = new ArrayList<>();
        Map<String, E> entries = new LinkedHashMap<>();
        Map<String, Integer> lines = new HashMap<>();
        try (CsvParser parser = new CsvFactory()
                .enable(CsvParser.Feature.WRAP_AS_ARRAY)
                .enable(CsvParser.Feature.ALLOW_COMMENTS)
                .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
                .enable(CsvParser.Feature.TRIM_SPACES)
                .createParser(plain)) {
            Line first = next(parser)
                    .orElseThrow(() ->
                            refused(source, 1, "the file is empty", "begin with the line " + String.join(",", known)));
            List<String> header = header(source, first);
            for (Optional<Line> line = next(parser); line.isPresent(); line = next(parser)) {
                add(entries, lines, problems, header, line.get(), entry);
            }
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw refused(
                    source,
                    line,
                    "the line is not CSV: " + e.getOriginalMessage(),
                    "write a cell with a comma or a quote in quotes");
        } catch (IOException e) {
            throw new ClusterwrightException("cannot read the catalog " + source + ": " + e.getMessage(), e);
        }
        if (!problems.isEmpty()) {
            throw refusal(source, problems);
        }
        return entries;
    }

    private <E> void add(
            Map<String, E> entries,
            Map<String, Integer> lines,
            List<SpecProblem> problems,
            List<String> header,
            Line line,
            Function<CatalogRow, E> entry) {
        if (line.cells().size() != header.size()) {
            problems.add(SpecProblem.of(
                            "",
                            "the row has " + line.cells().size() + " cells, and the header has " + header.size(),
                            "write one cell for each column, and a cell with a comma in quotes")
                    .at(line.number(), 0));
            return;
        }
        CatalogRow row = new CatalogRow(header, line.cells());
        try {
            E made = entry.apply(row);
            String name = key.apply(row);
            Integer first = lines.putIfAbsent(name, line.number());
            if (first == null) {
                entries.put(name, made);
            } else {
                problems.add(SpecProblem.of(
                                "",
                                "line " + first + " and line " + line.number() + " both describe " + name,
                                "remove one of the two lines")
                        .at(line.number(), 0));
            }
        } catch (InvalidValueException e) {
            problems.add(SpecProblem.of(row.column(), e).at(line.number(), 0));
        }
    }

    private List<String> header(String source, Line line) {
        List<String> header = line.cells();
        List<SpecProblem> problems = new ArrayList<>();
        for (String name : header) {
            if (!known.contains(name)) {
                String meant = NearestName.of(name, known)
                        .map(near -> "write " + near)
                        .orElse("use the columns " + String.join(", ", known));
                problems.add(SpecProblem.of(YamlTree.shorten(name), "this column is not known", meant)
                        .at(line.number(), 0));
            } else if (header.indexOf(name) != header.lastIndexOf(name)) {
                problems.add(SpecProblem.of(
                                name,
                                "columns " + (header.indexOf(name) + 1) + " and " + (header.lastIndexOf(name) + 1)
                                        + " have this name",
                                "remove one of the two columns")
                        .at(line.number(), 0));
            }
        }
        required.stream()
                .filter(name -> !header.contains(name))
                .forEach(name ->
                        problems.add(SpecProblem.of(name, "the column is missing", "add the column to the first line")
                                .at(line.number(), 0)));
        if (!problems.isEmpty()) {
            throw refusal(source, problems);
        }
        return header;
    }

    /** The next row; none at the end. */
    private static Optional<Line> next(CsvParser parser) throws IOException {
        List<String> cells = new ArrayList<>();
        int number = 0;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.END_ARRAY && !cells.isEmpty()) {
                return Optional.of(new Line(number, cells));
            }
            if (token.isScalarValue()) {
                number = cells.isEmpty() ? parser.currentTokenLocation().getLineNr() : number;
                cells.add(parser.getText());
            }
        }
        return Optional.empty();
    }

    private static InvalidSpecException refused(String source, int line, String message, String remedy) {
        return refusal(source, List.of(SpecProblem.of("", message, remedy).at(line, 0)));
    }

    private static InvalidSpecException refusal(String source, List<SpecProblem> problems) {
        return new InvalidSpecException("the catalog", source, problems);
    }

    private record Line(int number, List<String> cells) {}
}
