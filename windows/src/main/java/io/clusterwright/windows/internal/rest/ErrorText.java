package io.clusterwright.windows.internal.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.windows.hpcpack.HpcPackException;
import io.clusterwright.windows.hpcpack.HpcPackLoginException;
import io.clusterwright.windows.hpcpack.HpcPackNotFoundException;
import io.clusterwright.windows.hpcpack.HpcPackRefusedException;
import io.clusterwright.windows.hpcpack.HpcPackUnavailableException;
import java.net.URI;

/** What an answer that is no success says, and the exception it becomes. */
final class ErrorText {
    private static final int LONGEST = 500;

    private ErrorText() {}

    static HpcPackException of(Request request, Answer answer, URI headNode) {
        String said = message(answer.body());
        String text = "could not " + request.what() + " at " + headNode + ": answered " + answer.status()
                + (said.isEmpty() ? "" : ", \"" + said + "\"");
        return switch (answer.status()) {
            case 401 ->
                new HpcPackLoginException(text
                        + "; check user (DOMAIN\\user or user@domain of the cluster's own domain: users of other domains"
                        + " cannot log in here), password or token");
            case 403 ->
                new HpcPackLoginException(text
                        + "; this user may not do that: ask an administrator of the cluster for the role it needs");
            case 404 -> new HpcPackNotFoundException(text + "; check the number or name");
            default ->
                answer.status() >= 500
                        ? new HpcPackUnavailableException(
                                text + "; look at the head node's services and event log", null)
                        : new HpcPackRefusedException(text, answer.status());
        };
    }

    /** The message in an error body, which is a text, or JSON or XML with a {@code Message}. */
    static String message(String body) {
        String text = body.strip();
        if (text.startsWith("<")) {
            text = XmlText.message(text);
        } else if (text.startsWith("{") || text.startsWith("\"")) {
            text = fromJson(text);
        }
        String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    private static String fromJson(String text) {
        try {
            JsonNode tree = JsonText.MAPPER.readTree(text);
            return tree.isTextual()
                    ? tree.textValue()
                    : tree.path("Message").asText(tree.path("message").asText(text));
        } catch (JsonProcessingException e) {
            return text;
        }
    }
}
