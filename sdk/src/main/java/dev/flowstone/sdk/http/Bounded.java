package dev.flowstone.sdk.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.Serial;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A body of at most so many bytes; one byte more ends the connection, so that no answer takes all memory. */
final class Bounded implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
    private final long most;
    private long taken;
    private Flow.@Nullable Subscription source;

    Bounded(long most) {
        this.most = most;
    }

    /** The body has more. */
    static final class TooLargeException extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        TooLargeException(long most) {
            super("the answer has more than " + most + " bytes");
        }
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        source = subscription;
        whole.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> some) {
        if (taken > most) {
            return;
        }
        taken += some.stream().mapToLong(ByteBuffer::remaining).sum();
        if (taken > most) {
            requireNonNull(source).cancel();
            whole.onError(new TooLargeException(most));
        } else {
            whole.onNext(some);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        whole.onError(thrown);
    }

    @Override
    public void onComplete() {
        whole.onComplete();
    }
}
