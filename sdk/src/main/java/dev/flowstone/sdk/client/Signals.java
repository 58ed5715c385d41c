package dev.flowstone.sdk.client;

/** Signals to executions that wait for them. */
public interface Signals {
    /**
     * Sends one, under a key of its own: it is sent once, however often its call is.
     *
     * @throws RefusedException {@code SIGNAL_BUFFER_FULL} if too many are kept there already
     */
    Signal.Fate send(Signal signal);

    /** The same under the caller's key: what the caller repeats, after a crash for instance, is sent once, too. */
    Signal.Fate send(Signal signal, String idempotencyKey);
}
