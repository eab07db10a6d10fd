package io.clusterwright.core.spi;

import io.clusterwright.core.plan.RenderedFile;
import java.util.List;

/**
 * Renders files of a spec, for people who carry it out with their own tools. Implement it to write a file for another
 * tool; a renderer whose files deploy a whole cluster is a {@link StepSource}, too.
 *
 * <pre>{@code
 * @Override
 * public List<RenderedFile> render(RenderInput input) {
 *     String machines = input.machines().entrySet().stream()
 *             .map(machine -> machine.getKey() + " " + machine.getValue() + " " + input.reachedAt(machine.getKey()))
 *             .collect(Collectors.joining("\n", "", "\n"));
 *     String keys = input.hostKeys().entrySet().stream()
 *             .map(key -> key.getKey() + " " + key.getValue().base64() + "\n")
 *             .collect(Collectors.joining());
 *     return List.of(
 *             RenderedFile.text("machines.txt", machines),
 *             RenderedFile.text("keys.txt", keys + input.accountKeys().size() + "\n"),
 *             RenderedFile.text("provider.sh", input.facts().provider().orElse("") + "\n")
 *                     .asProgram());
 * }
 * }</pre>
 *
 * <p>Found through {@link java.util.ServiceLoader}. Stateless and safe for use by several threads. Pure: the same input always
 * gives the same bytes; nothing is written, started or asked for over a network, and no key is made. Files that the spec
 * names may be read.
 */
public interface Renderer {

    /** A short name for messages, such as {@code "linux"}: the module it belongs to. */
    String name();

    /**
     * The files of this renderer; empty where it has no file for such a spec. A name belongs to one renderer alone.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException when the spec asks for something that is not there, such as
     *     a file that cannot be read
     */
    List<RenderedFile> render(RenderInput input);
}
