package io.clusterwright.mpi.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Finds which of many words a line holds in one pass: the first four letters of each word are looked up in a table, and the few lines
 * that pass are compared letter by letter. Immutable.
 */
final class Anchors {
    private static final int LEAST = 4;
    private static final int SLOTS = 1 << 14;

    private final boolean[] taken = new boolean[SLOTS];
    private final Map<String, List<Integer>> byStart = new HashMap<>();
    private final List<String> words;

    /** Looks for these words, each of at least four letters. */
    Anchors(List<String> words) {
        this.words = List.copyOf(words);
        for (int i = 0; i < words.size(); i++) {
            String start = words.get(i).substring(0, LEAST);
            taken[slot(start, 0)] = true;
            byStart.computeIfAbsent(start, key -> new ArrayList<>()).add(i);
        }
    }

    /** Hands on the index of each word the line holds, some of them more than once. */
    void find(String line, IntConsumer found) {
        for (int at = 0; at + LEAST <= line.length(); at++) {
            if (taken[slot(line, at)]) {
                for (int word : byStart.getOrDefault(line.substring(at, at + LEAST), List.of())) {
                    if (line.startsWith(words.get(word), at)) {
                        found.accept(word);
                    }
                }
            }
        }
    }

    private static int slot(String text, int at) {
        int hash = text.charAt(at) * 31 + text.charAt(at + 1);
        hash = hash * 131 + text.charAt(at + 2) * 31 + text.charAt(at + 3);
        return (hash ^ hash >>> 14) & SLOTS - 1;
    }
}
