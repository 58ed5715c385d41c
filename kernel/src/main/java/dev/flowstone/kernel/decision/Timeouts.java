package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.AwaitTimedOut;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.OpenAwait;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.Optional;

/** How long an await or a call waits at most; a time that has passed already is over at once. */
final class Timeouts {
    private Timeouts() {}

    /** When a rendered timeout is due; empty if it is none. */
    static Optional<Instant> due(Deciding deciding, JsonValue rendered) {
        return Waiting.duration(rendered).flatMap(wait -> Timers.due(deciding.now(), wait));
    }

    static void set(Deciding deciding, ActivationId id, Instant due) {
        TimerId name = Timers.timeout(id);
        int generation = Timers.generation(deciding, 1);
        deciding.emit(new EventBody.TimerSet(name, generation, due, EventBody.TimerPurpose.TIMEOUT, Optional.of(id)));
        if (!due.isAfter(deciding.now())) {
            deciding.emit(new EventBody.TimerFired(name, generation));
            over(deciding, id);
        }
    }

    static void fired(Deciding deciding, TimerState timer) {
        timer.activation().ifPresent(id -> over(deciding, id));
    }

    private static void over(Deciding deciding, ActivationId id) {
        Activation activation = deciding.state().activation(id);
        if (activation == null || !activation.isLive()) {
            return;
        }
        OpenAwait await = deciding.state().post().await(id);
        if (await != null) {
            deciding.emit(new AwaitTimedOut(id));
            Awaiting.giveUp(deciding, await);
        } else if (deciding.state().program().node(id.node()) instanceof Node.Call call) {
            Children.late(deciding, id, call.policies().onTimeout());
        }
    }

    /** One template of several, so that a node renders once. */
    static JsonObject.Builder with(JsonObject.Builder templates, Optional<JsonValue> timeout) {
        return templates.putValueIfPresent("timeout", timeout);
    }
}
