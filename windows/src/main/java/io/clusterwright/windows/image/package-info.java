/** What is done to a Windows machine before it is captured as an image: a script, and the extension that runs it. */
@NullMarked
package io.clusterwright.windows.image;

import org.jspecify.annotations.NullMarked;
