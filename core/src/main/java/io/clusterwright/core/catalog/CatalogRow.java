package io.clusterwright.core.catalog;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One row of a catalog file. Remembers which column was read last, so that a refusal can name it. */
final class CatalogRow {
    private final Map<String, String> cells;
    private String column = "";

    CatalogRow(Map<String, String> cells) {
        this.cells = Map.copyOf(cells);
    }

    /** The column that was read last. */
    String column() {
        return column;
    }

    /** The text of a cell; empty when there is none. */
    String text(String name) {
        column = name;
        return cells.getOrDefault(name, "");
    }

    /** The text of a cell that must not be empty. */
    String required(String name) {
        String text = text(name);
        if (text.isEmpty()) {
            throw new InvalidValueException(name, text, "a text that is not empty", "the page that says so");
        }
        return text;
    }

    <T> Optional<T> value(String name, Function<String, T> parse) {
        return Optional.of(text(name)).filter(text -> !text.isEmpty()).map(parse);
    }

    int wholeNumber(String name, int fallback) {
        return value(
                        name,
                        text -> parse(name, text, "[0-9]{1,6}", "a whole number, at least 1", "120", Integer::valueOf))
                .orElse(fallback);
    }

    /** A number; a leading {@code <} says that it is an upper bound, which is what an envelope wants. */
    Optional<Double> number(String name) {
        return value(
                name,
                text -> parse(name, text, "<?[0-9]{1,9}(\\.[0-9]{1,9})?", "a number above 0", "1.2", number -> {
                    return Double.valueOf(number.replace("<", ""));
                }));
    }

    Optional<LocalDate> date(String name) {
        return value(name, text -> {
            try {
                return LocalDate.parse(text);
            } catch (DateTimeParseException e) {
                throw new InvalidValueException(name, text, "a day as year-month-day", "2027-05-31");
            }
        });
    }

    boolean yes(String name) {
        return oneOf(name, TriState.values()) == TriState.YES;
    }

    TriState stated(String name) {
        return oneOf(name, TriState.values());
    }

    /** The interconnects of a cell, separated by blanks, in short: {@code network-direct}, {@code sr-iov}. */
    Set<Interconnect> interconnects(String name) {
        Set<Interconnect> found = new LinkedHashSet<>();
        for (String word : words(name)) {
            found.add(Arrays.stream(Interconnect.values())
                    .filter(interconnect -> shortName(interconnect).equals(word))
                    .findFirst()
                    .orElseThrow(() -> new InvalidValueException(
                            name,
                            word,
                            Arrays.stream(Interconnect.values())
                                    .map(CatalogRow::shortName)
                                    .collect(Collectors.joining(", ", "one of ", "")),
                            "sr-iov")));
        }
        return found;
    }

    /** The words of a cell, separated by blanks. */
    Set<String> words(String name) {
        return Stream.of(text(name).split(" "))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The constant whose text the cell is. */
    <T extends Enum<T>> T oneOf(String name, T[] constants) {
        String text = text(name);
        return Arrays.stream(constants)
                .filter(constant -> constant.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        name,
                        text,
                        Arrays.stream(constants)
                                .map(constant -> constant.toString().isEmpty() ? "nothing" : constant.toString())
                                .collect(Collectors.joining(", ", "one of ", "")),
                        constants[0].toString()));
    }

    private static String shortName(Interconnect interconnect) {
        return interconnect == Interconnect.SRIOV_INFINIBAND ? "sr-iov" : interconnect.toString();
    }

    private static <T> T parse(
            String name, String text, String form, String allowed, String example, Function<String, T> convert) {
        if (!text.matches(form) || text.matches("<?0*(\\.0*)?")) {
            throw new InvalidValueException(name, text, allowed, example);
        }
        return convert.apply(text);
    }
}
