package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An event was not acknowledged; it may have arrived all the same. */
final class SendException extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable Duration pause;
    private final boolean gone;

    private SendException(String message, @Nullable Duration pause, boolean gone) {
        super(requireNonNull(message));
        this.pause = pause;
        this.gone = gone;
    }

    static SendException of(String message) {
        return new SendException(message, null, false);
    }

    /** The other side wants to be left alone for so long. */
    static SendException pausing(String message, Optional<Duration> pause) {
        return new SendException(message, pause.orElse(null), false);
    }

    /** The other side says that it is there no more. */
    static SendException gone(String message) {
        return new SendException(message, null, true);
    }

    Optional<Duration> pause() {
        return Optional.ofNullable(pause);
    }

    boolean isGone() {
        return gone;
    }
}
