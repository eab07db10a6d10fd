package io.clusterwright.windows.internal.rest;

import java.net.http.HttpHeaders;
import java.util.Optional;

/**
 * What the head node answered.
 *
 * @param status the HTTP status
 * @param headers the headers
 * @param body the text; empty for none
 */
record Answer(int status, HttpHeaders headers, String body) {
    Optional<String> header(String name) {
        return headers.firstValue(name);
    }
}
