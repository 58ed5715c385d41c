package dev.flowstone.server.deploy;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a deployment has made on a server, and what it is about to make: written before anything is sent, so that whoever goes
 * on after an interruption knows what is its own. It is kept on that server as the draft of a workflow which is never
 * published, {@code deployment-NAME}: there it is as durable as what it tells of, of the same tenant, and changed by
 * compare-and-set. Not thread-safe.
 */
final class Ledger {
    private static final String NODE = "ledger";
    private static final int FORM = 1;

    private final Map<String, VersionedEntry> workflows = new TreeMap<>();
    private final Map<String, TriggerEntry> triggers = new TreeMap<>();
    private final Map<String, VersionedEntry> sets = new TreeMap<>();
    private final Map<String, VersionedEntry> templates = new TreeMap<>();

    /**
     * A workflow, a set or a document template of this deployment.
     *
     * @param checksum of the version that was made last; empty if none was yet
     * @param next of the one that was to be made, if it isn't known to be
     * @param revision of the workflow or the set after that, the version of a template; 0 if it isn't known
     * @param removed whether it was taken out of use, since it was gone from the folder
     */
    record VersionedEntry(Optional<String> checksum, Optional<String> next, long revision, boolean removed) {
        /** Whether what is off comes back with its file: this deployment turned it off, or has begun to take it over. */
        boolean comesBack() {
            return removed || checksum.isEmpty();
        }

        VersionedEntry toBe(String planned) {
            return new VersionedEntry(checksum, Optional.of(planned), revision, removed);
        }

        JsonObject toJson() {
            return JsonObject.builder()
                    .putIfPresent("checksum", checksum)
                    .putIfPresent("next", next)
                    .put("revision", revision)
                    .put("removed", removed)
                    .build();
        }

        static VersionedEntry of(JsonObject json) {
            return new VersionedEntry(
                    text(json, "checksum"),
                    text(json, "next"),
                    number(json, "revision"),
                    json.find("removed").equals(Optional.of(JsonBoolean.of(true))));
        }
    }

    /**
     * A trigger of this deployment.
     *
     * @param id empty until it is known to be made
     * @param revision after the last change; 0 if it isn't known
     * @param words hash of what a server showed of it then, besides whether it is on
     * @param secrets hash of them; they have 24 random bytes at least, so that nobody guesses them from it
     * @param key under which it is being made
     * @param next what it was to be, in the words of its file, if it isn't known to be
     */
    record TriggerEntry(
            Optional<String> id,
            long revision,
            Optional<String> words,
            Optional<String> secrets,
            Optional<String> key,
            Optional<JsonObject> next) {
        static final TriggerEntry NONE = new TriggerEntry(
                Optional.empty(), 0, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        /** About to be made, or to be changed. */
        TriggerEntry begun(Optional<String> under, JsonObject said) {
            return new TriggerEntry(id, revision, words, secrets, under, Optional.of(said));
        }

        JsonObject toJson() {
            return JsonObject.builder()
                    .putIfPresent("id", id)
                    .put("revision", revision)
                    .putIfPresent("words", words)
                    .putIfPresent("secrets", secrets)
                    .putIfPresent("key", key)
                    .putValueIfPresent("next", next.map(Quoted::of))
                    .build();
        }

        static TriggerEntry of(JsonObject json) {
            return new TriggerEntry(
                    text(json, "id"),
                    number(json, "revision"),
                    text(json, "words"),
                    text(json, "secrets"),
                    text(json, "key"),
                    json.find("next").flatMap(Quoted::read));
        }
    }

    Map<String, VersionedEntry> workflows() {
        return workflows;
    }

    Map<String, TriggerEntry> triggers() {
        return triggers;
    }

    Map<String, VersionedEntry> sets() {
        return sets;
    }

    /** By their sets' ids and their own, {@code SET/ID}. */
    Map<String, VersionedEntry> templates() {
        return templates;
    }

    /** The definition that carries it. */
    JsonObject toDefinition(String id, String name) {
        JsonObject.Builder fired = JsonObject.builder();
        triggers.forEach((trigger, entry) -> fired.put(trigger, entry.toJson()));
        JsonObject node = JsonObject.builder()
                .put("id", NODE)
                .put("actionType", "core.echo")
                .put(
                        "parameters",
                        JsonObject.builder()
                                .put("form", FORM)
                                .put("workflows", json(workflows))
                                .put("sets", json(sets))
                                .put("templates", json(templates))
                                .put("triggers", fired.build())
                                .build())
                .build();
        return JsonObject.builder()
                .put("id", id)
                .put("displayName", "Deployment " + name)
                .put(
                        "description",
                        "What `flowstone apply --name " + name + "` has made. It is no workflow: never publish it.")
                .put("startNode", NODE)
                .put("nodes", new JsonArray(List.of(node)))
                .build();
    }

    private static JsonObject json(Map<String, VersionedEntry> entries) {
        JsonObject.Builder all = JsonObject.builder();
        entries.forEach((name, entry) -> all.put(name, entry.toJson()));
        return all.build();
    }

    /** That of a workflow as a server shows it. */
    static Optional<Ledger> in(JsonObject workflow) {
        return workflow.get("definition") instanceof JsonObject definition ? read(definition) : Optional.empty();
    }

    /** Empty if this is no ledger, or one of a later release. */
    private static Optional<Ledger> read(JsonObject definition) {
        if (!(definition.get("nodes") instanceof JsonArray(List<JsonValue> nodes))
                || nodes.size() != 1
                || !(nodes.getFirst() instanceof JsonObject node)
                || !(node.get("parameters") instanceof JsonObject kept)
                || number(kept, "form") != FORM) {
            return Optional.empty();
        }
        Ledger ledger = new Ledger();
        each(kept, "workflows").forEach((name, json) -> ledger.workflows.put(name, VersionedEntry.of(json)));
        each(kept, "sets").forEach((name, json) -> ledger.sets.put(name, VersionedEntry.of(json)));
        each(kept, "templates").forEach((name, json) -> ledger.templates.put(name, VersionedEntry.of(json)));
        each(kept, "triggers").forEach((name, json) -> ledger.triggers.put(name, TriggerEntry.of(json)));
        return Optional.of(ledger);
    }

    private static Map<String, JsonObject> each(JsonObject kept, String member) {
        Map<String, JsonObject> all = new TreeMap<>();
        if (kept.get(member) instanceof JsonObject entries) {
            entries.members().forEach((name, value) -> {
                if (value instanceof JsonObject json) {
                    all.put(name, json);
                }
            });
        }
        return all;
    }

    private static Optional<String> text(JsonObject json, String member) {
        return json.get(member) instanceof JsonString(String text) ? Optional.of(text) : Optional.empty();
    }

    private static long number(JsonObject json, String member) {
        return json.get(member) instanceof JsonNumber number ? number.longValue() : 0;
    }
}
