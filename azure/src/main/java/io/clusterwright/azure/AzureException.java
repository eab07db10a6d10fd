package io.clusterwright.azure;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A refusal by Azure, or a failed call; {@link #reason()} classifies it. */
public final class AzureException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String code;

    /**
     * Creates the exception.
     *
     * @param code Azure's own error code; empty where there is none
     */
    public AzureException(Reason reason, String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.code = Objects.requireNonNull(code, "code");
    }

    /** The kind of refusal. */
    public Reason reason() {
        return reason;
    }

    /** Azure's own error code, such as {@code AllocationFailed}; empty where there is none. */
    public String code() {
        return code;
    }

    /** The kinds of refusals, with their remedies. */
    public enum Reason {
        /** Nothing answers at the endpoint. */
        UNREACHABLE("check the network, the proxy settings and the endpoint"),
        /** The credential is missing, wrong or expired. */
        CREDENTIALS("log in again: az login; or correct the credential"),
        /** The caller lacks a right. */
        FORBIDDEN(
                "ask for a role with this right on the subscription or resource group: Reader has all reads, Contributor the rest"),
        /** No subscription, or not the one. */
        SUBSCRIPTION("name a subscription that the credential can see"),
        /** The subscription does not use the service yet. */
        NOT_REGISTERED("register it: az provider register --namespace Microsoft.Compute --wait;"
                + " az provider register --namespace Microsoft.Network --wait"),
        /** The quota does not suffice. */
        QUOTA("ask for more quota in this region, or for fewer or smaller nodes"),
        /** The size is not offered here. */
        SIZE("choose another size or region, or ask for access to the size"),
        /** The terms of the image's plan are not accepted, or the plan is not the image's. */
        TERMS(
                "accept the terms of the plan once for the subscription, with the image's own names in place of the capitals:"
                        + " az vm image terms accept --urn PUBLISHER:OFFER:SKU:latest"),
        /** There are no free machines at the moment. */
        CAPACITY("try again later, or choose another region, size or placement"),
        /** Too many calls. */
        THROTTLED("try again later, with a smaller builder.parallel"),
        /** The machine did not start as it should. */
        PROVISIONING("look at the boot diagnostics of the machine, then create the cluster again"),
        /** An extension failed. */
        EXTENSION("correct the extension's settings, or leave it out"),
        /** It exists already, or something else uses it. */
        CONFLICT("choose another name, or wait until nothing uses it"),
        /** There is no such thing. */
        NOT_FOUND("check the name and the region"),
        /** It took longer than it may. */
        TIMEOUT("create the cluster again: it goes on from here"),
        /** Anything else. */
        OTHER("see the message of Azure");

        private final String remedy;

        Reason(String remedy) {
            this.remedy = remedy;
        }

        /** The general remedy. */
        public String remedy() {
            return remedy;
        }
    }
}
