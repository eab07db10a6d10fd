package io.clusterwright.windows.internal.xml;

import io.clusterwright.core.type.ClusterwrightException;

/** A text is no well-formed XML, or more than is read here. */
public final class XmlSyntaxException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    XmlSyntaxException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /** From 1. */
    public int line() {
        return line;
    }

    /** From 1. */
    public int column() {
        return column;
    }
}
