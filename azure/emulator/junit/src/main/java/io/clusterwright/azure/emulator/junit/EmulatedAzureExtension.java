package io.clusterwright.azure.emulator.junit;

import io.clusterwright.azure.emulator.junit.EmulatedAzure.Lifecycle;
import io.clusterwright.azure.emulator.junit.EmulatedAzure.PendingFaults;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts the emulator of {@link EmulatedAzure}, hands it out, examines its faults and ends it. */
final class EmulatedAzureExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(EmulatedAzureExtension.class);

    /** The faults that had not fired before a test. */
    private record Earlier(Set<String> faults) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        if (annotation(owner(context)).lifecycle() == Lifecycle.PER_CLASS) {
            azure(context);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        boolean renewed = annotation(owner(context)).lifecycle() == Lifecycle.PER_METHOD;
        TestAzure azure = azure(context);
        context.getStore(NAMESPACE).put(Earlier.class, new Earlier(renewed ? Set.of() : azure.pending()));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Earlier earlier = context.getStore(NAMESPACE).get(Earlier.class, Earlier.class);
        if (earlier == null) {
            return; // its emulator did not start
        }
        TestAzure azure = azure(context);
        try {
            if (context.getExecutionException().isPresent()) {
                azure.failed();
            } else if (annotation(owner(context)).pendingFaults() == PendingFaults.FAIL) {
                azure.requireOthersFired(context.getDisplayName(), earlier.faults());
            }
        } finally {
            close(context);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // A nested class finds its outer class's emulator but does not own it.
        Class<?> owner = owner(context);
        if (context.getElement().filter(owner::equals).isEmpty()
                || annotation(owner).lifecycle() == Lifecycle.PER_METHOD) {
            return;
        }
        try {
            if (annotation(owner).pendingFaults() == PendingFaults.FAIL) {
                azure(context).requireFaultsOfSetupFired(owner.getName());
            }
        } finally {
            close(context);
        }
    }

    private static void close(ExtensionContext context) {
        TestAzure azure = context.getStore(NAMESPACE).remove(owner(context), TestAzure.class);
        if (azure != null) {
            azure.close();
        }
    }

    private static TestAzure azure(ExtensionContext context) {
        Class<?> owner = owner(context);
        EmulatedAzure wanted = annotation(owner);
        boolean renewed = wanted.lifecycle() == Lifecycle.PER_METHOD;
        if (renewed && context.getTestMethod().isEmpty()) {
            throw new ExtensionConfigurationException(owner.getName()
                    + ": an emulator of @EmulatedAzure(lifecycle = PER_METHOD) belongs to one test; move the parameter"
                    + " from the constructor or the @BeforeAll method to the test or to a @BeforeEach method");
        }
        ExtensionContext life = renewed
                ? context
                : contexts(context)
                        .filter(each -> each.getElement().filter(owner::equals).isPresent())
                        .findFirst()
                        .orElseThrow();
        ExtensionContext.Store store = life.getStore(NAMESPACE);
        TestAzure azure = store.get(owner, TestAzure.class);
        if (azure == null) {
            azure = TestAzure.start(wanted);
            store.put(owner, azure);
        }
        return azure;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TestAzure.has(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // JUnit makes the one object of a class with Lifecycle.PER_CLASS before it calls beforeAll.
        return azure(context).of(parameter.getParameter().getType());
    }

    /** The class of this context, or else its nearest outer class, that has the annotation. */
    private static Class<?> owner(ExtensionContext context) {
        return contexts(context)
                .flatMap(each -> each.getTestClass().stream())
                .filter(each -> AnnotationSupport.isAnnotated(each, EmulatedAzure.class))
                .findFirst()
                .orElseThrow(() -> new ExtensionConfigurationException(
                        context.getRequiredTestClass().getName() + " has no @EmulatedAzure"));
    }

    /** The context and its parents. */
    private static Stream<ExtensionContext> contexts(ExtensionContext context) {
        return Stream.iterate(
                        Optional.of(context), Optional::isPresent, each -> each.flatMap(ExtensionContext::getParent))
                .flatMap(Optional::stream);
    }

    private static EmulatedAzure annotation(Class<?> owner) {
        return AnnotationSupport.findAnnotation(owner, EmulatedAzure.class).orElseThrow();
    }
}
