package io.clusterwright.core.type;

/**
 * The permissions of a file, as chmod(1) takes them in octal. Use it for a file that an image gets.
 *
 * @param bits 0 to 07777
 * @see io.clusterwright.core.spec.Customization
 */
public record FileMode(int bits) {
    private static final Syntax SYNTAX =
            Syntax.of("file mode", "0?[0-7]{3}|[1-7][0-7]{3}", "three or four octal digits in quotes", "0644");

    /**
     * Checks the bits.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when there are others than 07777
     */
    public FileMode {
        if ((bits & ~07777) != 0) {
            throw SYNTAX.invalid(Integer.toOctalString(bits));
        }
    }

    /**
     * Reads three or four octal digits.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public static FileMode of(String text) {
        SYNTAX.require(text);
        return new FileMode(Integer.parseInt(text, 8));
    }

    /** Four octal digits, such as {@code 0644}. */
    @Override
    public String toString() {
        return String.format("%04o", bits);
    }
}
