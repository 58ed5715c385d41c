package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.OneWayAction;
import dev.flowstone.engine.task.OneWayCall;
import dev.flowstone.engine.task.Post;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.Optional;

/**
 * Makes the messages of one-way attempts while their events are decided, so that both are in one commit. Without one-way
 * actions it costs one comparison a decision. Belongs to its shard's loop.
 */
final class Posts {
    private final HandlerRegistry handlers;
    private final PayloadCache payloads;

    Posts(HandlerRegistry handlers, PayloadCache payloads) {
        this.handlers = handlers;
        this.payloads = payloads;
    }

    /** What the decision's events send; the turn has taken them. Answers how many bytes that adds to the commit. */
    long follow(Turn turn, Decision.Accepted accepted) throws JournalException {
        if (!handlers.hasOneWay() || accepted.entry().isEmpty()) {
            return 0;
        }
        long bytes = 0;
        long sequence = accepted.entry().get().firstSequence();
        for (EventBody event : accepted.events()) {
            if (event instanceof EventBody.TaskScheduled task) {
                Optional<OneWayAction> action = handlers.oneWay(task.handler());
                if (action.isPresent()) {
                    Optional<Post> post = post(turn, accepted.state(), task, action.get(), sequence);
                    post.ifPresent(turn.posts::add);
                    bytes += post.map(Post::bytes).orElse(0);
                }
            }
            sequence++;
        }
        return bytes;
    }

    /** A later attempt's event may leave out the input, which is the first one's: the state has it, unless the attempt is over. */
    private Optional<Post> post(
            Turn turn, RunState state, EventBody.TaskScheduled task, OneWayAction action, long sequence)
            throws JournalException {
        Optional<Payload> input =
                task.input().or(() -> state.openAttempt(task.activation()).map(Attempt::input));
        if (input.isEmpty()) {
            return Optional.empty();
        }
        Optional<JsonValue> value = value(turn, input.get());
        OneWayCall call = new OneWayCall(
                turn.key,
                state.program().workflow(),
                state.correlation(),
                task.activation(),
                task.attempt(),
                value.orElse(JsonNull.NULL),
                state.lastEventTime());
        return Optional.of(
                value.isPresent()
                        ? Post.of(action, call, sequence)
                        : Post.invalid(call, sequence, "INPUT_MISSING", "the stored input is missing or damaged"));
    }

    private Optional<JsonValue> value(Turn turn, Payload payload) throws JournalException {
        return switch (payload) {
            case Payload.Inline inline -> Optional.of(inline.value());
            case Payload.Stored stored -> stored(turn, stored.hash());
        };
    }

    private Optional<JsonValue> stored(Turn turn, Sha256 hash) throws JournalException {
        StoredPayload carried = turn.carried(hash);
        try {
            return carried != null
                    ? Optional.of(payloads.keep(turn.key.tenant(), carried))
                    : Optional.ofNullable(
                            payloads.read(turn.key.tenant(), List.of(hash)).get(hash));
        } catch (IllegalStateException e) {
            // Its hash is right, and it is no JSON: as good as missing.
            return Optional.empty();
        }
    }
}
