package io.clusterwright.linux.internal.local.host;

import java.util.function.Consumer;

/** Changes of this machine, reported when each is done, so that a test can end its process after any of them. */
public final class Effects {
    private static volatile Consumer<String> observer = effect -> {};

    private Effects() {}

    /** Reports each later change of any thread to this observer, in place of the one before. */
    public static void observe(Consumer<String> next) {
        observer = next;
    }

    /** Reports that a change was made. */
    public static void done(String effect) {
        observer.accept(effect);
    }
}
