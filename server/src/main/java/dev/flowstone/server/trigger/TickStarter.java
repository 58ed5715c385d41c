package dev.flowstone.server.trigger;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;

/** Starts what a tick is to start. Thread-safe; blocks. */
interface TickStarter {
    /** Starts it, or meets what was started; throws whatever fails, which the tick's own attempts are for. */
    Launched launch(Trigger trigger, Arrival arrival, JsonValue payload) throws JournalException;

    /** What an earlier attempt has started; nothing is started. */
    Optional<Launched> before(Trigger trigger, Arrival arrival) throws JournalException;

    /** Through the door of all triggers. */
    static TickStarter of(Launcher launcher) {
        return new TickStarter() {
            @Override
            public Launched launch(Trigger trigger, Arrival arrival, JsonValue payload) throws JournalException {
                return launcher.attempt(trigger, arrival, payload, arrival.id().toString(), () -> true);
            }

            @Override
            public Optional<Launched> before(Trigger trigger, Arrival arrival) throws JournalException {
                return launcher.before(trigger, arrival);
            }
        };
    }
}
