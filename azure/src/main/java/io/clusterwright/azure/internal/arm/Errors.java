package io.clusterwright.azure.internal.arm;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.management.exception.ManagementError;
import com.azure.core.management.exception.ManagementException;
import com.azure.core.management.polling.PollResult;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns exceptions of the SDK into exceptions of this library. */
public final class Errors {
    /** The reasons for Azure's error codes, which stand in small letters. */
    private static final Map<String, Reason> REASONS = new HashMap<>();

    static {
        reason(Reason.FORBIDDEN, "authorizationfailed linkedauthorizationfailed requestdisallowedbypolicy");
        reason(Reason.NOT_REGISTERED, "missingsubscriptionregistration subscriptionnotregistered");
        reason(Reason.SUBSCRIPTION, "subscriptionnotfound invalidsubscriptionid readonlydisabledsubscription");
        reason(Reason.QUOTA, "quotaexceeded");
        reason(Reason.SIZE, "skunotavailable notavailableforsubscription");
        reason(
                Reason.TERMS,
                "marketplacepurchaseeligibilityfailed resourcepurchasevalidationfailed vmmarketplaceinvalidinput");
        reason(
                Reason.CAPACITY,
                "allocationfailed zonalallocationfailed allocationfailure overconstrainedallocationrequest");
        reason(Reason.PROVISIONING, "osprovisioningtimedout osprovisioningclienterror osprovisioninginternalerror");
        reason(
                Reason.EXTENSION,
                "vmextensionprovisioningerror vmextensionhandlernontransienterror vmextensionprovisioningtimeout");
        reason(Reason.CREDENTIALS, "invalidauthenticationtoken expiredauthenticationtoken authenticationfailed");
    }

    private static final Pattern NAMESPACE = Pattern.compile("namespace '([\\w.]+)'");
    private static final Pattern PLAN = Pattern.compile(
            "PublisherId: '?([\\w.-]+?)'?, OfferId: '?([\\w.-]+?)'? .*on this subscription: '([\\w-]+)' for this plan:"
                    + " '([\\w.-]+)'",
            Pattern.DOTALL);

    private Errors() {}

    private static void reason(Reason reason, String codes) {
        List.of(codes.split(" ")).forEach(code -> REASONS.put(code, reason));
    }

    /** The exception of this library for one of the SDK; for an interrupt, an {@link OperationInterruptedException}. */
    public static ClusterwrightException of(String what, Throwable thrown) {
        if (thrown instanceof ClusterwrightException known) {
            return known;
        }
        if (find(thrown, InterruptedException.class) != null
                || Thread.currentThread().isInterrupted()) {
            return new OperationInterruptedException(what + ": interrupted", thrown);
        }
        HttpResponseException answered = find(thrown, HttpResponseException.class);
        if (!isLost(thrown) && (find(thrown, ClientAuthenticationException.class) != null || isCredential(thrown))) {
            return of(Reason.CREDENTIALS, "", what, login(text(thrown)), thrown);
        }
        if (answered != null && answered.getResponse() != null) {
            ManagementError error = answered instanceof ManagementException known ? known.getValue() : null;
            String code = error == null || error.getCode() == null ? "" : error.getCode();
            String message = error == null || error.getMessage() == null ? text(answered) : message(error);
            HttpResponse response = answered.getResponse();
            Reason reason = reason(response.getStatusCode(), code, message);
            return of(reason, code, what, reason == Reason.FORBIDDEN ? message + right(response) : message, thrown);
        }
        Throwable lost = lost(thrown);
        if (lost != null) {
            return of(Reason.UNREACHABLE, "", what, lost.toString(), thrown);
        }
        return of(Reason.OTHER, "", what, text(thrown), thrown);
    }

    /** The message with the messages of its details, which have the reason where the message has none. */
    private static String message(ManagementError error) {
        String text = error.getMessage();
        for (ManagementError detail : error.getDetails() == null ? List.<ManagementError>of() : error.getDetails()) {
            if (detail.getMessage() != null && !text.contains(detail.getMessage())) {
                text += " " + detail.getMessage();
            }
        }
        return text;
    }

    private static String right(HttpResponse response) {
        HttpRequest request = response.getRequest();
        return request == null
                ? ""
                : "; this needs the right "
                        + AccessRight.of(
                                request.getHttpMethod().toString(),
                                request.getUrl().getPath());
    }

    /** Whether Azure answered that it does not tell or do this here, so that something else may still be asked of it. */
    public static boolean isRefusal(AzureException e) {
        return switch (e.reason()) {
            case UNREACHABLE, CREDENTIALS, SUBSCRIPTION, THROTTLED, TIMEOUT -> false;
            default -> true;
        };
    }

