package dev.flowstone.server.trigger;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.definition.Kept;
import dev.flowstone.triggers.schedule.ScheduleRules;
import org.jspecify.annotations.Nullable;

/** Schedules as they were read: many triggers have the same, and each is read at each tick. Thread-safe. */
final class RulesCache {
    private static final int MOST = 10_000;

    private final Kept<JsonObject, ScheduleRules> kept = new Kept<>(MOST);

    ScheduleRules of(Trigger trigger) {
        @Nullable ScheduleRules known = kept.get(trigger.config());
        if (known != null) {
            return known;
        }
        ScheduleRules read = ScheduleRules.of(trigger.config());
        kept.put(trigger.config(), read);
        return read;
    }
}
