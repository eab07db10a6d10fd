package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.spec.RecordCodec;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Text, builders and accessors share one vocabulary. */
class VocabularyTest {
    @ParameterizedTest
    @MethodSource("records")
    void everyNameOfTheTextIsOneOfTheRecordAndItsBuilder(Class<?> record, Class<?> builder, RecordCodec<?, ?> codec) {
        assertThat(names(record)).containsAll(codec.names());
        assertThat(names(builder)).containsAll(codec.names());
    }

    private static Stream<Arguments> records() {
        return Stream.of(
                Arguments.of(ClusterSpec.class, ClusterSpec.Builder.class, ClusterCodec.CODEC),
                Arguments.of(NodeGroup.class, NodeGroup.Builder.class, NodeCodecs.NODES),
                Arguments.of(SpotSpec.class, SpotSpec.Builder.class, NodeCodecs.SPOT),
                Arguments.of(HeadNode.class, HeadNode.Builder.class, NodeCodecs.HEAD),
                Arguments.of(NetworkSpec.class, NetworkSpec.Builder.class, NetworkCodecs.NETWORK),
                Arguments.of(SubnetSpec.class, SubnetSpec.Builder.class, NetworkCodecs.SUBNET),
                Arguments.of(SshAccess.class, SshAccess.Builder.class, NetworkCodecs.ACCESS),
                Arguments.of(Placement.class, Placement.Builder.class, NetworkCodecs.PLACEMENT),
                Arguments.of(ImageSpec.class, ImageSpec.Builder.class, ImageCodecs.IMAGE),
                Arguments.of(MpiInstall.class, MpiInstall.Builder.class, MpiCodecs.INSTALL),
                Arguments.of(MpiSettings.class, MpiSettings.Builder.class, MpiCodecs.SETTINGS),
                Arguments.of(Verification.class, Verification.Builder.class, MpiCodecs.VERIFY),
                Arguments.of(HpcPackSpec.class, HpcPackSpec.Builder.class, HpcPackCodecs.HPC_PACK));
    }

    private static Stream<String> names(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).map(Method::getName);
    }
}
