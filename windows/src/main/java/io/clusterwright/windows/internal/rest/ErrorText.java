package io.clusterwright.windows.internal.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.windows.hpcpack.HpcPackException;
import java.net.URI;

/** Maps answers that are no success to exceptions. */
final class ErrorText {
    private static final int LONGEST = 500;

    private ErrorText() {}

    static HpcPackException of(HeadNodeRequest request, HeadNodeHttp.Answer answer, URI headNode) {
        String said = message(answer.body());
        String text = "could not " + request.what + " at " + headNode + ": answered " + answer.status()
                + (said.isEmpty() ? "" : ", \"" + said + "\"");
        return switch (answer.status()) {
            case 401 ->
                new HpcPackException.LoginRefused(text
                        + "; check user (DOMAIN\\user or user@domain of the cluster's own domain: users of other domains"
                        + " cannot log in here), password or token");
            case 403 ->
                new HpcPackException.LoginRefused(
                        text + "; this user needs another role: ask an administrator of the cluster");
            case 404 -> new HpcPackException.NotFound(text + "; check the number or name");
            default ->
                answer.status() >= 500
                        ? new HpcPackException.Unavailable(
                                text + "; check the head node's services and event log", null)
                        : new HpcPackException.Refused(text);
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
        String line =
                text.replaceAll("[" + PrintableText.CONTROL + "\\s]+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    private static String fromJson(String text) {
        try {
            JsonNode tree = Json.MAPPER.readTree(text);
            return tree.isTextual()
                    ? tree.textValue()
                    : tree.path("Message").asText(tree.path("message").asText(text));
        } catch (JsonProcessingException e) {
            return text;
        }
    }
}
