package io.clusterwright.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What tests of generated pages share. */
public final class GeneratedPage {
    private static final int WIDTH = 100;

    private GeneratedPage() {}

    /** Compares a page with its generated text; {@code -Dclusterwright.update=true} writes it first. */
    public static void check(Path file, String page) throws IOException {
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(file, page);
        }
        assertThat(Files.readString(file)).isEqualTo(page);
    }

    /** Adds a paragraph or an entry of a list, in lines that are not wider than a terminal. */
    public static void paragraph(StringBuilder page, String mark, String text) {
        StringBuilder line = new StringBuilder(mark);
        for (String word : text.split(" ", -1)) {
            if (line.length() > mark.length() && line.length() + 1 + word.length() > WIDTH) {
                page.append(line).append('\n');
                line = new StringBuilder(" ".repeat(mark.length()));
            }
            line.append(line.length() == mark.length() ? "" : " ").append(word);
        }
        page.append(line).append('\n');
    }

    /** Text that Markdown prints as it is; code needs no escape of asterisks. */
    public static String escaped(String text) {
        return text.replaceAll("(?:\\*|<(?=[A-Za-z/!]))(?=(?:[^`]*`[^`]*`)*[^`]*$)", "\\\\$0");
    }
}
