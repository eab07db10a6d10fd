package io.clusterwright.windows.classic.internal.script;

import java.util.ArrayList;
import java.util.List;

/**
 * The hours of burst nodes, at which two scheduled tasks of the head node run the script again.
 *
 * @param days the days, as {@code Monday}
 * @param start the time of the start, such as {@code 08:00}
 * @param stop the time of the stop
 */
record BurstSchedule(List<String> days, String start, String stop) {
    private static final List<String> WEEK =
            List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");

    BurstSchedule {
        days = List.copyOf(days);
    }

    /** Of hours such as {@code mon-wed,fri 08:00-18:00}. */
    static BurstSchedule of(String hours) {
        String[] parts = hours.split("[ ]");
        String[] times = parts[1].split("-");
        boolean[] chosen = new boolean[WEEK.size()];
        for (String range : parts[0].split(",")) {
            String[] ends = range.split("-");
            int day = day(ends[0]);
            int last = day(ends[ends.length - 1]);
            chosen[day] = true;
            while (day != last) {
                day = (day + 1) % WEEK.size();
                chosen[day] = true;
            }
        }
        List<String> days = new ArrayList<>();
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i]) {
                days.add(WEEK.get(i));
            }
        }
        return new BurstSchedule(days, times[0], times[1]);
    }

    private static int day(String name) {
        for (int i = 0; i < WEEK.size(); i++) {
            if (WEEK.get(i).toLowerCase(java.util.Locale.ROOT).startsWith(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** The days and times, for people. */
    @Override
    public String toString() {
        return "from " + start + " to " + stop + " on " + String.join(", ", days);
    }
}
