package io.clusterwright.core.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.HasJson;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A service that returns values of the library sends the fields that the program prints. */
class JsonFormsTest {
    private static final ObjectMapper USERS = new ObjectMapper();

    @Test
    void jacksonWritesTheSameFieldsAsToJson() throws Exception {
        int tried = 0;
        for (Class<?> type : PublicTypes.all()) {
            for (Object sample : HasJson.class.isAssignableFrom(type) ? Samples.of(type) : List.of()) {
                HasJson value = (HasJson) sample;
                JsonNode written = USERS.readTree(USERS.writeValueAsString(value));
                assertThat(written).as(type.getSimpleName()).isEqualTo(USERS.readTree(value.toJson()));
                assertThat(written.fieldNames())
                        .toIterable()
                        .containsExactlyElementsOf(value.toMap().keySet());
                plain(value.toMap());
                tried++;
            }
        }
        assertThat(tried).isGreaterThan(50);
    }

    @Test
    void aListOfFindingsIsNotAListOfFlags() throws Exception {
        Finding finding = (Finding) Samples.of(Finding.class).get(0);

        JsonNode written = USERS.valueToTree(List.of(finding)).get(0);

        assertThat(written.get("code").asText()).isEqualTo(finding.code());
        assertThat(written.get("remedy").asText()).isEqualTo(finding.remedy());
    }

    /** Refuses whatever a JSON library would have to know a class of ours for. */
    private static void plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            assertThat(map.keySet()).allMatch(String.class::isInstance);
            map.values().forEach(JsonFormsTest::plain);
        } else if (value instanceof List<?> list) {
            list.forEach(JsonFormsTest::plain);
        } else {
            assertThat(Stream.of(String.class, Number.class, Boolean.class)).anyMatch(known -> known.isInstance(value));
        }
    }
}
