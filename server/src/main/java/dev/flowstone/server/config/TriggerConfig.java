package dev.flowstone.server.config;

import java.util.regex.Pattern;

/**
 * What may start executions from outside (dataflow.md §10.6).
 *
 * @param webhooks whether deliveries are taken
 * @param events whether events start anything, the engine's and those that somebody sends
 * @param basePath at which webhooks have their addresses, beside where the interface has them
 */
public record TriggerConfig(boolean webhooks, boolean events, String basePath) {
    /** Where the interface has them. */
    public static final String BASE_PATH = "/api/v1/triggers";

    public static final TriggerConfig DEFAULT = new TriggerConfig(true, true, BASE_PATH);

    private static final Pattern FORM = Pattern.compile("(/[A-Za-z0-9._~-]{1,60}){1,5}");
    private static final Pattern TAKEN = Pattern.compile("/(api|health|metrics)(/.*)?|.*/\\.{1,2}(/.*)?");

    public TriggerConfig {
        if (!isBasePath(basePath)) {
            throw new IllegalArgumentException("trigger.basePath takes a path such as /hooks, and '" + basePath
                    + "' is none that is free: up to five segments of letters, digits and -._~, not below /api, /health"
                    + " or /metrics");
        }
    }

    static boolean isBasePath(String text) {
        return text.equals(BASE_PATH)
                || (FORM.matcher(text).matches() && !TAKEN.matcher(text).matches());
    }
}
