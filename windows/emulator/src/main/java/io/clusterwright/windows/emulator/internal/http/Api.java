package io.clusterwright.windows.emulator.internal.http;

/** One generation of the interface. */
public interface Api {
    /**
     * The answer to a request of a known user.
     *
     * @throws HeadNodeException when it is refused
     */
    Reply answer(Call call, String user);

    /** The body of a refusal. */
    Reply error(int status, String message);
}
