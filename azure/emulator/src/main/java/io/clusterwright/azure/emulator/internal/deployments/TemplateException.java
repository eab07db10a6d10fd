package io.clusterwright.azure.emulator.internal.deployments;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.TextTable;
import org.jspecify.annotations.Nullable;

/** A template that cannot be deployed; the message names the expression or the part. */
final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final TextTable TEXTS = new TextTable(TemplateException.class, "invalid-templates.properties");

    private final String text;

    private TemplateException(String message) {
        super(message);
        this.text = message;
    }

    /**
     * A refusal of the table {@code invalid-templates.properties}.
     *
     * @param arguments the values for the places in its text
     */
    static TemplateException of(String key, @Nullable Object... arguments) {
        return new TemplateException(TextTable.filled(TEXTS.row(key), arguments));
    }

    /** Refuses a template where a condition holds. */
    static void refuse(boolean when, String key, @Nullable Object... arguments) {
        if (when) {
            throw of(key, arguments);
        }
    }

    /** The message that the client reads. */
    String text() {
        return text;
    }

    /** The same for a place in the template. */
    TemplateException at(String place) {
        return of("place", place, text);
    }

    ArmException answer() {
        return ArmException.of("InvalidTemplate", text);
    }
}
