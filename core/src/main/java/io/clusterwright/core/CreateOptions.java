package io.clusterwright.core;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options for creating or resizing a cluster and for building an image. Use it to follow a creation, to limit its
 * time, or to keep the machines of a failed creation. Immutable: each method returns changed options.
 *
 * <pre>{@code
 * CreateOptions options = CreateOptions.standard()
 *         .listener(events::add)
 *         .limit(Duration.ofHours(1))
 *         .freshImage();
 * }</pre>
 */
public final class CreateOptions {
    private static final CreateOptions STANDARD = new CreateOptions(event -> {}, null, EnumSet.noneOf(Choice.class));

    private final ClusterListener listener;
    private final @Nullable Duration limit;
    private final EnumSet<Choice> choices;

    private CreateOptions(ClusterListener listener, @Nullable Duration limit, EnumSet<Choice> choices) {
        this.listener = listener;
        this.limit = limit;
        this.choices = choices;
    }

    /** The defaults: no listener, no limit, roll back on failure, reuse images, run the checks. */
    public static CreateOptions standard() {
        return STANDARD;
    }

    /** Reports each event to this listener. */
    public CreateOptions listener(ClusterListener value) {
        return new CreateOptions(Objects.requireNonNull(value, "listener"), limit, choices);
    }

    /**
     * Limits the whole operation, apart from its rollback; the default is no limit.
     *
     * @throws InvalidValueException when the limit is zero or negative
     */
    public CreateOptions limit(Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new InvalidValueException("limit", value, "a positive duration", "PT1H");
        }
        return new CreateOptions(listener, value, choices);
    }

    /** Keeps the resources when the operation fails, for debugging; the default is to delete them. */
    public CreateOptions keepOnFailure() {
        return with(Choice.KEEP_ON_FAILURE);
    }

    /** Builds the image again although its recipe is unchanged; the default is to reuse it. */
    public CreateOptions freshImage() {
        return with(Choice.FRESH_IMAGE);
    }

    /**
     * Replaces nodes whose machines run and do not answer, with their disks; the default is to report them by name and to change nothing.
     * Machines that the provider reports as absent or failed are replaced in any case.
     */
    public CreateOptions replaceUnreachable() {
        return with(Choice.REPLACE_UNREACHABLE);
    }

    /** Skips the checks that belong to a creation; the default is to run them. */
    public CreateOptions skipChecks() {
        return with(Choice.SKIP_CHECKS);
    }

    /** The receiver of events. */
    public ClusterListener listener() {
        return listener;
    }

    /** The limit of the whole operation; empty for none. */
    public Optional<Duration> limit() {
        return Optional.ofNullable(limit);
    }

    /** Whether resources are kept on failure. */
    public boolean keepsOnFailure() {
        return choices.contains(Choice.KEEP_ON_FAILURE);
    }

    /** Whether the image is built again. */
    public boolean buildsFreshImage() {
        return choices.contains(Choice.FRESH_IMAGE);
    }

    /** Whether nodes that run and do not answer are replaced. */
    public boolean replacesUnreachable() {
        return choices.contains(Choice.REPLACE_UNREACHABLE);
    }

    /** Whether the checks run. */
    public boolean runsChecks() {
        return !choices.contains(Choice.SKIP_CHECKS);
    }

    /** The choices that are not defaults, such as {@code options [KEEP_ON_FAILURE] within PT1H}. */
    @Override
    public String toString() {
        return "options " + choices + (limit == null ? "" : " within " + limit);
    }

    private CreateOptions with(Choice choice) {
        EnumSet<Choice> more = EnumSet.copyOf(choices);
        more.add(choice);
        return new CreateOptions(listener, limit, more);
    }

    private enum Choice {
        KEEP_ON_FAILURE,
        FRESH_IMAGE,
        REPLACE_UNREACHABLE,
        SKIP_CHECKS
    }
}
