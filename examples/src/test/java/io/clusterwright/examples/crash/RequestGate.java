package io.clusterwright.examples.crash;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.clusterwright.core.type.Secret;
import reactor.core.publisher.Mono;

/** The requests of a process: each that changes something is an effect. */
record RequestGate(SimulatedProcess process, HttpClient client, Secret token) implements HttpClient {
    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return Mono.fromCallable(() -> sendSync(request, Context.NONE));
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return Mono.fromCallable(() -> sendSync(request, context));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        if (request.getHttpMethod() == HttpMethod.GET || request.getHttpMethod() == HttpMethod.HEAD) {
            return process.read(() -> exchange(request, context));
        }
        String what = request.getHttpMethod() + " " + request.getUrl().getPath();
        return process.effect(new Effect(Effect.Kind.AZURE, what), () -> exchange(request, context));
    }

    private HttpResponse exchange(HttpRequest request, Context context) {
        request.setHeader(HttpHeaderName.AUTHORIZATION, "Bearer " + token.reveal());
        return client.sendSync(request, context).buffer();
    }
}
