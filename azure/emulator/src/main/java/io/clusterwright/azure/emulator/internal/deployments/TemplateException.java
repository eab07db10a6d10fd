package io.clusterwright.azure.emulator.internal.deployments;

import io.clusterwright.azure.emulator.internal.arm.ArmException;

/** A template that cannot be deployed; the message names the expression or the part. */
final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TemplateException(String message) {
        super(message);
    }

    /** The same, said of a place in the template. */
    TemplateException at(String place) {
        return new TemplateException("Unable to process template language expressions for " + place + ": " + getMessage());
    }

    ArmException answer() {
        return ArmException.badRequest(
                "InvalidTemplate", "Deployment template validation failed: '" + getMessage() + "'.");
    }
}
