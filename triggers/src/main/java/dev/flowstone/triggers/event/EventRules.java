package dev.flowstone.triggers.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Optional;

/**
 * What an event trigger's configuration says: which events it wants. An event has to match each list that isn't empty.
 *
 * @param types of events; at least one
 * @param workflows whose executions' events; of the engine's only
 * @param sources of events from outside only
 * @param signal what is sent; an execution is started if there is nothing
 */
public record EventRules(
        EventSource source,
        List<NamePattern> types,
        List<NamePattern> workflows,
        List<NamePattern> sources,
        List<NamePattern> subjects,
        Optional<EventSignal> signal) {
    public static final String SOURCE = "source";
    public static final String TYPES = "types";
    public static final String WORKFLOWS = "workflows";
    public static final String SOURCES = "sources";
    public static final String SUBJECTS = "subjects";

    public static final String SIGNAL = "signal";

    /** What a definition calls it that declares it; those that people make have none. */
    public static final String DECLARED = "declaredAs";

    /** Before the kinds of the engine's events in their types. */
    public static final String ENGINES = "dev.flowstone.";

    /** Entries of one list. */
    public static final int MOST = 50;

    public EventRules {
        requireNonNull(source);
        types = List.copyOf(types);
        workflows = List.copyOf(workflows);
        sources = List.copyOf(sources);
        subjects = List.copyOf(subjects);
        requireNonNull(signal);
        if (types.isEmpty()) {
            throw new IllegalArgumentException("an event trigger says which types of events it wants");
        }
    }

    /** Those that start executions. */
    public EventRules(
            EventSource source,
            List<NamePattern> types,
            List<NamePattern> workflows,
            List<NamePattern> sources,
            List<NamePattern> subjects) {
        this(source, types, workflows, sources, subjects, Optional.empty());
    }

    /** Of a configuration that was written by {@link #toJson}. */
    public static EventRules of(JsonObject config) {
        return new EventRules(
                EventSource.of(config.get(SOURCE) instanceof JsonString(String word) ? word : "")
                        .orElseThrow(() -> new IllegalArgumentException("an event trigger has a source")),
                patterns(config, TYPES),
                patterns(config, WORKFLOWS),
                patterns(config, SOURCES),
                patterns(config, SUBJECTS),
                EventSignal.of(config));
    }

    private static List<NamePattern> patterns(JsonObject config, String name) {
        return config.get(name) instanceof JsonArray(List<JsonValue> items)
                ? items.stream()
                        .map(item -> new NamePattern(item instanceof JsonString(String text) ? text : ""))
                        .toList()
                : List.of();
    }

    /** Without the lists that are empty. */
    public JsonObject toJson() {
        JsonObject.Builder json = JsonObject.builder().put(SOURCE, source.toString());
        put(json, TYPES, types);
        put(json, WORKFLOWS, workflows);
        put(json, SOURCES, sources);
        put(json, SUBJECTS, subjects);
        signal.ifPresent(it -> json.put(SIGNAL, it.toJson()));
        return json.build();
    }

    private static void put(JsonObject.Builder json, String name, List<NamePattern> patterns) {
        if (!patterns.isEmpty()) {
            json.put(
                    name,
                    new JsonArray(patterns.stream()
                            .<JsonValue>map(pattern -> new JsonString(pattern.text()))
                            .toList()));
        }
    }

    /**
     * Whether it wants one of an execution.
     *
     * @param subject the execution's id
     */
    public boolean admitsOfEngine(String type, String workflow, String subject) {
        return source == EventSource.ENGINE
                && admits(types, type)
                && admits(workflows, workflow)
                && admits(subjects, subject);
    }

    /** Whether it wants one that somebody sent. */
    public boolean admits(CloudEvent event) {
        return source == EventSource.EXTERNAL
                && admits(types, event.type())
                && admits(sources, event.source())
                && (subjects.isEmpty()
                        || event.subject().filter(it -> admits(subjects, it)).isPresent());
    }

    private static boolean admits(List<NamePattern> patterns, String name) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.matches(name));
    }

    /** The type that is meant: the engine's may be called by their kinds alone. */
    public static String engineType(String text) {
        return text.contains(".") || text.equals("*") ? text : ENGINES + text;
    }
}
