package io.clusterwright.core.type;

/**
 * A value cannot be what it was asked to be: the text does not parse, or a number is out of its range.
 *
 * <p>The message says what the value is for, what was given, what is allowed, and shows an example.
 */
public final class InvalidValueException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final String summary;
    private final String given;
    private final String remedy;

    /**
     * Creates the exception.
     *
     * @param what the thing the value is for, such as {@code "node name"}
     * @param given the text as it was received; shortened in the message when it is long
     * @param allowed what is allowed, as a clause such as {@code "1 to 40 of a-z, 0-9 and '-'"}
     * @param example one value that would be accepted
     */
    public InvalidValueException(String what, String given, String allowed, String example) {
        super(summary(what, given) + ": allowed is " + allowed + ", for example " + example);
        this.summary = summary(what, given);
        this.given = given;
        this.remedy = "use " + allowed + ", for example " + example;
    }

    /** What was refused, without what is allowed, for those who show {@link #remedy()} beside it. */
    public String summary() {
        return summary;
    }

    /** The text as it was received. */
    public String given() {
        return given;
    }

    /** What to write instead. */
    public String remedy() {
        return remedy;
    }

    private static String summary(String what, String given) {
        return "\"" + shorten(given) + "\" is not a valid " + what;
    }

    private static String shorten(String text) {
        String printable = text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
        return printable.length() <= 80 ? printable : printable.substring(0, 77) + "...";
    }
}
