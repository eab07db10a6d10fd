/** How a description is read from and written to text: located trees, codecs, and the table of a record's fields. */
@NullMarked
package io.clusterwright.core.internal.spec;

import org.jspecify.annotations.NullMarked;
