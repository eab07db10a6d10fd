/** Configuration files of the deployment script New-HPCIaaSCluster.ps1: schema, checks, repair, conversion from and to specs. */
@NullMarked
package io.clusterwright.windows.internal.iaas;

import org.jspecify.annotations.NullMarked;
