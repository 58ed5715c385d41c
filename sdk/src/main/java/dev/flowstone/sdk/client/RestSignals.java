package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/** Signals over REST. */
final class RestSignals implements Signals {
    private final Caller caller;

    RestSignals(Caller caller) {
        this.caller = requireNonNull(caller);
    }

    @Override
    public Signal.Fate send(Signal signal) {
        return send(signal, Optional.empty());
    }

    @Override
    public Signal.Fate send(Signal signal, String idempotencyKey) {
        return send(signal, Optional.of(idempotencyKey));
    }

    private Signal.Fate send(Signal signal, Optional<String> key) {
        Body body = new Body()
                .put("type", signal.type())
                .put("key", signal.key())
                .put("payload", Optional.ofNullable(signal.payload()).map(caller::tree))
                .put("dedupe", signal.dedupe())
                .flag("broadcast", signal.broadcast())
                .put("timeToLiveSeconds", signal.timeToLive().map(Duration::toSeconds));
        return caller.read(
                Call.post("/api/v1/signals").with(body.json()).keyed(key.or(caller::key)),
                tree -> tree.word("fate", Signal.Fate.class, Signal.Fate.UNKNOWN));
    }
}
