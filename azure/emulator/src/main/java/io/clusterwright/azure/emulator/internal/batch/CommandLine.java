package io.clusterwright.azure.emulator.internal.batch;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import java.util.ArrayList;
import java.util.List;

/** The words of a command line, which Batch runs without a shell: quotes group, and nothing is expanded. */
final class CommandLine {
    private CommandLine() {}

    static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else if (c == '\\'
                        && quote == '"'
                        && i + 1 < line.length()
                        && "\"\\".indexOf(line.charAt(i + 1)) >= 0) {
                    word.append(line.charAt(++i));
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                begun = true;
            } else if (Character.isWhitespace(c)) {
                if (begun) {
                    words.add(word.toString());
                    word.setLength(0);
                    begun = false;
                }
            } else {
                begun = true;
                word.append(c == '\\' && i + 1 < line.length() ? line.charAt(++i) : c);
            }
        }
        if (quote != 0) {
            throw ArmException.badRequest(
                    "InvalidPropertyValue", "The command line has a quote without an end: " + line);
        }
        if (begun) {
            words.add(word.toString());
        }
        if (words.isEmpty()) {
            throw ArmException.badRequest("InvalidPropertyValue", "The command line is empty.");
        }
        return words;
    }
}
