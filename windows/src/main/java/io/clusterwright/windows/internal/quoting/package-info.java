/**
 * Text for the layers that a Windows command passes: the arguments of a program, {@code cmd.exe}, HPC Pack's own command line, and
 * PowerShell. Each layer has one class; where a command passes several, the innermost is applied first.
 */
@NullMarked
package io.clusterwright.windows.internal.quoting;

import org.jspecify.annotations.NullMarked;

