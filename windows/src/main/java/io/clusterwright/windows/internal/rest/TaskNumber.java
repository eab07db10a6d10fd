package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.Properties;

/** The number of a task in its job. */
final class TaskNumber {
    private TaskNumber() {}

    /** That of {@code 19.1}, or of the instance {@code 19.1.3}; 0 when it was not sent. */
    static int of(Properties row) {
        String[] parts = row.text("TaskId").strip().split("\\.");
        String number = parts.length > 1 ? parts[1] : parts[0];
        return number.matches("\\d{1,9}") ? Integer.parseInt(number) : 0;
    }
}
