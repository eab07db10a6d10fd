/** HPC Pack in classic virtual machines: the file that describes a deployment, the command that runs it, and the life of its nodes. */
@NullMarked
package io.clusterwright.windows.iaas;

import org.jspecify.annotations.NullMarked;
