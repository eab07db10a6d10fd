package io.clusterwright.core.type;

import java.util.regex.Pattern;

/** What a textual value looks like and how to say so when one does not. */
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
