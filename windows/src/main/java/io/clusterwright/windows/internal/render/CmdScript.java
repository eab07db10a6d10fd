package io.clusterwright.windows.internal.render;

import io.clusterwright.core.type.InvalidValueException;

/** A batch file, put together line by line: ASCII, lines that end as on Windows, delayed expansion off. */
final class CmdScript {
    private final StringBuilder text = new StringBuilder();

    CmdScript() {
        line("@echo off").line("setlocal DisableDelayedExpansion");
    }

    /** Adds a line as it stands; what comes from a description must have passed {@code CmdShell}. */
    CmdScript line(String line) {
        if (!line.chars().allMatch(c -> c >= ' ' && c < 127)) {
            throw new InvalidValueException(
                    "line of a batch file",
                    line,
                    "printable ASCII: cmd reads a file in the code page of the machine",
                    "job list");
        }
        text.append(line).append("\r\n");
        return this;
    }

    /** Adds a remark; of what comes from a description only names without anything live for cmd belong into it. */
    CmdScript remark(String remark) {
        return line("rem " + remark.replaceAll("[%&|<>^]", "?"));
    }

    String text() {
        return text.toString();
    }
}
