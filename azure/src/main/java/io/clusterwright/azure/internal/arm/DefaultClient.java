package io.clusterwright.azure.internal.arm;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The HTTP client of the class path. The client of the JDK logs a warning for each request that has the header Content-Length, ignores the
 * header, and reads it once more for the length of the body. It gets the length alone.
 */
public final class DefaultClient implements HttpClient {
    private static final String OF_THE_JDK = "com.azure.core.http.jdk.httpclient.JdkHttpClient";

    private final HttpClient jdk;

    private DefaultClient(HttpClient jdk) {
        this.jdk = jdk;
    }

    /** The client. */
    public static HttpClient create() {
        HttpClient client = HttpClient.createDefault();
        return client.getClass().getName().equals(OF_THE_JDK) ? new DefaultClient(client) : client;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return jdk.send(withoutHeader(request));
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return jdk.send(withoutHeader(request), context);
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        return jdk.sendSync(withoutHeader(request), context);
    }

    private static HttpRequest withoutHeader(HttpRequest request) {
        String length = request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH);
        return length == null ? request : request.copy().setHeaders(new LengthAlone(request.getHeaders(), length));
    }

    /** Headers without Content-Length, which answer its value. */
    private static final class LengthAlone extends HttpHeaders {
        private final String length;

        LengthAlone(HttpHeaders headers, String length) {
            super((Iterable<HttpHeader>) headers);
            remove(HttpHeaderName.CONTENT_LENGTH);
            this.length = length;
        }

        @Override
        public @Nullable String getValue(HttpHeaderName name) {
            return HttpHeaderName.CONTENT_LENGTH.equals(name) ? length : super.getValue(name);
        }
    }
}
