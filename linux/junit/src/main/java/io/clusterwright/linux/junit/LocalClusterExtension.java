package io.clusterwright.linux.junit;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.linux.local.Requirement;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Creates the cluster of {@link LocalCluster}, hands it out and destroys it. */
final class LocalClusterExtension
        implements ExecutionCondition, BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(LocalClusterExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        // Also asked for each test of the class, which then has its cluster.
        return AnnotationSupport.findAnnotation(context.getElement(), LocalCluster.class)
                .filter(wanted -> wanted.otherwise() == LocalCluster.Otherwise.SKIP)
                .map(wanted -> condition())
                .orElseGet(() -> ConditionEvaluationResult.enabled("no condition"));
    }

    private static ConditionEvaluationResult condition() {
        List<Requirement> missing = LocalMachines.requirements().stream()
                .filter(Predicate.not(Requirement::met))
                .toList();
        return missing.isEmpty()
                ? ConditionEvaluationResult.enabled("this machine can host nodes")
                : ConditionEvaluationResult.disabled(missing.stream()
                        .map(each -> each.code() + " " + each.detail() + ": " + each.remedy())
                        .collect(
                                Collectors.joining("; ", "this machine cannot host the nodes of @LocalCluster: ", "")));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster(context);
    }

    private static TestCluster cluster(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        TestCluster cluster = store.get(LocalCluster.class, TestCluster.class);
        if (cluster == null) {
            cluster = TestCluster.create(annotation(context), context.getRequiredTestClass());
            store.put(LocalCluster.class, cluster);
        }
        return cluster;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // A nested class finds its outer class's cluster but does not own it.
        TestCluster cluster = context.getStore(NAMESPACE).remove(LocalCluster.class, TestCluster.class);
        if (cluster != null) {
            cluster.destroy();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Cluster.class || type == ClusterManager.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // JUnit makes the one object of a class with Lifecycle.PER_CLASS before it calls beforeAll.
        TestCluster cluster = cluster(context);
        return parameter.getParameter().getType() == Cluster.class ? cluster.cluster() : cluster.manager();
    }

    private static LocalCluster annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), LocalCluster.class)
                .orElseThrow(() -> new ExtensionConfigurationException(
                        context.getRequiredTestClass().getName() + " has no @LocalCluster"));
    }
}
