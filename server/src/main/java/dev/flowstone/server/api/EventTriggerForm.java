package dev.flowstone.server.api;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.doc.Kinds;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.triggers.event.EventRules;
import dev.flowstone.triggers.event.EventSource;
import dev.flowstone.triggers.event.NamePattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What a body says of an event trigger's configuration. */
final class EventTriggerForm {
    private static final Set<String> MEMBERS =
            Set.of(EventRules.SOURCE, EventRules.TYPES, EventRules.WORKFLOWS, EventRules.SOURCES, EventRules.SUBJECTS);
    private static final int WORD = 20;

    private EventTriggerForm() {}

    /**
     * The configuration as it is stored.
     *
     * @param there whose what is left out stays, if it can be read here, unless the source is another one; null takes a list away; empty for a new one
     */
    static JsonObject config(Fields config, Optional<Trigger> there) throws ProblemException {
        config.only(MEMBERS);
        Optional<EventRules> before = there.flatMap(it -> StoredConfig.of(it, EventRules::of));
        EventSource source = config.meaning(EventRules.SOURCE, WORD, EventTriggerForm::source)
                .or(() -> before.map(EventRules::source))
                .orElseThrow(() -> config.missing(EventRules.SOURCE));
        Optional<EventRules> now = before.filter(it -> it.source() == source);
        boolean engine = source == EventSource.ENGINE;
        String others = engine ? EventRules.SOURCES : EventRules.WORKFLOWS;
        if (config.value(others).isPresent()) {
            throw config.wrong(
                    others,
                    "'" + others + "' is for events of source " + (engine ? EventSource.EXTERNAL : EventSource.ENGINE),
                    "leave it out");
        }
        List<NamePattern> types = patterns(
                config,
                EventRules.TYPES,
                engine ? EventTriggerForm::kind : NamePattern::new,
                now.map(EventRules::types));
        if (types.isEmpty()) {
            throw config.missing(EventRules.TYPES);
        }
        return new EventRules(
                        source,
                        types,
                        patterns(config, EventRules.WORKFLOWS, NamePattern::new, now.map(EventRules::workflows)),
                        patterns(config, EventRules.SOURCES, NamePattern::new, now.map(EventRules::sources)),
                        patterns(config, EventRules.SUBJECTS, NamePattern::new, now.map(EventRules::subjects)))
                .toJson();
    }

    private static EventSource source(String word) {
        return EventSource.of(word)
                .orElseThrow(() -> new IllegalArgumentException("'source' takes engine or external"));
    }

    private static List<NamePattern> patterns(
            Fields config, String name, Function<String, NamePattern> reader, Optional<List<NamePattern>> now)
            throws ProblemException {
        Optional<List<NamePattern>> said = config.meanings(name, EventRules.MOST, NamePattern.LONGEST, reader);
        return said.isEmpty() && config.value(name).isEmpty() ? now.orElse(List.of()) : said.orElse(List.of());
    }

    /** Of the engine's events, which may be called by their kinds alone. */
    private static NamePattern kind(String text) {
        NamePattern pattern = new NamePattern(EventRules.engineType(text));
        if (Kinds.OF_EVENTS.stream().noneMatch(kind -> pattern.matches(EventRules.ENGINES + kind))) {
            throw new IllegalArgumentException(
                    "no event of the engine has the type '" + pattern.text() + "': docs/events.md has them");
        }
        return pattern;
    }
}
