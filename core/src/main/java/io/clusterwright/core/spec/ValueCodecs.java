package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codec;
import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.Location;
import io.clusterwright.core.internal.spec.Reading;
import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.SourceNode;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.VmSize;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Codecs of values that several parts of a description have. */
final class ValueCodecs {
    static final Codec<VmSize> SIZE = Codecs.parsed("a size", "Standard_HB120rs_v3", VmSize::parse);
    static final Codec<AddressRange> RANGE = Codecs.parsed("an address range", "10.32.0.0/16", AddressRange::parse);
    static final Codec<Ipv4Address> ADDRESS = Codecs.parsed("an IPv4 address", "10.32.0.11", Ipv4Address::parse);
    static final Codec<SecretReference> SECRET = new SecretCodec();
    static final Codec<SpecOverlay> OVERLAY = new OverlayCodec();

    private ValueCodecs() {}

    static Optional<Integer> boxed(OptionalInt value) {
        return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
    }

    /** A secret is written as {@code {secret: env:NAME}}; what stands in its place is never repeated in a message. */
    private static final class SecretCodec implements Codec<SecretReference> {
        private static final String NAME = "secret";

        @Override
        public @Nullable SecretReference read(SourceNode node, String path, Reading reading) {
            if (node instanceof SourceNode.Mapping mapping
                    && mapping.entries().size() == 1
                    && mapping.get(NAME) instanceof SourceNode.Scalar scalar) {
                try {
                    return SecretReference.parse(scalar.text());
                } catch (InvalidValueException e) {
                    reading.report(
                            scalar, path, "the reference to the secret is not of its form", "give " + expected());
                    return null;
                }
            }
            reading.report(node, path, "a secret is given by reference, never as its value", "give " + expected());
            return null;
        }

        @Override
        public SourceNode write(SecretReference value, boolean full) {
            SourceNode text = SourceNode.Scalar.text(value.toString());
            return new SourceNode.Mapping(Map.of(NAME, SourceNode.Entry.of(text)), Location.NONE);
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            Map<String, Object> reference =
                    Schemas.of("description", "never the value itself", "type", "string", "pattern", "^(env|file):");
            Map<String, Object> schema = Schemas.group(Map.of(NAME, reference), List.of(NAME));
            schema.put("description", expected());
            return schema;
        }

        @Override
        public String expected() {
            return "where the secret is kept, for example {secret: env:CW_PASSWORD} or {secret: file:./password}";
        }
    }

    /** An overlay is checked field by field when it is read, and as a whole when the cluster is built. */
    private static final class OverlayCodec implements Codec<SpecOverlay> {
        @Override
        public @Nullable SpecOverlay read(SourceNode node, String path, Reading reading) {
            int before = reading.count();
            ClusterCodec.CODEC.check(node, path, reading);
            return reading.count() == before && node instanceof SourceNode.Mapping tree ? new SpecOverlay(tree) : null;
        }

        @Override
        public SourceNode write(SpecOverlay value, boolean full) {
            return value.tree();
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return partial
                    ? Schemas.of("description", "an overlay cannot hold overlays", "not", Map.of())
                    : Schemas.of("$ref", Schemas.OVERLAY);
        }

        @Override
        public String expected() {
            return "part of a cluster spec, for example {nodes: {count: 4}}";
        }
    }
}
