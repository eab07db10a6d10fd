package io.clusterwright.emulator.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.json.Json;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Hides secrets in what is recorded of requests and answers: values by their names, and keys and signatures inside of texts. */
final class SecretMask {
    static final String TEXT = "***";

    private static final Set<String> NAMES =
            Set.of(("password adminpassword encryptedpassword customdata userdata protectedsettings script"
                            + " scripts secrets secret sshprivatekey privatekey environmentsettings token accesstoken"
                            + " access_token refresh_token client_secret accountkey keyvalue accesssas sig")
                    .split(" "));
    private static final Set<String> HEADERS =
            Set.of(("authorization proxy-authorization cookie set-cookie x-ms-authorization-auxiliary"
                            + " ocp-apim-subscription-key")
                    .split(" "));
    private static final Pattern IN_URL =
            Pattern.compile("(?i)((?:[?&]|&amp;)(?:sig|token|access_token|client_secret|password|code)=)[^&\"'\\s<]*");
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(-----END [A-Z ]*PRIVATE KEY-----|\\z)");
    private static final Pattern XML_PROPERTY =
            Pattern.compile("(?i)(<Name>(?:Encrypted)?Password</Name>\\s*<Value>)[^<]*");
    private static final Pattern XML_ATTRIBUTE = Pattern.compile("(?i)(\\bpassword=\")[^\"]*");

    private SecretMask() {}

    static String header(String name, String value) {
        return HEADERS.contains(name.toLowerCase(Locale.ROOT)) ? TEXT : text(value);
    }

    static String parameter(String name, String value) {
        return isSecret(name) ? TEXT : text(value);
    }

    /** A text or URL without keys and signatures. */
    static String text(String text) {
        String masked = IN_URL.matcher(text).replaceAll("$1" + TEXT);
        masked = PEM.matcher(masked).replaceAll(TEXT);
        masked = XML_PROPERTY.matcher(masked).replaceAll("$1" + TEXT);
        return XML_ATTRIBUTE.matcher(masked).replaceAll("$1" + TEXT);
    }

    /** A copy of the tree, of the same shape, without secrets. */
    static JsonNode tree(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            ObjectNode masked = Json.object();
            JsonNode definitions = object.path("template").path("parameters");
            boolean pair = isSecret(object.path("Name").asText())
                    || isSecret(object.path("name").asText());
            object.properties().forEach(entry -> {
                String name = entry.getKey();
                boolean hidden = isSecret(name) || (pair && name.equalsIgnoreCase("value"));
                masked.set(
                        name,
                        hidden
                                ? all(entry.getValue())
                                : name.equals("parameters") && definitions.isObject()
                                        ? parameters(entry.getValue(), definitions)
                                        : tree(entry.getValue()));
            });
            return masked;
        }
        if (tree instanceof ArrayNode array) {
            ArrayNode masked = Json.array();
            array.forEach(each -> masked.add(tree(each)));
            return masked;
        }
        return tree.isTextual() ? TextNode.valueOf(text(tree.textValue())) : tree;
    }

    private static boolean isSecret(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    /** The values of a template's parameters, without those whose type is secure. */
    private static JsonNode parameters(JsonNode values, JsonNode definitions) {
        ObjectNode masked = Json.object();
        values.properties().forEach(entry -> {
            String type = definitions.path(entry.getKey()).path("type").asText().toLowerCase(Locale.ROOT);
            boolean hidden = type.startsWith("secure") || isSecret(entry.getKey());
            masked.set(entry.getKey(), hidden ? all(entry.getValue()) : tree(entry.getValue()));
        });
        return masked;
    }

    /** The same shape with every text hidden. */
    private static JsonNode all(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            ObjectNode masked = Json.object();
            object.properties().forEach(entry -> masked.set(entry.getKey(), all(entry.getValue())));
            return masked;
        }
        if (tree instanceof ArrayNode array) {
            ArrayNode masked = Json.array();
            array.forEach(each -> masked.add(all(each)));
            return masked;
        }
        return tree.isTextual() && !tree.textValue().isEmpty() ? TextNode.valueOf(TEXT) : tree;
    }
}
