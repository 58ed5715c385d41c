package dev.flowstone.server.config;

import dev.flowstone.engine.limit.ActionLimit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Limits on actions and connectors, whichever setting names them. */
final class LimitSettings {
    private LimitSettings() {}

    static List<ActionLimit> of(Sources sources) throws ConfigException {
        Map<String, Integer> atOnce = sources.value(Settings.LIMIT_AT_ONCE);
        Map<String, Double> rates = sources.value(Settings.LIMIT_PER_SECOND);
        return Stream.of(atOnce.keySet(), rates.keySet())
                .flatMap(Set::stream)
                .distinct()
                .map(actions ->
                        new ActionLimit(actions, atOnce.getOrDefault(actions, 0), rates.getOrDefault(actions, 0.0)))
                .toList();
    }
}
