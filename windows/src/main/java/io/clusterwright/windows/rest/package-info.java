/**
 * The REST interfaces of an HPC Pack head node, from any system with Java: {@code /hpc} of HPC Pack 2016 and 2019, and
 * {@code /WindowsHPC} of HPC Pack 2012.
 *
 * <p>Facts are from Microsoft's published description of the 2019 interface and from its samples for the older ones; what each
 * generation can do, and what is not proven, is in {@code docs/hpc-pack-rest.md}.
 */
@NullMarked
package io.clusterwright.windows.rest;

import org.jspecify.annotations.NullMarked;
