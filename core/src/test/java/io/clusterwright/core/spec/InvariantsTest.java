package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.spec.HpcPackResourceManager.HpcPackCertificate;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDomain;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.UserName;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No public way to make or change a description or a value takes null, and none lends out what can be changed. */
class InvariantsTest {
    private static final List<String> PACKAGES = List.of("type", "spec");

    @Test
    void everySetterNamesTheNullArgument() throws Exception {
        List<String> holes = new ArrayList<>();
        int tried = 0;
        for (Class<?> type : types()) {
            for (Constructor<?> constructor : type.getConstructors()) {
                if (type.isRecord() || constructor.getParameterCount() == 1) {
                    tried += refusal(type, constructor, arguments -> constructor.newInstance(arguments), holes);
                }
            }
            for (Method method : type.getMethods()) {
                if (method.getDeclaringClass() == type && !method.isBridge() && method.getParameterCount() == 1) {
                    boolean isStatic = Modifier.isStatic(method.getModifiers());
                    if (isStatic && !type.isEnum()) {
                        tried += refusal(type, method, arguments -> method.invoke(null, arguments), holes);
                    } else if (type.getSimpleName().equals("Builder")) {
                        Object builder = builder(type);
                        tried += refusal(type, method, arguments -> method.invoke(builder, arguments), holes);
                    }
                }
            }
        }
        assertThat(tried).isGreaterThan(150);
        assertThat(holes).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("values")
    void recordsRefuseNull(Record whole) throws Exception {
        RecordComponent[] parts = whole.getClass().getRecordComponents();
        Class<?>[] kinds = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Constructor<?> constructor = whole.getClass().getDeclaredConstructor(kinds);
        for (int i = 0; i < parts.length; i++) {
            if (kinds[i].isPrimitive()) {
                continue;
            }
            Object[] arguments = new Object[parts.length];
            for (int k = 0; k < parts.length; k++) {
                arguments[k] = k == i ? null : parts[k].getAccessor().invoke(whole);
            }
            assertThatThrownBy(() -> constructor.newInstance(arguments))
                    .as("%s of %s", parts[i].getName(), whole.getClass().getSimpleName())
                    .hasCauseInstanceOf(NullPointerException.class);
        }
    }

    private static Stream<Record> values() {
        HpcPackCertificate certificate = new HpcPackCertificate("hpc1-kv", "communication");
        return Stream.of(
                new CostCap("EUR", BigDecimal.ONE),
                FileCopy.of("./a", "/opt/a"),
                new FirewallRule("a", "/opt/a"),
                certificate,
                new HpcPackDomain(HpcPackDomain.Option.HEAD_NODE_AS_DC, "hpc.local"),
                new HpcPackResourceManager("hpc1", certificate),
                new HpcPackSubscription("00000000-0000-0000-0000-000000000000", "hpc1store"),
                new MemlockRule(MemlockSubject.of("*"), MemlockLimit.of("unlimited")),
                new Placement(Placement.Kind.AUTO, false),
                new Script("a", "./a", false, Script.DEFAULT_TIMEOUT),
                Updates.none(),
                new UserAccount(UserName.of("hpc"), List.of()),
                new MpiSource.Archive(URI.create("https://example.org/a"), "0".repeat(64), Map.of()),
                AddressRange.of("10.0.0.0/8"),
                NamePattern.of("a%01%"),
                (Record) ImageReference.of("microsoft-dsvm:ubuntu-hpc:2204:latest"),
                SecretReference.of("env:A"));
    }

    @Test
    void specsAreUnmodifiable() throws Exception {
        List<String> holes = new ArrayList<>();
        for (long seed = 1; seed <= 50; seed++) {
            collect(new SpecGenerator(seed).next(), holes, 0);
        }
        assertThat(holes).isEmpty();
    }

    private static void collect(Object owner, List<String> holes, int depth) throws Exception {
        for (Method method : owner.getClass().getMethods()) {
            boolean plain = method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers());
            if (!plain || method.getDeclaringClass() == Object.class || depth > 6) {
                continue;
            }
            Class<?> kind = method.getReturnType();
            if (kind == List.class) {
                refusesChange(owner, method, () -> ((List<?>) method.invoke(owner)).clear(), holes);
            } else if (kind == Map.class) {
                refusesChange(owner, method, () -> ((Map<?, ?>) method.invoke(owner)).clear(), holes);
            } else if (kind.getPackageName().equals("io.clusterwright.core.spec")
                    && !kind.isEnum()
                    && !kind.getSimpleName().equals("Builder")) {
                collect(method.invoke(owner), holes, depth + 1);
            }
        }
    }

    private static void refusesChange(Object owner, Method method, Change change, List<String> holes) throws Exception {
        try {
            change.run();
            holes.add(owner.getClass().getSimpleName() + "." + method.getName() + " can be changed");
        } catch (UnsupportedOperationException e) {
            // As it must be.
        }
    }

    private static int refusal(Class<?> type, Executable executable, Call call, List<String> holes) throws Exception {
        int tried = 0;
        Class<?>[] parameters = executable.getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isPrimitive() || parameters.length > 1) {
                continue;
            }
            tried++;
            try {
                call.with(new Object[1]);
                holes.add(type.getName() + ": " + executable.getName() + " takes null");
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof NullPointerException)) {
                    holes.add(type.getName() + ": " + executable.getName() + " answers null with " + e.getCause());
                }
            }
        }
        return tried;
    }

    private static Object builder(Class<?> type) throws Exception {
        Constructor<?> constructor = Arrays.stream(type.getDeclaredConstructors())
                .min(java.util.Comparator.comparingInt(Constructor::getParameterCount))
                .orElseThrow();
        constructor.setAccessible(true);
        return constructor.newInstance(new Object[constructor.getParameterCount()]);
    }

    private static Path classes() throws Exception {
        return Path.of(ClusterSpec.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("io/clusterwright/core");
    }

    private static List<Class<?>> types() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        for (String name : PACKAGES) {
            try (Stream<Path> files = Files.list(classes().resolve(name))) {
                for (Path file : files.filter(path -> path.toString().endsWith(".class"))
                        .sorted()
                        .toList()) {
                    String simple = file.getFileName().toString().replace(".class", "");
                    if (!simple.endsWith("-info")) {
                        Class<?> type = Class.forName("io.clusterwright.core." + name + "." + simple);
                        if (Modifier.isPublic(type.getModifiers()) && !Throwable.class.isAssignableFrom(type)) {
                            types.add(type);
                        }
                    }
                }
            }
        }
        return types;
    }

    /** A call of a constructor or method. */
    private interface Call {
        Object with(Object[] arguments) throws ReflectiveOperationException;
    }

    /** A change that must be refused. */
    private interface Change {
        void run() throws Exception;
    }
}
