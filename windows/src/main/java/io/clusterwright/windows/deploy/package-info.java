/** Deployment of HPC Pack: burst to Azure, the IaaS script, and the Resource Manager template. */
@NullMarked
package io.clusterwright.windows.deploy;

import org.jspecify.annotations.NullMarked;
