package io.clusterwright.azure.emulator.internal.expression;

import java.util.List;

/** An expression of one of Azure's small languages: of templates, of the formulas of Batch, and of the filters of lists. */
public sealed interface Expression {

    /** A quoted text. */
    record Text(String value) implements Expression {}

    /** A number, or another value that begins with a digit, as it is written. */
    record Numeral(String value) implements Expression {}

    /** A name without arguments. */
    record Name(String value) implements Expression {}

    /** A function or an operator with its arguments; a method begins with a dot, and its first argument is what it is called on. */
    record Invocation(String function, List<Expression> arguments) implements Expression {
        public Invocation {
            arguments = List.copyOf(arguments);
        }
    }

    /** An element of an array, or a property of an object. */
    record Element(Expression of, Expression key) implements Expression {}
}
