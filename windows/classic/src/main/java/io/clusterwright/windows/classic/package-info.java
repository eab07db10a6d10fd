/**
 * The configuration of HPC Pack's deployment script for classic machines.
 *
 * <p>Start with {@link IaasConfiguration}. Azure retired classic machines: use this package to read, check and
 * convert old files.
 */
@NullMarked
package io.clusterwright.windows.classic;

import org.jspecify.annotations.NullMarked;
