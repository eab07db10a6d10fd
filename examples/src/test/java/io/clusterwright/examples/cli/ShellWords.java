package io.clusterwright.examples.cli;

import java.util.ArrayList;
import java.util.List;

/** The words of a command line, as a shell reads them, up to a pipe, a redirection, a bracket, another command or a comment. */
final class ShellWords {
    private ShellWords() {}

    static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char at = line.charAt(i);
            if (quote != 0) {
                if (at == quote) {
                    quote = 0;
                } else {
                    word.append(at);
                }
            } else if (at == '\'' || at == '"') {
                quote = at;
                open = true;
            } else if ("|<>;&)".indexOf(at) >= 0 || at == '#' && !open) {
                break;
            } else if (at == ' ') {
                if (open) {
                    words.add(word.toString());
                }
                word.setLength(0);
                open = false;
            } else {
                word.append(at);
                open = true;
            }
        }
        if (open) {
            words.add(word.toString());
        }
        return words;
    }
}
