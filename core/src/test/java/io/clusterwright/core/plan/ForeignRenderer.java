package io.clusterwright.core.plan;

import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import java.util.List;
import java.util.stream.Collectors;

/** A renderer that somebody else brings, found through the service loader: it tells what it was given. */
public final class ForeignRenderer implements Renderer {
    @Override
    public String name() {
        return "foreign";
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        String machines = input.machines().entrySet().stream()
                .map(machine -> machine.getKey() + " " + machine.getValue() + " " + input.reachedAt(machine.getKey()))
                .collect(Collectors.joining("\n", "", "\n"));
        String keys = input.hostKeys().entrySet().stream()
                .map(key -> key.getKey() + " " + key.getValue().base64() + "\n")
                .collect(Collectors.joining());
        return List.of(
                RenderedFile.text("machines.txt", machines),
                RenderedFile.text("keys.txt", keys + input.accountKeys().size() + "\n"),
                RenderedFile.text("provider.sh", input.facts().provider().orElse("") + "\n")
                        .asProgram());
    }
}
