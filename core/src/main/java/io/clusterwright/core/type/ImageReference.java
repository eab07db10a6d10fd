package io.clusterwright.core.type;

import java.util.Objects;

/**
 * A reference to the image that machines start from. Use it as {@code image.base} of a spec.
 *
 * @see io.clusterwright.core.catalog.Images
 */
public sealed interface ImageReference {

    /**
     * Reads a reference.
     *
     * @param text {@code auto}, {@code publisher:offer:sku:version}, the name of a classic image, {@code local:NAME}, {@code file:PATH},
     *     or the resource id of an image or of a gallery's image
     * @throws InvalidValueException when it is none of these
     */
    static ImageReference of(String text) {
        if (text.equals("auto")) {
            return new Auto();
        }
        if (text.startsWith("/")) {
            return new ResourceId(text);
        }
        if (Classic.SYNTAX.pattern().matcher(text).matches()) {
            return new Classic(text);
        }
        if (text.startsWith("file:")) {
            return new SystemFile(text.substring("file:".length()));
        }
        String[] parts = text.split(":", -1);
        if (parts.length == 2 && parts[0].equals("local")) {
            return new Local(parts[1]);
        }
        if (parts.length == 4) {
            return new Marketplace(parts[0], parts[1], parts[2], parts[3]);
        }
        if (parts.length == 3) {
            Marketplace latest = new Marketplace(parts[0], parts[1], parts[2], "latest");
            throw new InvalidValueException(
                    "image", text, "publisher:offer:sku:version; the version is missing", latest.toString());
        }
        throw new InvalidValueException(
                "image",
                text,
                "auto, publisher:offer:sku:version, the name of a classic image, local:NAME, file:PATH or a resource id that"
                        + " starts with /subscriptions/",
                "microsoft-dsvm:ubuntu-hpc:2204:latest");
    }

    /** The image that suits the size of the nodes. */
    record Auto() implements ImageReference {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /**
     * An image of the marketplace.
     *
     * @param publisher who offers it
     * @param offer the product
     * @param sku the edition
     * @param version a version such as {@code 22.04.2024010901}, or {@code latest}
     */
    record Marketplace(String publisher, String offer, String sku, String version) implements ImageReference {
        private static final Syntax SYNTAX = Syntax.of(
                "marketplace image",
                "[A-Za-z0-9._-]{1,128}(:[A-Za-z0-9._-]{1,128}){2}:(latest|[0-9]{1,10}(\\.[0-9]{1,10}){0,3})",
                "publisher:offer:sku:version of letters, digits, '.', '_' or '-', with a version of numbers and dots, or latest",
                "microsoft-dsvm:ubuntu-hpc:2204:latest");

        /**
         * Checks the parts.
         *
         * @throws InvalidValueException when one is not as described
         */
        public Marketplace {
            Objects.requireNonNull(publisher, "publisher");
            Objects.requireNonNull(offer, "offer");
            Objects.requireNonNull(sku, "sku");
            Objects.requireNonNull(version, "version");
            SYNTAX.require(String.join(":", publisher, offer, sku, version));
        }

        /** Whether the version is whatever is newest when a machine is made, so that two machines may differ. */
        public boolean isLatest() {
            return version.equals("latest");
        }

        @Override
        public String toString() {
            return String.join(":", publisher, offer, sku, version);
        }
    }

    /**
     * An image of the classic deployment model, as old articles and scripts name it. Azure boots no such image today; the catalog of
     * images knows the images of the marketplace with the same content.
     *
     * @param name its whole name, such as {@code b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708}
     */
    record Classic(String name) implements ImageReference {
        private static final Syntax SYNTAX = Syntax.of(
                "classic image",
                "[0-9A-Fa-f]{32}__[A-Za-z0-9._-]{1,200}",
                "32 hexadecimal digits, two '_', and a name of letters, digits, '.', '_' or '-'",
                "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708");

        /**
         * Checks the name.
         *
         * @throws InvalidValueException when it is not as described
         */
        public Classic {
            SYNTAX.require(Objects.requireNonNull(name, "name"));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * An image captured on this machine.
     *
     * @param name 1 to 64 letters, digits, '.', '_' or '-', starting with a letter or digit
     */
    record Local(String name) implements ImageReference {
        private static final Syntax SYNTAX = Syntax.of(
                "local image",
                "local:[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                "local: and a name of 1 to 64 letters, digits, '.', '_' or '-', starting with a letter or digit",
                "local:solver-1.2");

        /**
         * Checks the name.
         *
         * @throws InvalidValueException when it is not as described
         */
        public Local {
            SYNTAX.require("local:" + Objects.requireNonNull(name, "name"));
        }

        @Override
        public String toString() {
            return "local:" + name;
        }
    }

    /**
     * A Linux system in a folder or in a tar archive of this machine, for local nodes.
     *
     * @param path absolute, or relative to the folder of the spec
     */
    record SystemFile(String path) implements ImageReference {
        private static final Syntax SYNTAX = Syntax.of(
                "path of a system",
                "file:[A-Za-z0-9._/+@-]{1,4000}",
                "file: and a path of letters, digits or . _ / + @ -",
                "file:/srv/trixie");

        /**
         * Checks the path.
         *
         * @throws InvalidValueException when it is not as described
         */
        public SystemFile {
            SYNTAX.require("file:" + Objects.requireNonNull(path, "path"));
        }

        @Override
        public String toString() {
            return "file:" + path;
        }
    }

    /**
     * A managed image or an image of a compute gallery.
     *
     * @param id its complete resource id
     */
    record ResourceId(String id) implements ImageReference {
        private static final Syntax SYNTAX = Syntax.of(
                "image resource id",
                "(?i)/subscriptions/[^/\\s]+/resourceGroups/[^/\\s]+/providers/Microsoft\\.Compute/"
                        + "(images/[^/\\s]+|galleries/[^/\\s]+/images/[^/\\s]+(/versions/[^/\\s]+)?)",
                "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Compute/ and images/NAME"
                        + " or galleries/GALLERY/images/NAME/versions/VERSION",
                "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/cluster-rg"
                        + "/providers/Microsoft.Compute/images/solver");

        /**
         * Checks the id.
         *
         * @throws InvalidValueException when it is not as described
         */
        public ResourceId {
            SYNTAX.require(id);
        }

        @Override
        public String toString() {
            return id;
        }
    }
}
