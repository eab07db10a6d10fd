package io.clusterwright.core.catalog;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One row of a catalog file. Remembers which column was read last, so that a refusal can name it. */
final class CatalogRow {
    private final List<String> header;
    private final List<String> cells;
    private String column = "";

    /** Takes over both lists, which are of one length. */
    CatalogRow(List<String> header, List<String> cells) {
        this.header = header;
        this.cells = cells;
    }

    /** The column that was read last. */
    String column() {
        return column;
    }

    /** The text of a cell; empty when there is none. */
    String text(String name) {
        column = name;
        int index = header.indexOf(name);
        String text = index < 0 ? "" : cells.get(index);
        if (text.chars().anyMatch(one -> Character.isISOControl(one) && !Character.isWhitespace(one))) {
            throw new InvalidValueException(
                    name, text, "text without control characters other than tabs and line ends", "hpc");
        }
        return text;
    }

    /** The text of a cell that must not be empty. */
    String required(String name) {
        String text = text(name);
        if (text.isBlank()) {
            throw new InvalidValueException(name, text, "text that is not empty", "https://learn.microsoft.com/azure");
        }
        return text;
    }

    /** The value of a cell that must not be empty. */
    <T> T needed(String name, Function<String, Optional<T>> read) {
        required(name);
        return read.apply(name).orElseThrow();
    }

    <T> Optional<T> value(String name, Function<String, T> parse) {
        return Optional.of(text(name)).filter(text -> !text.isEmpty()).map(parse);
    }

    Optional<Integer> wholeNumber(String name) {
        return value(
                name, text -> parse(name, text, "[0-9]{1,6}", "a whole number, at least 1", "120", Integer::valueOf));
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
                throw new InvalidValueException(name, text, "a date as YYYY-MM-DD", "2027-05-31");
            }
        });
    }

    boolean yes(String name) {
        return stated(name).orElse(false);
    }

    /** Yes or no; empty where the sources do not say. */
    Optional<Boolean> stated(String name) {
        String answer = oneOf(name, List.of("yes", "no", ""));
        return Optional.of(answer.equals("yes")).filter(yes -> !answer.isEmpty());
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
                            oneOf(Arrays.stream(Interconnect.values()).map(CatalogRow::shortName)),
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
    <T> T oneOf(String name, List<T> constants) {
        String text = text(name);
        return constants.stream()
                .filter(constant -> constant.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        name,
                        text,
                        oneOf(constants.stream()
                                .map(constant -> constant.toString().isEmpty() ? "nothing" : constant.toString())),
                        constants.get(0).toString()));
    }

    private static String oneOf(Stream<String> words) {
        return words.collect(Collectors.joining(", ", "one of ", ""));
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
