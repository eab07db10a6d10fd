/**
 * Deployment of HPC Pack: burst to Azure, the IaaS script, and the Resource Manager template.
 *
 * <p>Start with {@link HpcPackTemplate}, which makes the template from a spec.
 */
@NullMarked
package io.clusterwright.windows.deploy;

import org.jspecify.annotations.NullMarked;
