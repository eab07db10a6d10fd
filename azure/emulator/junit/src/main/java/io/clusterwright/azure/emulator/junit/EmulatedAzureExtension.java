package io.clusterwright.azure.emulator.junit;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ClusterManager;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts the emulator of {@link EmulatedAzure}, hands it out and ends it. */
final class EmulatedAzureExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(EmulatedAzureExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        azure(context);
    }

    private static TestAzure azure(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        TestAzure azure = store.get(EmulatedAzure.class, TestAzure.class);
        if (azure == null) {
            azure = TestAzure.start(annotation(context));
            store.put(EmulatedAzure.class, azure);
        }
        return azure;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // A nested class finds its outer class's emulator but does not own it.
        TestAzure azure = context.getStore(NAMESPACE).remove(EmulatedAzure.class, TestAzure.class);
        if (azure != null) {
            azure.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == ArmEmulator.class || type == ClusterManager.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // JUnit makes the one object of a class with Lifecycle.PER_CLASS before it calls beforeAll.
        TestAzure azure = azure(context);
        return parameter.getParameter().getType() == ArmEmulator.class ? azure.emulator() : azure.manager();
    }

    private static EmulatedAzure annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), EmulatedAzure.class)
                .orElseThrow(() -> new ExtensionConfigurationException(
                        context.getRequiredTestClass().getName() + " has no @EmulatedAzure"));
    }
}
