package io.clusterwright.windows.wine;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one {@link Wine} of the run, and ends it after the last of them. */
public final class WineExtension implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Wine.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Wine.class))
                .computeIfAbsent(Wine.class, type -> start(), Wine.class);
    }

    private static Wine start() {
        try {
            return Wine.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
