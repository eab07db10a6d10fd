package io.clusterwright.examples.cli;

import io.clusterwright.core.Planner;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.RenderedFiles.Change;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import java.nio.file.Path;
import java.util.List;
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
            description = "The output folder. A missing folder is created; other files in it stay.")
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
            String part = "on." + PrintableText.word(on) + ".";
            List<Finding> findings = Planner.check(read).stream()
                    .filter(finding ->
                            !finding.path().startsWith("on.") || finding.path().startsWith(part))
                    .toList();
            if (findings.stream().anyMatch(Finding::isError)) {
                return refused(findings);
            }
            files = Planner.offline()
                    .provider(PrintableText.word(on))
                    .keys(StateStore.standard())
                    .render(read);
        } catch (SpecRefusedException e) {
            return refused(e.findings());
        } catch (InvalidSpecException e) {
            return refused(Planner.findings(e));
        }
        Map<Path, Change> written = files.writeTo(to);
        return print(() -> json(files, written), () -> print(files, written));
    }

    private int refused(List<Finding> findings) {
        return refused(findings, "nothing was written");
    }

    private void print(RenderedFiles files, Map<Path, Change> written) {
        written.forEach((path, change) -> out.println(path + " (" + PrintableText.word(change) + ")"));
        for (RenderedFile file : files.list()) {
            file.notes().forEach(note -> out.println("note: " + file.name() + ": " + note));
        }
        files.notMade().forEach((name, module) -> out.println("not made: " + name + " (" + module + " module)"));
    }

    private JsonFields json(RenderedFiles files, Map<Path, Change> written) {
        return JsonFields.of(
                        "files", files.list().stream().map(RenderedFile::name).toList())
                .and("folder", to.toAbsolutePath().normalize())
                .and(
                        "replaced",
                        written.keySet().stream()
                                .filter(path -> written.get(path) == Change.REPLACED)
                                .map(path -> String.valueOf(path.getFileName()))
                                .toList())
                .and(
                        "notes",
                        files.list().stream()
                                .flatMap(file -> file.notes().stream()
                                        .map(note -> JsonFields.of("file", file.name())
                                                .and("note", note)))
                                .toList())
                .and(
                        "notMade",
                        JsonFields.list(
                                files.notMade().entrySet(),
                                file -> JsonFields.of("file", file.getKey()).and("module", file.getValue())));
    }

    /** The values of {@code --on}: virtual machines on Azure, or nodes on this machine. */
    enum Where {
        AZURE,
        LOCAL;

        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }
}
