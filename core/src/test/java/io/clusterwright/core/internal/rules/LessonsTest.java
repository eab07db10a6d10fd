package io.clusterwright.core.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    void findsEveryLessonByItsCode(Path lesson) throws IOException {
        assertThat(findings(lesson)).extracting(Finding::code).contains(code(lesson));
    }

    @Test
    void refusesAtLeastFifteenLessons() throws Exception {
        List<String> refused = new ArrayList<>();
        for (Path lesson : lessons()) {
            String code = code(lesson);
            if (findings(lesson).stream().anyMatch(finding -> finding.code().equals(code) && finding.isError())) {
                refused.add(lesson.getFileName().toString());
            }
        }
        assertThat(refused).hasSizeGreaterThanOrEqualTo(15);
    }

    private static String code(Path lesson) throws IOException {
        return Files.readAllLines(lesson).get(0).replaceFirst(".*\\| ", "");
    }

    private static List<Finding> findings(Path lesson) {
        try {
            return Planner.check(SpecReader.read(lesson));
        } catch (InvalidSpecException e) {
            return Planner.findings(e);
        }
    }
}
