package io.clusterwright.examples.javadoc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Keeps what an example prints: it calls {@code show} here, and {@code System.out.println} in the Javadoc. */
abstract class Snippets {
    private final List<Object> shown = new ArrayList<>();

    final void show(Object value) {
        shown.add(value);
    }

    /** The shown values, one a line. */
    final String shown() {
        return shown.stream().map(String::valueOf).collect(Collectors.joining("\n"));
    }
}
