package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.HpcPackConnection;
import java.net.http.HttpRequest;

/** Logs in to a head node: there is no session, so every request carries the login in its headers. */
final class HeadNodeLogin {
    private final HpcPackConnection connection;

    HeadNodeLogin(HpcPackConnection connection) {
        this.connection = connection;
    }

    /** Adds the headers of the login, and of the user that an administrator acts for. */
    void addTo(HttpRequest.Builder request) {
        request.header("Authorization", connection.login().authorization().reveal());
        connection.asUser().ifPresent(user -> request.header("x-ms-as-user", user));
    }
}
