/** Pure generators of the files a Linux node needs. */
@NullMarked
package io.clusterwright.linux;

import org.jspecify.annotations.NullMarked;
