package io.clusterwright.azure.emulator.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spi.MachineProvider;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EmulatedMachinesTest {
    /** A method with a default that is not passed on would work for every provider but this one. */
    @Test
    void passesOnEveryMethodOfAProvider() {
        List<String> own = Stream.of(EmulatedMachines.class.getDeclaredMethods())
                .map(EmulatedMachinesTest::signature)
                .toList();

        assertThat(Stream.of(MachineProvider.class.getDeclaredMethods())
                        .filter(method ->
                                Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())))
                .isNotEmpty()
                .allSatisfy(method -> assertThat(own).contains(signature(method)));
    }

    private static String signature(Method method) {
        return method.getName() + List.of(method.getParameterTypes());
    }
}
