package io.clusterwright.core.type;

import java.util.regex.Pattern;

/** The form of a textual value, and the refusal of a text that does not have it. */
record Syntax(String what, Pattern pattern, String allowed, String example) {

    static Syntax of(String what, String regex, String allowed, String example) {
        return new Syntax(what, Pattern.compile(regex), allowed, example);
    }

    void require(String given) {
        if (!pattern.matcher(given).matches()) {
            throw invalid(given);
        }
    }

    InvalidValueException invalid(String given) {
        return new InvalidValueException(what, given, allowed, example);
    }
}
