/** Requests to a head node, and the words of each generation of its interface. */
@NullMarked
package io.clusterwright.windows.internal.rest;

import org.jspecify.annotations.NullMarked;
