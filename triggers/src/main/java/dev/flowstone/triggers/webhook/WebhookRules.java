package dev.flowstone.triggers.webhook;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;

/**
 * What a webhook trigger's configuration says, beside its secrets.
 *
 * @param tolerance how far a delivery's time may be from now, either way
 */
public record WebhookRules(Duration tolerance) {
    public static final String TOLERANCE = "toleranceSeconds";
    public static final int LEAST_SECONDS = 10;

    /** What is sent again is told for as long as that, either way, by what came: kept for an hour at least. */
    public static final int MOST_SECONDS = 900;

    public static final int USUAL_SECONDS = 300;

    public WebhookRules {
        if (tolerance.toSeconds() < LEAST_SECONDS || tolerance.toSeconds() > MOST_SECONDS) {
            throw new IllegalArgumentException(
                    "a delivery may be " + LEAST_SECONDS + " to " + MOST_SECONDS + " seconds late, not " + tolerance);
        }
    }

    /** Of a configuration that was written by {@link #toJson}. */
    public static WebhookRules of(JsonObject config) {
        long seconds = config.get(TOLERANCE) instanceof JsonNumber number ? number.longValue() : USUAL_SECONDS;
        return new WebhookRules(Duration.ofSeconds(seconds));
    }

    public JsonObject toJson() {
        return JsonObject.builder().put(TOLERANCE, tolerance.toSeconds()).build();
    }
}
