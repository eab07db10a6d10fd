package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;

/** An expression of the template language: literals, function calls, properties and indexes. */
sealed interface Expression {

    /** A text or a number. */
    record Literal(JsonNode value) implements Expression {}

    /** A function with its arguments. */
    record Invocation(String function, List<Expression> arguments) implements Expression {
        public Invocation {
            arguments = List.copyOf(arguments);
        }
    }

    /** An element of an array, or a property of an object. */
    record Element(Expression of, Expression key) implements Expression {}

    /** Whether a text of a template is an expression, not a literal. */
    static boolean is(String text) {
        return text.startsWith("[") && text.endsWith("]") && !text.startsWith("[[");
    }

    /** Reads what is between the brackets. */
    static Expression parse(String text) {
        return new Parser(text, text.substring(1, text.length() - 1)).whole();
    }

    /** Reads one expression. */
    final class Parser {
        /** The limit of Resource Manager. */
        private static final int LONGEST = 24_576;

        private static final int DEEPEST = 100;

        private final String shown;
        private final String text;
        private int at;
        private int depth;

        private Parser(String shown, String text) {
            this.shown = shown;
            this.text = text;
        }

        private Expression whole() {
            if (text.length() > LONGEST) {
                throw new TemplateException(
                        "The template language expression is longer than " + LONGEST + " characters.");
            }
            Expression expression = next();
            blanks();
            if (at < text.length()) {
                throw unexpected();
            }
            return expression;
        }

        private Expression next() {
            depth++;
            if (depth > DEEPEST) {
                throw new TemplateException("The template language expression is deeper than " + DEEPEST + " levels.");
            }
            blanks();
            Expression expression = start();
            while (true) {
                blanks();
                if (taken('.')) {
                    blanks();
                    expression = new Element(expression, new Literal(TextNode.valueOf(word())));
                } else if (taken('[')) {
                    Expression key = next();
                    require(']');
                    expression = new Element(expression, key);
                } else {
                    depth--;
                    return expression;
                }
            }
        }

        private Expression start() {
            if (at >= text.length()) {
                throw unexpected();
            }
            char first = text.charAt(at);
            if (first == '\'') {
                return new Literal(TextNode.valueOf(quoted()));
            }
            if (first == '-' || Character.isDigit(first)) {
                return new Literal(IntNode.valueOf(number()));
            }
            String function = word();
            require('(');
            List<Expression> arguments = new ArrayList<>();
            blanks();
            if (!taken(')')) {
                do {
                    arguments.add(next());
                    blanks();
                } while (taken(','));
                require(')');
            }
            return new Invocation(function, arguments);
        }

        private String quoted() {
            StringBuilder value = new StringBuilder();
            at++;
            while (at < text.length()) {
                char next = text.charAt(at++);
                if (next != '\'') {
                    value.append(next);
                } else if (at < text.length() && text.charAt(at) == '\'') {
                    value.append('\'');
                    at++;
                } else {
                    return value.toString();
                }
            }
            throw unexpected();
        }

        private int number() {
            int from = at++;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                at++;
            }
            try {
                return Integer.parseInt(text.substring(from, at));
            } catch (NumberFormatException e) {
                throw unexpected();
            }
        }

        private String word() {
            int from = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
                at++;
            }
            if (from == at) {
                throw unexpected();
            }
            return text.substring(from, at);
        }

        private void require(char wanted) {
            blanks();
            if (!taken(wanted)) {
                throw unexpected();
            }
        }

        private boolean taken(char wanted) {
            if (at < text.length() && text.charAt(at) == wanted) {
                at++;
                return true;
            }
            return false;
        }

        private void blanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private TemplateException unexpected() {
            String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
            return new TemplateException("The template language expression '" + shown + "' is not valid: " + found
                    + " is not expected at position " + (at + 1) + ".");
        }
    }
}
