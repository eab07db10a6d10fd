/** Writes PowerShell scripts. */
@NullMarked
package io.clusterwright.windows.internal.powershell;

import org.jspecify.annotations.NullMarked;
