package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.triggers.condition.Activation;
import dev.flowstone.triggers.event.EventSignal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends the signals that definitions' triggers say, with the event's data, each once. Thread-safe; blocks. */
public final class SignalSender {
    /** Bytes of a signal's payload that stand in its event; more is stored beside it. */
    public static final int INLINE_BYTES = 32 << 10;

    /** Bytes of a signal's payload. */
    public static final long MOST_BYTES = 16 << 20;

    /** For which it waits for somebody who takes it. */
    public static final Duration LIFE = Duration.ofDays(7);

    private static final int LONGEST_KEY = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Engine engine;
    private final Activation activation;
    private final SilentShards silent;
    private final Duration patience;
    private final CallAnswer.Busy unanswered;

    public SignalSender(Engine engine, Activation activation, SilentShards silent) {
        this(engine, activation, silent, PATIENCE);
    }

    /** @param patience with one call */
    SignalSender(Engine engine, Activation activation, SilentShards silent, Duration patience) {
        this.engine = requireNonNull(engine);
        this.activation = requireNonNull(activation);
        this.silent = requireNonNull(silent);
        this.patience = requireNonNull(patience);
        this.unanswered = new CallAnswer.Busy("no answer within " + patience.toSeconds() + " s", patience);
    }

    Launched send(Trigger trigger, Arrival arrival, JsonValue event, String correlation, EventSignal signal) {
        return switch (activation.key(signal.key(), event)) {
            case Activation.Key.Untold(String error) -> new Launched.Untold(error);
            case Activation.Key.Told(String key)
            when key.isBlank() || key.length() > LONGEST_KEY || key.chars().anyMatch(Character::isISOControl) ->
                new Launched.Untold("the signal's key is text of 1 to " + LONGEST_KEY
                        + " characters, none of them a control character");
            case Activation.Key.Told(String key) -> send(trigger, arrival, event, correlation, signal.type(), key);
        };
    }

    private Launched send(
            Trigger trigger, Arrival arrival, JsonValue event, String correlation, String type, String key) {
        Carried payload;
        try {
            payload = Carried.of(Activation.data(event), INLINE_BYTES, MOST_BYTES);
        } catch (Carried.TooLargeException e) {
            return new Launched.Unsent(
                    ProblemCode.LIMIT_EXCEEDED.name(),
                    "the event's data is " + e.getMessage(),
                    Optional.empty(),
                    Duration.ZERO);
        }
        TenantId tenant = trigger.key().tenant();
        RunId channel = Aggregates.channel(tenant, type, key);
        CallRequest request = new CallRequest(
                new RunKey(tenant, channel),
                new Command.SendSignal(
                        tenant,
                        channel,
                        type,
                        key,
                        payload.payload(),
                        Optional.of(Launcher.requestId(arrival)),
                        false,
                        LIFE),
                payload.content().map(StoredPayload::of).map(List::of).orElse(List.of()),
                Launcher.actor(trigger),
                Optional.empty(),
                Optional.empty(),
                Sha256.ZERO,
                correlation);
        CallAnswer.Busy busyAgain = new CallAnswer.Busy(SilentShards.REASON, SilentShards.PAUSE);
        CallAnswer answer =
                silent.<CallAnswer, RuntimeException>ask(channel.slot(), unanswered, busyAgain, () -> wait(request));
        return switch (answer) {
            case CallAnswer.Done _, CallAnswer.Repeated _, CallAnswer.OtherRequest _ ->
                new Launched.Signaled(type, key);
            case CallAnswer.Refused(String code, String reason) ->
                new Launched.Unsent(code, reason, Optional.empty(), Duration.ZERO);
            case CallAnswer.Busy busy ->
                new Launched.Unsent(
                        ProblemCode.BUSY.name(),
                        busy.reason(),
                        busy.owner().map(owner -> new Launched.Way(owner, type, key)),
                        busy.retryAfter());
        };
    }

    private CallAnswer wait(CallRequest request) {
        try {
            return engine.call(request).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return unanswered;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a signal failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new CallAnswer.Busy("the server is stopping", Duration.ofSeconds(1));
        }
    }
}
