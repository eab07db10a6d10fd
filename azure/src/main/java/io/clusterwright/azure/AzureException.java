package io.clusterwright.azure;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A refusal by Azure, or a failed call; {@link #reason()} classifies it. Decide by the reason: wait and try again,
 * choose another size or region, or ask an administrator.
 *
 * <pre>{@code
 * try {
 *     machines.imagePublishers("westeurope").forEach(System.out::println);
 * } catch (AzureException refused) {
 *     System.out.println(refused.reason() + " (" + refused.code() + "): " + refused.getMessage());
 * }
 * }</pre>
 */
public final class AzureException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String code;

    /**
     * Creates the exception.
     *
     * @param code Azure's own error code; empty where Azure gave no code
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

    /** Azure's own error code, such as {@code AllocationFailed}; empty where Azure gave no code. */
    public String code() {
        return code;
    }

    /** The kinds of refusals, with their remedies. */
    public enum Reason {
        /** Nothing answers at the endpoint. */
        UNREACHABLE("check the network, the proxy settings and the endpoint"),
        /** The credential is missing, wrong or expired. */
        CREDENTIALS("run: az login; or correct the credential"),
        /** The caller lacks a right. */
        FORBIDDEN(
                "request a role on the subscription or resource group: Reader for reading, Contributor for everything else"),
        /** The credential has no subscription, or not this one. */
        SUBSCRIPTION("use a subscription of this credential: --subscription ID; to list them, run: az account list"),
        /** The subscription does not use the service yet. */
        NOT_REGISTERED("run: az provider register --namespace Microsoft.Compute --wait;"
                + " az provider register --namespace Microsoft.Network --wait"),
        /** The quota is too small. */
        QUOTA("request more quota in this region, or lower nodes.count, or choose a smaller nodes.size"),
        /** The size is not offered here. */
        SIZE("choose another size or region, or request access to the size from Azure support"),
        /** The terms of the image's plan are not accepted, or the plan is not the image's. */
        TERMS(
                "accept the terms of the plan once for the subscription, with the names of the image: az vm image terms accept"
                        + " --urn PUBLISHER:OFFER:SKU:latest"),
        /** There are no free machines at the moment. */
        CAPACITY("try again later, or choose another region, size or placement"),
        /** Too many calls. */
        THROTTLED("try again later, with a smaller AzureMachines.Builder.parallel"),
        /** The machine did not start as it should. */
        PROVISIONING("read the boot log (clusterwright describe NAME NODE), then run create again"),
        /** An extension failed. */
        EXTENSION("correct the extension's settings, or remove the extension"),
        /** It exists already, or something else uses it. */
        CONFLICT("use another name, or wait until the other resource is deleted"),
        /** There is no such thing. */
        NOT_FOUND("check the name and the region"),
        /** A machine of a record is not in the subscription: it was deleted outside of this library, or the subscription is another one. */
        GONE("name the subscription of the cluster (--subscription ID), or run: clusterwright create SPEC"
                + " --on PROVIDER, which creates what is missing, or clusterwright destroy NAME"),
        /** It took longer than it may. */
        TIMEOUT("run create again: it continues"),
        /** Anything else; no general remedy. */
        OTHER("");

        private final String remedy;

        Reason(String remedy) {
            this.remedy = remedy;
        }

        /** The general remedy; empty for {@link #OTHER}. */
        public String remedy() {
            return remedy;
        }
    }
}
