/** Makes the files of Windows clusters. */
@NullMarked
package io.clusterwright.windows.internal.render;

import org.jspecify.annotations.NullMarked;
