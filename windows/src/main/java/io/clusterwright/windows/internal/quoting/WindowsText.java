package io.clusterwright.windows.internal.quoting;

import io.clusterwright.core.type.InvalidValueException;
import java.nio.charset.StandardCharsets;

/** Refuses characters that no text on Windows can hold. */
final class WindowsText {
    private WindowsText() {}

    static String checked(String text, String what) {
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_16LE.newEncoder().canEncode(text)) {
            throw new InvalidValueException(
                    what, text, "text without a NUL character and without half a surrogate pair", "C:\\data\\run 1");
        }
        return text;
    }
}
