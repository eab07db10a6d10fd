package io.clusterwright.windows.classic.internal.iaas;

import io.clusterwright.windows.classic.InvalidIaasConfigurationException;
import io.clusterwright.windows.internal.xml.Xml;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Repairs text that a word processor or a missing escape made unreadable as XML. */
public final class IaasRepair {
    private static final Pattern DECLARATION = Pattern.compile("<\\?xml\\s[^?]*\\?>\\s*");
    private static final Pattern COMMENT_OR_TAG =
            Pattern.compile("<!--.*?-->|<!\\[CDATA\\[.*?]]>|<[^<>]*>", Pattern.DOTALL);
    private static final Pattern BARE_AMPERSAND =
            Pattern.compile("&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)");
    private static final Map<Character, Character> TYPED = Map.of(
            '\u201C', '"', '\u201D', '"', '\u201E', '"', '\u00AB', '"', '\u00BB', '"', '\u2018', '\'', '\u2019', '\'');

    private final StringBuilder text;
    private final String original;
    private @Nullable String first;
    private int line;
    private int column;

    private IaasRepair(String original) {
        this.original = original;
        this.text = new StringBuilder(original);
    }

    /** The reason why the text cannot be read, with a repaired text where there is one. */
    public static InvalidIaasConfigurationException explain(String text, Xml.Malformed refusal) {
        IaasRepair repair = new IaasRepair(text);
        repair.quotes();
        repair.ampersands();
        repair.declaration();
        if (repair.first != null && readable(repair.text.toString())) {
            return new InvalidIaasConfigurationException(
                    "the file is not well-formed XML: " + repair.first,
                    repair.line,
                    repair.column,
                    repair.text.toString());
        }
        return new InvalidIaasConfigurationException(
                "the file is not well-formed XML: " + refusal.getMessage() + "; correct it there",
                refusal.place().line(),
                refusal.place().column(),
                null);
    }

    private static boolean readable(String text) {
        try {
            Xml.parse(text);
            return true;
        } catch (Xml.Malformed e) {
            return false;
        }
    }

    /** Quotes of a word processor around values of attributes; those in text mean themselves. */
    private void quotes() {
        Matcher tags = COMMENT_OR_TAG.matcher(original);
        while (tags.find()) {
            boolean tag = !tags.group().startsWith("<!");
            for (int i = tags.start(); tag && i < tags.end(); i++) {
                Character typed = TYPED.get(original.charAt(i));
                if (typed != null) {
                    text.setCharAt(i, typed);
                    found("a typographic quote " + original.charAt(i) + " is used instead of " + typed, i);
                }
            }
        }
    }

    /** Ampersands that begin no entity, as passwords have them. */
    private void ampersands() {
        Matcher bare = BARE_AMPERSAND.matcher(original);
        int added = 0;
        while (bare.find()) {
            text.insert(bare.end() + added, "amp;");
            added += "amp;".length();
            found("an ampersand must be written &amp;", bare.start());
        }
    }

    /** The declaration must be the first thing in a file: no blank and no comment may come before it. */
    private void declaration() {
        Matcher declaration = DECLARATION.matcher(text);
        if (declaration.find() && declaration.start() > 0) {
            int start = declaration.start();
            String moved = declaration.group();
            text.delete(start, declaration.end()).insert(0, moved.strip() + "\n");
            int place = original.indexOf("<?xml");
            found("the XML declaration is not the first thing in the file", place);
        }
    }

    private void found(String what, int at) {
        Xml.Place place = Xml.Place.of(original, at);
        if (first == null || place.line() < line || place.line() == line && place.column() < column) {
            first = what;
            line = place.line();
            column = place.column();
        }
    }
}
