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

    private final Map<String, WorkflowEntry> workflows = new TreeMap<>();
    private final Map<String, TriggerEntry> triggers = new TreeMap<>();

    /**
     * A workflow of this deployment.
     *
     * @param checksum of the version that was made last; empty if none was yet
     * @param next of the one that was to be made, if it isn't known to be
     * @param revision of the workflow after that; 0 if it isn't known
     * @param removed whether it was taken out of use, since it was gone from the folder
     */
    record WorkflowEntry(Optional<String> checksum, Optional<String> next, long revision, boolean removed) {
        WorkflowEntry toBe(String planned) {
            return new WorkflowEntry(checksum, Optional.of(planned), revision, removed);
        }

        JsonObject toJson() {
            return JsonObject.builder()
                    .putIfPresent("checksum", checksum)
                    .putIfPresent("next", next)
                    .put("revision", revision)
                    .put("removed", removed)
                    .build();
        }

        static WorkflowEntry of(JsonObject json) {
            return new WorkflowEntry(
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

    Map<String, WorkflowEntry> workflows() {
        return workflows;
    }

    Map<String, TriggerEntry> triggers() {
        return triggers;
    }

    /** The definition that carries it. */
    JsonObject toDefinition(String id, String name) {
        JsonObject.Builder made = JsonObject.builder();
        workflows.forEach((workflow, entry) -> made.put(workflow, entry.toJson()));
        JsonObject.Builder fired = JsonObject.builder();
        triggers.forEach((trigger, entry) -> fired.put(trigger, entry.toJson()));
        JsonObject node = JsonObject.builder()
                .put("id", NODE)
                .put("actionType", "core.echo")
                .put(
                        "parameters",
                        JsonObject.builder()
                                .put("form", FORM)
                                .put("workflows", made.build())
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
        each(kept, "workflows").forEach((name, json) -> ledger.workflows.put(name, WorkflowEntry.of(json)));
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
