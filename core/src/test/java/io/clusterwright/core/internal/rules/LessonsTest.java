package io.clusterwright.core.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.SpecCheck;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What went wrong for others is found before anything is made: each file names its lesson and its code. */
class LessonsTest {
    static List<Path> lessons() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(LessonsTest.class.getResource("/lessons"))
                .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("lessons")
    void aLessonIsFoundByItsCode(Path lesson) throws IOException {
        String code = Files.readAllLines(lesson).get(0).replaceFirst(".*\\| ", "");
        assertThat(SpecCheck.offline(lesson).findings())
                .extracting(Finding::code)
                .contains(code);
    }

    @Test
    void thereAreLessonsOfAtLeastFifteenCodes() throws Exception {
        assertThat(lessons()).hasSizeGreaterThanOrEqualTo(15);
    }
}
