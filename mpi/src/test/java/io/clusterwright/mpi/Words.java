package io.clusterwright.mpi;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/** The words of command lines in tests. */
public final class Words {
    private static final Pattern WORD = Pattern.compile("`([^`]*)`|(\\S+)");
    private static final String ALPHABET = "ab \t\n'\"\\$`*?;&|<>(){}[]#!~=:%^-,@+äµ漢😀";

    private Words() {}

    /** The words of a text, which stand between blanks or line breaks; one with blanks stands between backquotes. */
    public static List<String> of(String text) {
        return WORD.matcher(text)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList();
    }

    /** Words that a shell, a launcher or a scheduler may change: some that are known for it, and 60 at random. */
    static List<String> awkward(long seed) {
        Random random = new Random(seed);
        int[] characters = ALPHABET.codePoints().toArray();
        List<String> words = new ArrayList<>(List.of(
                "", " ", "-n", "--", "::", " :", ": ", "a:b", "\\", "'", "\"", "$HOME", "$(id)", "a\nb", "\n", "%d",
                "%t", "-x", "a,b", "{%}"));
        for (int i = 0; i < 60; i++) {
            StringBuilder word = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                word.appendCodePoint(characters[random.nextInt(characters.length)]);
            }
            if (!word.toString().equals(":")) {
                words.add(word.toString());
            }
        }
        return words;
    }

    /** A program that prints each of its arguments as {@link #hex}, a line each. */
    static MpiJob printing(List<String> arguments) {
        List<String> argv = new ArrayList<>(List.of(
                "/bin/sh", "-c", "for a; do printf %s \"$a\" | od -An -v -tx1 | tr -d ' \\n'; echo; done", "sh"));
        argv.addAll(arguments);
        return MpiJob.of(argv);
    }

    static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
