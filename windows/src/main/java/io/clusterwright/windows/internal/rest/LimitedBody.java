package io.clusterwright.windows.internal.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer, of which no more is read than makes sense. */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {
    static final int LARGEST = 32 * 1024 * 1024;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    static HttpResponse.BodyHandler<byte[]> handler() {
        return info -> new LimitedBody();
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] piece = new byte[buffer.remaining()];
            buffer.get(piece);
            bytes.writeBytes(piece);
        }
        if (bytes.size() > LARGEST && subscription != null) {
            subscription.cancel();
            whole.completeExceptionally(
                    new IOException("the answer is longer than " + LARGEST + " bytes: this is not a head node"));
        }
    }

    @Override
    public void onError(Throwable problem) {
        whole.completeExceptionally(problem);
    }

    @Override
    public void onComplete() {
        whole.complete(bytes.toByteArray());
    }
}
