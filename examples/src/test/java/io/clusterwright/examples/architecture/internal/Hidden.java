package io.clusterwright.examples.architecture.internal;

/** Stands for an internal type in the tests of the rules themselves. */
public final class Hidden {}
