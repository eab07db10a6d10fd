package io.clusterwright.core.type;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The root of every exception this library throws on purpose. Catch it last: its subtypes say what a caller can do.
 *
 * <pre>{@code
 * try {
 *     clusters.create(spec).close();
 * } catch (SpecRefusedException refused) { // nothing was created
 *     refused.findings().forEach(finding -> System.out.println(finding + "; " + finding.remedy()));
 * } catch (CreateFailedException failed) { // failed.left() may still be billed
 *     failed.left().forEach(System.out::println);
 *     if (failed.getCause() instanceof NodesFailedException nodes) {
 *         nodes.failures().forEach((node, why) -> System.out.println(node + ": " + why.getMessage()));
 *     }
 * } catch (ClusterException.InUse busy) { // another process changes this cluster
 *     System.out.println(busy.getMessage());
 * } catch (ClusterwrightException other) { // the message says what to do
 *     System.out.println(other.getMessage());
 * }
 * }</pre>
 *
 * <p>The message says what was being done, on which node or field, what happened, and what to do. A subtype exists for
 * each decision a caller can take; its payload is offered by accessors.
 */
public class ClusterwrightException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public ClusterwrightException(String message) {
        super(message);
    }

    /** Creates the exception with a complete message and what caused it. */
    public ClusterwrightException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The complete message; never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }
}
