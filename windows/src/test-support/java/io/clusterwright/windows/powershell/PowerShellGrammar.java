package io.clusterwright.windows.powershell;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.node.NodeProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** Reads scripts with tree-sitter's grammar of PowerShell, which npm installs below {@code target} on first use. */
public final class PowerShellGrammar {
    private static final NodeProgram PROGRAM =
            new NodeProgram("powershell-grammar", PowerShellGrammar.class, "read.mjs");
    private static final ObjectMapper JSON = new ObjectMapper();

    private PowerShellGrammar() {}

    /** What each of these scripts holds. */
    public static List<ParsedScript> read(List<String> scripts) {
        try {
            // The optimising compiler of WebAssembly takes seconds for the grammar and saves nothing on so little text.
            byte[] out = PROGRAM.run(JSON.writeValueAsBytes(scripts), List.of("--liftoff-only"));
            return Arrays.asList(JSON.readValue(out, ParsedScript[].class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
