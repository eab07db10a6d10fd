package io.clusterwright.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Arguments of all kinds, decided by a seed that a failure prints. */
public final class Seeded {
    private static final String HARD = "\"\\ \t%^&|<>()!'`$;,=@#~*?[]{}+-/:.0aZ";
    private static final String BEYOND_ASCII = "é\u00A0\u2019\u201C\uD83D\uDE00";
    private static final List<String> TRAPS = List.of(
            "",
            "\\",
            "\\\\",
            "\"",
            "\\\"",
            "\\\\\"",
            "a\\",
            "a b\\",
            "a b\\\\",
            "%PATH%",
            "%PATH:W=x%",
            "%%PATH%%",
            "^%PATH^%",
            "!PATH!",
            "a&b",
            "\"a&b\"",
            "\"a&b",
            "a\"&\"b",
            "a \" b & c",
            "1>2",
            "2>&1",
            "^",
            "^^",
            "a^",
            "(x)",
            "\"\"",
            "\"\"\"",
            "\" \"",
            "/?",
            "--",
            "%",
            "%%",
            "% %",
            "%1",
            "%~dp0",
            "%*",
            "nul",
            "'",
            "''",
            "C:\\Program Files\\x\\",
            "\\\\hn\\share\\",
            "*.c",
            "@file",
            "%a:~0,1%\" %b%",
            "%=ExitCode%",
            "%PATH%\"");

    private final Random random;

    private final int[] hard;

    private Seeded(Random random, String hard) {
        this.random = random;
        this.hard = hard.codePoints().toArray();
    }

    /** The source of a test; with another seed it finds other arguments. */
    public static Seeded by(long seed) {
        return new Seeded(new Random(seed), HARD + BEYOND_ASCII);
    }

    /** The same with ASCII alone. */
    public static Seeded ascii(long seed) {
        return new Seeded(new Random(seed), HARD);
    }

    /** Lists of one to five arguments: each trap once, and arbitrary ones. */
    public List<List<String>> argumentLists(int count) {
        List<List<String>> lists = new ArrayList<>();
        for (String trap : TRAPS) {
            lists.add(List.of(trap, "then"));
        }
        while (lists.size() < count) {
            List<String> list = new ArrayList<>();
            int size = 1 + random.nextInt(5);
            for (int i = 0; i < size; i++) {
                list.add(random.nextInt(6) == 0 ? TRAPS.get(random.nextInt(TRAPS.size())) : text(12));
            }
            lists.add(List.copyOf(list));
        }
        return lists;
    }

    /** A text of up to this many characters, most of them troublesome. */
    public String text(int longest) {
        StringBuilder text = new StringBuilder();
        int size = random.nextInt(longest + 1);
        for (int i = 0; i < size; i++) {
            text.appendCodePoint(hard[random.nextInt(hard.length)]);
        }
        return text.toString();
    }
}
