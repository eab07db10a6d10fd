package io.clusterwright.mpi.check;

import java.util.Locale;

/**
 * The colours of a heat map, light for good and dark for bad: they differ in lightness throughout, so that they can be told apart
 * without telling hues apart and in a print without colour.
 */
final class Palette {
    private static final int[][] STOPS = {
        {255, 247, 236},
        {254, 232, 200},
        {253, 212, 158},
        {253, 187, 132},
        {252, 141, 89},
        {227, 91, 69},
        {190, 36, 40},
        {127, 12, 30},
        {64, 5, 30}
    };

    private Palette() {}

    /** The colour of a badness from 0 to 1. */
    static String colour(double badness) {
        int[] rgb = rgb(badness);
        return String.format(Locale.ROOT, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    }

    /** Black or white, whichever is easier to read on that colour. */
    static String ink(double badness) {
        int[] rgb = rgb(badness);
        return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 140 ? "#111111" : "#ffffff";
    }

    private static int[] rgb(double badness) {
        double place = Math.min(1, Math.max(0, badness)) * (STOPS.length - 1);
        int low = Math.min(STOPS.length - 2, (int) place);
        double rest = place - low;
        int[] rgb = new int[3];
        for (int i = 0; i < 3; i++) {
            rgb[i] = (int) Math.round(STOPS[low][i] + rest * (STOPS[low + 1][i] - STOPS[low][i]));
        }
        return rgb;
    }
}
