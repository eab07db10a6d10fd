package io.clusterwright.mpi.internal.output;

/**
 * A line of output.
 *
 * @param number counted from 1
 * @param text without its line break
 * @param complete whether a line break ended it; when not, its end may be missing
 */
public record Line(int number, String text, boolean complete) {}
