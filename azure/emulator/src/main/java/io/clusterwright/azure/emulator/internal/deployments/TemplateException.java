package io.clusterwright.azure.emulator.internal.deployments;

import io.clusterwright.azure.emulator.internal.arm.ArmException;

/** A template that cannot be deployed; the message names the expression or the part. */
final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String text;

    TemplateException(String message) {
        super(message);
        this.text = message;
    }

    /** The message that the client reads. */
    String text() {
        return text;
    }

    /** The same for a place in the template. */
    TemplateException at(String place) {
        return new TemplateException("Unable to process template language expressions for " + place + ": " + text);
    }

    ArmException answer() {
        return ArmException.of("InvalidTemplate", text);
    }
}
