package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.VmSize;

/**
 * Linux compute nodes of a cluster of HPC Pack. Use it to add them beside the Windows nodes.
 *
 * @see HpcPackSpec
 */
public final class HpcPackLinuxNodes extends SpecPart<HpcPackLinuxNodes.Builder> {
    static final Table<HpcPackLinuxNodes> FIELDS = new Table<>("linuxNodes", HpcPackLinuxNodes::new, Builder::new);
    private static final Field<Integer> COUNT = FIELDS.required(
            "count", SpecCodecs.integer("number of Linux nodes", 1, 1000, 2), "give the number of nodes, such as 2");
    private static final Field<VmSize> SIZE =
            FIELDS.required("size", SpecCodecs.SIZE, "give a size, such as Standard_A8");
    private static final Field<NamePattern> NAME_PATTERN = FIELDS.required(
            "namePattern",
            SpecCodecs.parsed("a name pattern", "HPCLN-%01%", NamePattern::of),
            "give the names, such as HPCLN-%01%");
    private static final Field<String> IMAGE = FIELDS.required(
            "image",
            SpecCodecs.form("an image", "microsoft-dsvm:ubuntu-hpc:2204:latest", Checks.PATH.as("Linux image")),
            "give an image: of the marketplace, such as microsoft-dsvm:ubuntu-hpc:2204:latest, or of the classic gallery");

    private HpcPackLinuxNodes(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The number of nodes, 1 to 1000. Required. */
    public int count() {
        return get(COUNT);
    }

    /** The size of a node. Required. */
    public VmSize size() {
        return get(SIZE);
    }

    /** The names of the nodes. Required. */
    public NamePattern namePattern() {
        return get(NAME_PATTERN);
    }

    /**
     * The image: of the marketplace for {@link HpcPackSpec.Scenario#RESOURCE_MANAGER}, a name of the classic gallery such as
     * {@code b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708} for {@link HpcPackSpec.Scenario#IAAS}. Required.
     */
    public String image() {
        return get(IMAGE);
    }

    /** Setters of the fields of {@link HpcPackLinuxNodes}. */
    public static final class Builder extends SpecPart.Builder<HpcPackLinuxNodes, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder count(int count) {
            return set(COUNT, count);
        }

        public Builder size(VmSize size) {
            return set(SIZE, size);
        }

        public Builder size(String size) {
            return parse(SIZE, size);
        }

        public Builder namePattern(String namePattern) {
            return parse(NAME_PATTERN, namePattern);
        }

        public Builder image(String image) {
            return set(IMAGE, image);
        }
    }
}