    /** Whether no answer came, from Azure or from where its tokens come from; the call may have been carried out. */
    static boolean isLost(Throwable thrown) {
        return response(thrown) == null && lost(thrown) != null;
    }

    private static @Nullable Throwable lost(Throwable thrown) {
        IOException io = find(thrown, IOException.class);
        return io != null ? io : find(thrown, TimeoutException.class);
    }

    /** An operation that Azure accepted and then failed. */
    static AzureException failed(String what, PollResult.@Nullable Error error) {
        if (error == null) {
            return of(Reason.OTHER, "", what, "Azure gives no reason", null);
        }
        JsonNode body = parse(error.getResponseBody());
        JsonNode inner = body.path("error").isObject() ? body.path("error") : body;
        String code = inner.path("code").asText("");
        String message = inner.path("message").asText(String.valueOf(error.getMessage()));
        return of(reason(0, code, message), code, what, message, null);
    }

    private static JsonNode parse(@Nullable String body) {
        try {
            return Json.MAPPER.readTree(body == null || body.isBlank() ? "{}" : body);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /** A failure that Azure reports in a status. */
    public static AzureException coded(String code, String what, String message) {
        return of(reason(0, code, message), code, what, message, null);
    }

    /** A refusal that has no code of Azure. */
    public static AzureException of(Reason reason, String what, String message) {
        return of(reason, "", what, message, null);
    }

    /**
     * A refusal.
     *
     * @param code Azure's own; empty for none
     * @param what what was being done
     */
    public static AzureException of(
            Reason reason, String code, String what, String message, @Nullable Throwable cause) {
        String coded = code.isEmpty() ? "" : code + ": ";
        String remedy = remedy(reason, message);
        return new AzureException(
                reason, code, what + ": " + coded + message + (remedy.isEmpty() ? "" : "; " + remedy), cause);
    }

    /** The remedy of a reason, with the names that Azure's message tells. */
    private static String remedy(Reason reason, String message) {
        Matcher namespace = NAMESPACE.matcher(message);
        if (reason == Reason.NOT_REGISTERED && namespace.find()) {
            return "run: az provider register --namespace " + namespace.group(1) + " --wait";
        }
        Matcher plan = PLAN.matcher(message);
        if (reason == Reason.TERMS && plan.find()) {
            return "accept the terms of the plan once for the subscription: az vm image terms accept --publisher "
                    + plan.group(1) + " --offer " + plan.group(2) + " --plan " + plan.group(4) + " --subscription "
                    + plan.group(3);
        }
        return reason.remedy();
    }

    /** The answer behind an exception, where there is one. */
    static @Nullable HttpResponse response(Throwable thrown) {
        HttpResponseException answered = find(thrown, HttpResponseException.class);
        return answered == null ? null : answered.getResponse();
    }

    private static Reason reason(int status, String code, String message) {
        Reason known = REASONS.get(code.toLowerCase(Locale.ROOT));
        if (known != null) {
            return known;
        }
        if (message.toLowerCase(Locale.ROOT).contains("quota")) {
            return Reason.QUOTA;
        }
        return ofStatus(status);
    }

    /** The reason for an HTTP status where the error code is not known. */
    public static Reason ofStatus(int status) {
        return switch (status) {
            case 401 -> Reason.CREDENTIALS;
            case 403 -> Reason.FORBIDDEN;
            case 404 -> Reason.NOT_FOUND;
            case 409, 412 -> Reason.CONFLICT;
            case 429 -> Reason.THROTTLED;
            default -> Reason.OTHER;
        };
    }

    /** The words of the SDK for a machine without any login name classes, and point at an exception that no message shows. */
    private static String login(String words) {
        return words.contains("DefaultAzureCredential") && !words.contains("AADSTS")
                ? "no login to Azure works (variables of the environment, managed identity, az login)"
                : words;
    }

    /** {@code azure-identity} is not always there, so its exceptions are known by name. */
    private static boolean isCredential(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at.getClass().getName().equals("com.azure.identity.CredentialUnavailableException")) {
                return true;
            }
        }
        return false;
    }

    private static <T extends Throwable> @Nullable T find(Throwable thrown, Class<T> type) {
        Throwable at = thrown;
        for (int depth = 0; at != null && depth < 16; depth++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            for (Throwable suppressed : at.getSuppressed()) {
                if (type.isInstance(suppressed)) {
                    return type.cast(suppressed);
                }
            }
            at = at.getCause();
        }
        return null;
    }

    private static String text(Throwable thrown) {
        return thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    }
}
