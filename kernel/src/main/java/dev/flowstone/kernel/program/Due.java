package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonValue;

/** When a timer fires (R19). A due time in the past fires at once; one beyond the year 9999 fails the node. */
public sealed interface Due {
    /** After a while: a template that renders to a number of milliseconds or to an ISO 8601 duration. */
    record After(JsonValue duration) implements Due {
        public After {
            requireNonNull(duration);
        }
    }

    /** At an instant: a template that renders to an ISO 8601 date and time with an offset. */
    record At(JsonValue instant) implements Due {
        public At {
            requireNonNull(instant);
        }
    }

    /**
     * By a schedule, on the grid of the visit before in the same scope instance, so that it doesn't drift.
     *
     * @param expression a template that renders to a cron expression of five or six fields
     * @param zone a template that renders to a time zone's name
     * @param missed what becomes of ticks that passed meanwhile
     */
    record Cron(JsonValue expression, JsonValue zone, Missed missed) implements Due {
        public Cron {
            requireNonNull(expression);
            requireNonNull(zone);
            requireNonNull(missed);
        }
    }

    /** Every so often, on the grid of the visit before in the same scope instance. */
    record Every(JsonValue duration, Missed missed) implements Due {
        public Every {
            requireNonNull(duration);
            requireNonNull(missed);
        }
    }

    /** What becomes of due times that passed while nobody could fire. */
    enum Missed {
        /** One fires at once, then the grid goes on. */
        ONCE,
        /** Each fires, one after another. */
        ALL,
        /** None fires. */
        SKIP
    }
}
