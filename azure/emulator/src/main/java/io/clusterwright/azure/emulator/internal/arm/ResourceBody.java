package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A resource, or the draft of one: an id, and a body that is read by paths of names joined by dots. */
public interface ResourceBody {
    ResourcePath id();

    ObjectNode body();

    default String name() {
        return id().name();
    }

    default ObjectNode properties() {
        return Bodies.properties(body());
    }

    default JsonNode at(String path) {
        return Bodies.at(body(), path);
    }

    /** The text at a path, or an empty one. */
    default String text(String path) {
        return Bodies.text(body(), path);
    }

    /** Whether there is a value at a path which is no empty text. */
    default boolean has(String path) {
        return Bodies.has(body(), path);
    }

    /** Whether the text at a path is this one, whatever its case. */
    default boolean is(String path, String text) {
        return Bodies.is(body(), path, text);
    }

    default boolean isTrue(String path) {
        return at(path).asBoolean();
    }

    /** The number at a path, or a default. */
    default int number(String path, int absent) {
        return at(path).asInt(absent);
    }

    /** The objects of the array at a path; empty when it is absent. */
    default List<ObjectNode> objects(String path) {
        return Bodies.objects(body(), path);
    }

    /** The object at a path, made where it is absent. */
    default ObjectNode make(String path) {
        return Bodies.make(body(), path);
    }

    /** The array at a path, made where it is absent. */
    default ArrayNode array(String path) {
        return Bodies.array(body(), path);
    }

    /** Sets the value at a path where there is none. */
    default void standard(String path, Object value) {
        Bodies.standard(body(), path, value);
    }
}
