package io.clusterwright.azure.emulator.internal.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An expression of one of Azure's small languages, as {@link Parser} reads it. {@code ExpressionEvaluator} evaluates the expressions of templates,
 * {@code BatchFormula} the formulas of Batch, {@link ODataFilter} the filters of lists.
 */
public sealed interface ParsedExpression {

    /** A quoted text. */
    record Text(String value) implements ParsedExpression {}

    /** A number, or another value that begins with a digit, as it is written. */
    record Numeral(String value) implements ParsedExpression {}

    /** A name without arguments. */
    record Name(String value) implements ParsedExpression {}

    /** A function or an operator with its arguments; a method begins with a dot, and its first argument is what it is called on. */
    record Invocation(String function, List<ParsedExpression> arguments) implements ParsedExpression {
        public Invocation {
            arguments = List.copyOf(arguments);
        }
    }

    /** An element of an array, or a property of an object. */
    record Element(ParsedExpression of, ParsedExpression key) implements ParsedExpression {}

    /** Reads the expressions of one language. */
    final class Parser {
        private static final int DEEPEST = 100;

        private final Language language;
        private final List<Token> tokens = new ArrayList<>();
        private int at;
        private int depth;

        /**
         * The traits of a language. Every language has quoted texts, in which two quotes stand for one.
         *
         * @param token one token: a name or a number, which is the first group, or a symbol
         * @param operators the operators between two values, those that bind least first
         * @param prefixes the operators before a value, each with the number of the operators that bind as much; beyond the last for more
         * @param named whether names without arguments and parentheses are values
         * @param refusal the refusal of a text, for a reason
         */
        public record Language(
                Pattern token,
                List<Set<String>> operators,
                Map<String, Integer> prefixes,
                boolean named,
                Function<String, RuntimeException> refusal) {}

        private enum Kind {
            WORD,
            TEXT,
            SYMBOL,
            END
        }

        private record Token(Kind kind, String text, int position) {
            boolean is(String wanted) {
                return kind != Kind.TEXT && kind != Kind.END && text.equals(wanted);
            }

            boolean isNumber() {
                return kind == Kind.WORD && (text.charAt(0) == '-' || Character.isDigit(text.charAt(0)));
            }
        }

        public Parser(Language language, String text) {
            this.language = language;
            Matcher token = language.token().matcher(text);
            int end = 0;
            while (end < text.length()) {
                int start = end;
                if (text.charAt(start) == '\'') {
                    StringBuilder value = new StringBuilder();
                    end = quoted(text, start + 1, value);
                    tokens.add(new Token(Kind.TEXT, value.toString(), start));
                } else if (Character.isWhitespace(text.charAt(start))) {
                    end++;
                } else if (token.region(start, text.length()).lookingAt()) {
                    end = token.end();
                    tokens.add(new Token(token.group(1) == null ? Kind.SYMBOL : Kind.WORD, token.group(), start));
                } else {
                    throw unexpected(new Token(Kind.SYMBOL, text.substring(start, start + 1), start));
                }
            }
            tokens.add(new Token(Kind.END, "", end));
        }

        /** Reads a text up to its last quote; where it ends. */
        private int quoted(String text, int from, StringBuilder value) {
            int next = from;
            while (true) {
                int quote = text.indexOf('\'', next);
                if (quote < 0) {
                    throw unexpected(new Token(Kind.END, "", text.length()));
                }
                value.append(text, next, quote);
                if (!text.startsWith("''", quote)) {
                    return quote + 1;
                }
                value.append('\'');
                next = quote + 2;
            }
        }

        /** The expression that is the whole text. */
        public ParsedExpression whole() {
            ParsedExpression expression = expression();
            if (!isAtEnd()) {
                throw unexpected(tokens.get(at));
            }
            return expression;
        }

        public boolean isAtEnd() {
            return tokens.get(at).kind() == Kind.END;
        }

        /** The next expression. */
        public ParsedExpression expression() {
            return deeper(() -> {
                ParsedExpression value = operation(0);
                if (!takes("?")) {
                    return value;
                }
                ParsedExpression yes = expression();
                require(":");
                return new Invocation("?", List.of(value, yes, expression()));
            });
        }

        private ParsedExpression deeper(Supplier<ParsedExpression> next) {
            if (++depth > DEEPEST) {
                throw language.refusal().apply("it is deeper than " + DEEPEST + " levels");
            }
            ParsedExpression value = next.get();
            depth--;
            return value;
        }

        private ParsedExpression operation(int level) {
            if (isOperator(language.prefixes().keySet())
                    && language.prefixes().getOrDefault(tokens.get(at).text(), 0) == level) {
                return new Invocation(tokens.get(at++).text(), List.of(deeper(() -> operation(level))));
            }
            if (level == language.operators().size()) {
                return value();
            }
            ParsedExpression left = operation(level + 1);
            while (isOperator(language.operators().get(level))) {
                left = new Invocation(tokens.get(at++).text(), List.of(left, operation(level + 1)));
            }
            return left;
        }

        private boolean isOperator(Set<String> operators) {
            Token token = tokens.get(at);
            return (token.kind() == Kind.WORD || token.kind() == Kind.SYMBOL) && operators.contains(token.text());
        }

        private ParsedExpression value() {
            ParsedExpression value = start();
            while (true) {
                if (takes(".")) {
                    String name = word();
                    value = tokens.get(at).is("(")
                            ? new Invocation("." + name, arguments(value))
                            : new Element(value, new Text(name));
                } else if (takes("[")) {
                    value = new Element(value, expression());
                    require("]");
                } else {
                    return value;
                }
            }
        }

        private ParsedExpression start() {
            if (language.operators().stream().anyMatch(this::isOperator)) {
                throw unexpected(tokens.get(at));
            }
            Token token = tokens.get(at++);
            if (token.kind() == Kind.TEXT) {
                return new Text(token.text());
            }
            if (token.isNumber()) {
                return new Numeral(token.text());
            }
            if (language.named() && token.is("(")) {
                ParsedExpression inner = expression();
                require(")");
                return inner;
            }
            if (token.kind() != Kind.WORD) {
                throw unexpected(token);
            }
            if (tokens.get(at).kind() == Kind.TEXT && token.text().equalsIgnoreCase("datetime")) {
                return new Text(tokens.get(at++).text());
            }
            return language.named() && !tokens.get(at).is("(")
                    ? new Name(token.text())
                    : new Invocation(token.text(), arguments());
        }

        private List<ParsedExpression> arguments(ParsedExpression... before) {
            List<ParsedExpression> all = new ArrayList<>(List.of(before));
            require("(");
            if (!takes(")")) {
                do {
                    all.add(expression());
                } while (takes(","));
                require(")");
            }
            return all;
        }

        /** The next name. */
        public String word() {
            if (tokens.get(at).kind() != Kind.WORD) {
                throw unexpected(tokens.get(at));
            }
            return tokens.get(at++).text();
        }

        private boolean takes(String symbol) {
            boolean there = tokens.get(at).is(symbol);
            at += there ? 1 : 0;
            return there;
        }

        /** Refuses anything but this symbol. */
        public void require(String symbol) {
            if (!takes(symbol)) {
                throw unexpected(tokens.get(at));
            }
        }

        private RuntimeException unexpected(Token token) {
            return language.refusal()
                    .apply((token.kind() == Kind.END ? "the end" : "'" + token.text() + "'")
                            + " is not expected at position " + (token.position() + 1));
        }
    }
}
