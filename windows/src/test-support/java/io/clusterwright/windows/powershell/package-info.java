/** Reads generated PowerShell with a grammar of the language, and knows its cmdlets. */
@NullMarked
package io.clusterwright.windows.powershell;

import org.jspecify.annotations.NullMarked;
