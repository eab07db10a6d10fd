package io.clusterwright.linux.internal.ssh;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Argument lists that a shell would love to take apart. */
final class RandomWords {
    private static final List<String> NASTY = List.of(
            "", " ", "'", "\"", "`id`", "$HOME", "$(id)", "\\", "\\\\", "\n", "\r\n", "\t", "*", "?", "~", "a b", "-n",
            "--", "!x", "#", ";", "&", "|", "<", ">", "(", ")", "{a,b}", "=", "a=b", "%s", "\u0001", "\u007f", "ü",
            "日本", "😀", "'\\''");

    private RandomWords() {}

    static List<String> list(Random random, int most) {
        return IntStream.range(0, random.nextInt(most))
                .mapToObj(i -> word(random))
                .toList();
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int pieces = random.nextInt(4); pieces > 0; pieces--) {
            word.append(random.nextInt(3) == 0 ? unicode(random) : NASTY.get(random.nextInt(NASTY.size())));
        }
        return word.toString();
    }

    private static String unicode(Random random) {
        int codePoint;
        do {
            codePoint = 1 + random.nextInt(Character.MAX_CODE_POINT);
        } while (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
        return Character.toString(codePoint);
    }
}
