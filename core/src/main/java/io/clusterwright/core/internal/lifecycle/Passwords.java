package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.type.Secret;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Passwords for accounts of Windows: 12 to 123 characters with a lower and an upper case letter, a digit and another sign. Source:
 * Microsoft, "Frequently asked question about Windows Virtual Machines". Signs that a shell or XML might take for something else, and
 * letters that look alike, are left out.
 */
final class Passwords {
    private static final List<String> KINDS =
            List.of("abcdefghijkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "-_.+=");
    private static final int LENGTH = 28;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Passwords() {}

    static Secret generate() {
        List<Character> signs = new ArrayList<>();
        for (int i = 0; i < LENGTH; i++) {
            String kind = i < KINDS.size() ? KINDS.get(i) : String.join("", KINDS);
            signs.add(kind.charAt(RANDOM.nextInt(kind.length())));
        }
        Collections.shuffle(signs, RANDOM);
        StringBuilder password = new StringBuilder();
        signs.forEach(password::append);
        return Secret.of(password.toString());
    }
}
