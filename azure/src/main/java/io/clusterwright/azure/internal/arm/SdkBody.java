package io.clusterwright.azure.internal.arm;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;

/** Turns a resource into the SDK's class of its type, such as {@code VirtualMachineInner}. */
@FunctionalInterface
public interface SdkBody<T> {
    /** Reads JSON: the static method {@code fromJson} of the SDK's class. */
    T read(JsonReader reader) throws IOException;

    /** The body of the request that creates a resource. */
    static <T> T of(ArmResource resource, SdkBody<T> type) {
        try (JsonReader reader = JsonProviders.createReader(Json.write(resource.request()))) {
            return type.read(reader);
        } catch (IOException e) {
            throw new IllegalStateException("the SDK does not read " + resource.type(), e);
        }
    }
}
