package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.Planner;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.RenderedFiles.Change;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.examples.console.ExitCodes;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "render",
        description = "Writes the files of a spec (hostfiles, scripts, templates) for use with other tools; creates no"
                + " cluster.")
final class RenderCommand extends SpecCommand {
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
            ClusterSpec read = spec();
            List<Finding> findings = Planner.check(read);
            if (findings.stream().anyMatch(Finding::isError)) {
                return refused(findings);
            }
            files = Planner.offline()
                    .provider(on.toString())
                    .keys(StateStore.standard())
                    .render(read);
        } catch (SpecRefusedException e) {
            return refused(e.findings());
        } catch (InvalidSpecException e) {
            return refused(Planner.findings(e));
        }
        Map<Path, Change> written = files.writeTo(to);
        if (json) {
            print(json(files, written));
        } else {
            print(files, written);
        }
        return ExitCodes.OK;
    }

    private int refused(List<Finding> findings) {
        print(findings);
        if (!json) {
            out.println(specName() + " is refused, and nothing was written: correct the errors");
        }
        return ExitCodes.REFUSED;
    }

    private void print(RenderedFiles files, Map<Path, Change> written) {
        written.forEach(
                (path, change) -> out.println(path + " (" + change.name().toLowerCase(Locale.ROOT) + ")"));
        for (RenderedFile file : files.list()) {
            file.notes().forEach(note -> out.println("note: " + file.name() + ": " + note));
        }
        files.notMade().forEach((name, module) -> out.println("not made: " + name + " (" + module + " module)"));
    }

    private ObjectNode json(RenderedFiles files, Map<Path, Change> written) {
        ObjectNode json = Json.object();
        ArrayNode made = json.putArray("files");
        files.list().forEach(file -> made.add(file.name()));
        json.put("folder", to.toAbsolutePath().normalize().toString());
        ArrayNode replaced = json.putArray("replaced");
        written.forEach((path, change) -> {
            if (change == Change.REPLACED) {
                replaced.add(String.valueOf(path.getFileName()));
            }
        });
        ArrayNode notes = json.putArray("notes");
        files.list()
                .forEach(file -> file.notes()
                        .forEach(note ->
                                notes.addObject().put("file", file.name()).put("note", note)));
        ArrayNode notMade = json.putArray("notMade");
        files.notMade()
                .forEach((name, module) -> notMade.addObject().put("file", name).put("module", module));
        return json;
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
