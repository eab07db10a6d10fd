/** HPC Pack 2019 by Resource Manager: a template of its own, parameters for Microsoft's templates, and the certificate that nodes talk with. */
@NullMarked
package io.clusterwright.windows.resourcemanager;

import org.jspecify.annotations.NullMarked;
