package io.clusterwright.core.type;

/**
 * Refuses a value that cannot be used, or values that cannot be used together. Use its two parts to show the reason
 * and the remedy to a user.
 *
 * <pre>{@code
 * try {
 *     NodeName.of(typed);
 * } catch (InvalidValueException refused) {
 *     System.out.println(refused.summary() + ": " + refused.remedy());
 * }
 * }</pre>
 *
 * <p>The message of a value names the value and shows what to use:
 * {@code invalid node name "a_b": use 1 to 63 letters, digits or '-' (example: cluster11)}. The message of a
 * combination is a sentence and what to do. Programs that show the two parts in different places take
 * {@link #summary()} and {@link #remedy()}.
 */
public final class InvalidValueException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final String summary;
    private final String given;
    private final String remedy;

    /**
     * Creates the refusal of a value.
     *
     * @param what the name of the value, such as {@code "node name"}
     * @param given the value as the caller wrote it; shortened in the message when it is long
     * @param allowed a phrase that follows "use", such as {@code "1 to 63 letters, digits or '-'"}
     * @param example one value that would be accepted
     */
    public InvalidValueException(String what, Object given, String allowed, Object example) {
        this(
                "invalid " + what + " \"" + shorten(given.toString()) + "\"",
                given.toString(),
                "use " + allowed + " (example: " + example + ")");
    }

    private InvalidValueException(String summary, String given, String remedy) {
        super(summary + ": " + remedy);
        this.summary = summary;
        this.given = given;
        this.remedy = remedy;
    }

    /**
     * Creates the refusal of a combination, or of something that is missing.
     *
     * @param summary a sentence about the fact, such as {@code "image build needs image.capture: true"}
     * @param remedy what to write or to do instead
     */
    public static InvalidValueException of(String summary, String remedy) {
        return new InvalidValueException(summary, "", remedy);
    }

    /** The refused value or combination, without the remedy. */
    public String summary() {
        return summary;
    }

    /** The value as the caller wrote it; empty for a combination. */
    public String given() {
        return given;
    }

    /** The text to write instead, or the action. */
    public String remedy() {
        return remedy;
    }

    private static String shorten(String text) {
        String printable = text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
        return printable.length() <= 80 ? printable : printable.substring(0, 77) + "...";
    }
}
