package io.clusterwright.core.internal.json;

import io.clusterwright.core.type.HasJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON object in their order; a value that is not known adds none. */
public final class JsonFields extends LinkedHashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    /** An object with this field. */
    public static JsonFields of(String name, Object value) {
        return new JsonFields().and(name, value);
    }

    /** An object of these keys, each followed by its value. */
    public static JsonFields object(Object... keysAndValues) {
        JsonFields json = new JsonFields();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            json.and((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return json;
    }

    /** The fields of a value, to which more may be added. */
    public static JsonFields of(HasJson value) {
        return new JsonFields().with(value);
    }

    /** Adds the fields of a value. */
    public JsonFields with(HasJson value) {
        putAll(value.toMap());
        return this;
    }

    /** Adds a field, as {@link #plain} writes its value. */
    public JsonFields and(String name, Object value) {
        return andIf(true, name, value);
    }

    /** Adds a field where it says something. */
    public JsonFields andIf(boolean useful, String name, Object value) {
        Object plain = useful ? plain(value) : null;
        if (plain != null) {
            put(name, plain);
        }
        return this;
    }

    /**
     * Adds bytes as text, with U+FFFD for what is not UTF-8; bytes that are not UTF-8 are added to the byte as well, in base 64, as the
     * field whose name ends with {@code Base64}.
     */
    public JsonFields andBytes(String name, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return and(name, text)
                .andIf(
                        !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes),
                        name + "Base64",
                        Base64.getEncoder().encodeToString(bytes));
    }

    /** Values in one list. */
    public static <T> List<Object> list(Collection<T> values, Function<? super T, ?> form) {
        List<Object> list = new ArrayList<>(values.size());
        values.forEach(value -> list.add(form.apply(value)));
        return list;
    }

    /** The JSON on one line. */
    @Override
    public String toString() {
        return Json.write(this);
    }

    /** The form of a value that any JSON library writes; null for an empty optional. A value without a form of its own is its text. */
    private static @Nullable Object plain(Object value) {
        if (value instanceof Optional<?> known) {
            return known.isPresent() ? plain(known.get()) : null;
        } else if (value instanceof OptionalInt known) {
            return known.isPresent() ? known.getAsInt() : null;
        } else if (value instanceof HasJson known) {
            return known.toMap();
        } else if (value instanceof Collection<?> several) {
            return list(several, each -> plain(each));
        } else if (value instanceof Map<?, ?> fields) {
            JsonFields json = new JsonFields();
            fields.forEach((name, each) -> json.and(name.toString(), each));
            return json;
        }
        return value instanceof Number || value instanceof Boolean ? value : value.toString();
    }
}
