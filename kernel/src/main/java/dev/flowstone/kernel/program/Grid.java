package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/** The times at which a recurring timer is due, once its templates are rendered. */
public sealed interface Grid {
    /** By a schedule in a time zone, both as written. */
    record Cron(String expression, String zone) implements Grid {
        public Cron {
            requireNonNull(expression);
            requireNonNull(zone);
        }
    }

    /** Every so often since the tick before. */
    record Every(Duration period) implements Grid {
        public Every {
            requireNonNull(period);
        }
    }

    /** Its form in events and snapshots. */
    default JsonObject toJson() {
        return switch (this) {
            case Cron cron ->
                JsonObject.builder()
                        .put("cron", cron.expression())
                        .put("zone", cron.zone())
                        .build();
            case Every every ->
                JsonObject.builder().put("every", every.period().toString()).build();
        };
    }

    /** Reads what {@link #toJson} wrote. */
    static Grid read(JsonCursor at) {
        Optional<JsonCursor> cron = at.find("cron");
        return cron.isPresent()
                ? new Cron(cron.get().string(), at.string("zone"))
                : new Every(at.as("every", Duration::parse));
    }
}
