package dev.flowstone.server.config;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What may start executions from outside (dataflow.md §10.6).
 *
 * @param webhooks whether deliveries are taken
 * @param schedules whether schedules fire at this node
 * @param missedAfter by how much a tick of a schedule may be late, and isn't missed yet
 * @param events whether events start anything, the engine's and those that somebody sends
 * @param basePath at which webhooks have their addresses, beside where the interface has them
 */
public record TriggerConfig(
        boolean webhooks, boolean schedules, Duration missedAfter, boolean events, String basePath) {
    /** Where the interface has them. */
    public static final String BASE_PATH = "/api/v1/triggers";

    public static final Duration MISSED_AFTER = Duration.ofMinutes(1);

    /** Each of a schedule's ticks that are late fires, a second apart at the least. */
    private static final Duration MOST_LATE = Duration.ofMinutes(10);

    public static final TriggerConfig DEFAULT = new TriggerConfig(true, true, MISSED_AFTER, true, BASE_PATH);

    private static final Pattern FORM = Pattern.compile("(/[A-Za-z0-9._~-]{1,60}){1,5}");
    private static final Pattern TAKEN = Pattern.compile("/(api|health|metrics)(/.*)?|.*/\\.{1,2}(/.*)?");

    public TriggerConfig {
        if (!isBasePath(basePath)) {
            throw new IllegalArgumentException("trigger.basePath takes a path such as /hooks, and '" + basePath
                    + "' is none that is free: up to five segments of letters, digits and -._~, not below /api, /health"
                    + " or /metrics");
        }
        if (missedAfter.compareTo(Duration.ofSeconds(1)) < 0 || missedAfter.compareTo(MOST_LATE) > 0) {
            throw new IllegalArgumentException(
                    "trigger.missedAfter takes a time of 1 s to 10 min, not " + missedAfter.toSeconds() + " s");
        }
    }

    static boolean isBasePath(String text) {
        return text.equals(BASE_PATH)
                || (FORM.matcher(text).matches() && !TAKEN.matcher(text).matches());
    }
}
