/** Files made from a description, for people who carry it out with tools of their own. */
@NullMarked
package io.clusterwright.core.render;

import org.jspecify.annotations.NullMarked;
