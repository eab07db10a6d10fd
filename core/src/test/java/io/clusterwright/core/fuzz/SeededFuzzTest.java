package io.clusterwright.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same promises as the coverage-guided run, over mutations that each seed decides. */
class SeededFuzzTest {
    private static final long FIRST_SEED = 1;
    private static final int SPECS = 2_000;
    private static final int TEXTS = Boolean.getBoolean("clusterwright.soak") ? 20_000 : 10_000;
    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final String LETTERS = "aZ09.-_/@*:%[](){},\"'\\ \t\n#&!|>~^$=+\u0000\u007f\u00e9\u0661\ud83d\ufeff";
    private static final List<String> TEXTS_OF_TYPES = List.of(
            "10.32.0.0/16",
            "180 Gb/s",
            "2.5us",
            "0644",
            "cluster[11-14,17]",
            "HPCCN-%0001%",
            "22-1024",
            "env:CW",
            "@hpc",
            "unlimited",
            "publisher:offer:sku:latest",
            "Standard_A9",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5",
            "infiniband");

    @Test
    void mutatedSpecsAreAcceptedOrRefusedWithARemedy() throws IOException {
        mutate(specs(), SPECS, FuzzTargets::spec);
    }

    @Test
    void typesAcceptOrRefuseAnyTextWithARemedy() {
        mutate(TEXTS_OF_TYPES, TEXTS, FuzzTargets::types);
    }

    @ParameterizedTest
    @MethodSource("found")
    void earlierFindingsStayFixed(Path input) throws IOException {
        String text = new String(Files.readAllBytes(input), java.nio.charset.StandardCharsets.UTF_8);
        FuzzTargets.spec(text);
        FuzzTargets.types(text);
    }

    @Test
    void triesEveryTypeThatIsMadeOfText() throws IOException {
        List<String> parsing = new ArrayList<>();
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/clusterwright/core/type"))) {
            sources.map(source -> source.getFileName().toString().replace(".java", ""))
                    // A secret is any text.
                    .filter(name -> !name.contains("-") && !name.equals("Secret"))
                    .filter(SeededFuzzTest::isMadeOfText)
                    .forEach(parsing::add);
        }
        assertThat(FuzzTargets.TYPES.keySet()).containsExactlyInAnyOrderElementsOf(parsing);
    }

    private static boolean isMadeOfText(String name) {
        try {
            return Arrays.stream(
                            Class.forName("io.clusterwright.core.type." + name).getMethods())
                    .anyMatch(method -> List.of("of", "expand").contains(method.getName())
                            && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class})
                            && Modifier.isStatic(method.getModifiers()));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void mutate(List<String> texts, int count, Consumer<String> target) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder(texts.get(random.nextInt(texts.size())));
            for (int i = random.nextInt(6); i >= 0; i--) {
                mutate(text, texts, random);
            }
            try {
                target.accept(text.toString());
            } catch (RuntimeException | AssertionError | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ":\n" + text, e);
            }
        }
    }

    private static void mutate(StringBuilder text, List<String> texts, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(12));
        String other = texts.get(random.nextInt(texts.size()));
        int from = other.isEmpty() ? 0 : random.nextInt(other.length());
        switch (random.nextInt(6)) {
            case 0 -> text.insert(at, LETTERS.charAt(random.nextInt(LETTERS.length())));
            case 1 -> text.delete(at, end);
            case 2 -> text.replace(at, Math.min(text.length(), at + 1), Integer.toString(random.nextInt()));
            case 3 -> text.insert(at, other, from, Math.min(other.length(), from + 30));
            case 4 -> text.insert(at, text.substring(at, end));
            default -> text.insert(at, Long.toString(random.nextLong()).repeat(3));
        }
    }

    private static List<String> specs() throws IOException {
        List<String> specs = new ArrayList<>();
        for (String folder : List.of("lessons", "io/clusterwright/core/spec")) {
            for (Path file : files(RESOURCES.resolve(folder))) {
                specs.add(Files.readString(file));
            }
        }
        assertThat(specs).hasSizeGreaterThan(10);
        return specs;
    }

    private static List<Path> found() throws IOException {
        return files(RESOURCES.resolve("fuzz"));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
