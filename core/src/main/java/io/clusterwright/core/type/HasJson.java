package io.clusterwright.core.type;

import com.fasterxml.jackson.annotation.JsonValue;
import io.clusterwright.core.internal.json.Json;
import java.util.Map;

/**
 * A value with a JSON form, which is the JSON that the program prints for it with {@code --json}. Use {@link #toJson} to store or send a
 * value; Jackson, and so Spring, writes the same fields by itself.
 *
 * <pre>{@code
 * String json = plan.toJson();
 * Map<String, Object> fields = plan.toMap();
 * }</pre>
 *
 * <p>The names of the fields do not change within a major version; new fields may come.
 */
public interface HasJson {
    /**
     * The fields in their order, as the texts, numbers, booleans, lists and maps that any JSON library writes; unknown values are absent.
     * A new map at each call; copy it to add fields.
     */
    @JsonValue
    Map<String, Object> toMap();

    /** The JSON object, indented by two spaces, with {@code \n} between lines and none at the end. */
    default String toJson() {
        return Json.indented(toMap());
    }
}
