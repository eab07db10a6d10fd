/** The HTTP kit of our emulated services. Not part of the API. */
@NullMarked
package io.clusterwright.core.internal.http;

import org.jspecify.annotations.NullMarked;
