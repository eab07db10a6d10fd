/**
 * Images and extensions of Windows nodes.
 *
 * <p>Start with {@link WindowsImageScript} for the setup of a machine, and {@link CustomScriptExtension} to run it on Azure.
 */
@NullMarked
package io.clusterwright.windows;

import org.jspecify.annotations.NullMarked;
