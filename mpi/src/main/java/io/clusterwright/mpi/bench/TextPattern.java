package io.clusterwright.mpi.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One text of a known failure, as a pattern over lines whose white space is folded. */
final class TextPattern {
    private static final Pattern HOLE = Pattern.compile("\\{(\\.\\.\\.|[a-z]+#?)}");
    private static final String WORD = "[^\\s\"'(),;]{1,200}?";

    private final KnownFailure failure;
    private final String anchor;
    private final Pattern pattern;
    private final List<String> names;

    TextPattern(KnownFailure failure, String text) {
        this.failure = failure;
        StringBuilder regex = new StringBuilder();
        List<String> holes = new ArrayList<>();
        String longest = "";
        Matcher hole = HOLE.matcher(text);
        int start = 0;
        while (hole.find()) {
            longest = literal(text.substring(start, hole.start()), regex, longest);
            String name = hole.group(1);
            if (name.equals("...")) {
                regex.append(".{0,200}?");
            } else {
                boolean number = name.endsWith("#");
                String plain = number ? name.substring(0, name.length() - 1) : name;
                holes.add(plain);
                regex.append("(?<")
                        .append(plain)
                        .append('>')
                        .append(number ? "\\d{1,20}" : WORD)
                        .append(')');
            }
            start = hole.end();
        }
        this.anchor = literal(text.substring(start), regex, longest);
        boolean endsInHole = start == text.length() && start > 0;
        this.pattern = Pattern.compile(endsInHole ? regex + "(?=\\.?(?:[\\s\"'(),;]|$))" : regex.toString());
        this.names = List.copyOf(holes);
        if (anchor.length() < 4) {
            throw new IllegalStateException(failure.code() + " has a text without a word to look for: " + text);
        }
    }

    /** Adds a piece that stands for itself; the longest word of the whole text is what lines are searched for first. */
    private static String literal(String piece, StringBuilder regex, String longest) {
        String best = longest;
        for (String word : piece.split(" ", -1)) {
            if (word.length() > best.length()) {
                best = word;
            }
        }
        if (!piece.isEmpty()) {
            regex.append(Pattern.quote(piece));
        }
        return best;
    }

    KnownFailure failure() {
        return failure;
    }

    /** A word without white space that every line range with this text holds. */
    String anchor() {
        return anchor;
    }

    Matcher matcher(CharSequence folded) {
        return pattern.matcher(folded);
    }

    /** A sentence with its holes filled from a match. */
    String filled(String sentence, Matcher match) {
        String filled = sentence;
        for (String name : names) {
            filled = filled.replace("{" + name + "}", match.group(name));
        }
        return filled;
    }
}
