package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.Rendering;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.RenderedFiles.WrittenFile;
import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.examples.console.ExitCodes;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "render",
        description =
                "Writes the files of a spec (hostfiles, scripts, templates) for use with other tools; creates no cluster.")
final class RenderCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private SpecArgument spec = new SpecArgument();

    @Option(
            names = "--to",
            paramLabel = "DIR",
            required = true,
            description = "The output folder; it is created when missing, and other files in it stay.")
    private Path to = Path.of("");

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description = "Provider overrides to apply (the spec's \"on\"): azure or local. Default: azure.")
    private Where on = Where.AZURE;

    @Override
    public Integer call() {
        RenderedFiles files;
        try {
            ClusterSpec read = spec.read();
            SpecCheck.Result checked = SpecArgument.check(read);
            if (!checked.valid()) {
                return refused(checked);
            }
            files = Rendering.of(read)
                    .on(on.toString())
                    .knownFrom(StateStore.standard())
                    .files();
        } catch (SpecRefusedException e) {
            return refused(new SpecCheck.Result(e.findings(), List.of()));
        } catch (InvalidSpecException e) {
            return refused(SpecCheck.refused(e));
        }
        List<WrittenFile> written = files.writeTo(to);
        if (common.json) {
            common.print(json(files, written));
        } else {
            print(files, written);
        }
        return ExitCodes.OK;
    }

    private int refused(SpecCheck.Result result) {
        spec.print(common, result);
        if (!common.json) {
            common.out.println(spec.name() + " is refused, and nothing was written: correct the errors");
        }
        return ExitCodes.REFUSED;
    }

    private void print(RenderedFiles files, List<WrittenFile> written) {
        for (WrittenFile file : written) {
            common.out.println(file.path() + " (" + outcome(file) + ")");
        }
        for (RenderedFile file : files.list()) {
            file.notes().forEach(note -> common.out.println("note: " + file.name() + ": " + note));
        }
        files.notMade().forEach(file -> common.out.println("not made: " + file));
    }

    private ObjectNode json(RenderedFiles files, List<WrittenFile> written) {
        ObjectNode json = Json.object();
        ArrayNode made = json.putArray("files");
        files.list().forEach(file -> made.add(file.name()));
        json.put("folder", to.toAbsolutePath().normalize().toString());
        ArrayNode replaced = json.putArray("replaced");
        written.stream()
                .filter(file -> file.outcome() == WrittenFile.Outcome.REPLACED)
                .forEach(file -> replaced.add(String.valueOf(file.path().getFileName())));
        ArrayNode notes = json.putArray("notes");
        files.list()
                .forEach(file -> file.notes()
                        .forEach(note ->
                                notes.addObject().put("file", file.name()).put("note", note)));
        ArrayNode notMade = json.putArray("notMade");
        files.notMade()
                .forEach(file -> notMade.addObject().put("file", file.name()).put("module", file.module()));
        return json;
    }

    private static String outcome(WrittenFile file) {
        return file.outcome().name().toLowerCase(Locale.ROOT);
    }

    /** The values of {@code --on}. */
    enum Where {
        /** Virtual machines on Azure. */
        AZURE,
        /** Nodes on this machine. */
        LOCAL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
