package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.OpenAwait;

/** Ends one activation from outside, its timers first. An attempt that was handed out stays open until it answers. */
final class Cancel {
    private Cancel() {}

    static void activation(Deciding deciding, ActivationId id, String reason) {
        Timers.cancel(deciding, Timers.wait(id));
        Timers.cancel(deciding, Timers.retry(id));
        Forking.cancel(deciding, id);
        Timers.cancel(deciding, Timers.timeout(id));
        Children.callCanceled(deciding, id, reason);
        OpenAwait await = deciding.state().post().await(id);
        HumanTimers.cancel(deciding, id);
        deciding.emit(new EventBody.ActivationCanceled(id, reason));
        if (await != null) {
            Awaiting.giveUp(deciding, await);
        }
    }
}
