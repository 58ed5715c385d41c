package dev.flowstone.dialect.states;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Rules;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * An event that a workflow says starts or signals its runs.
 *
 * @param id unique in the workflow
 * @param internal whether it is the engine's, or comes from outside
 * @param event its type
 * @param workflow of the engine's events, only those of its runs
 * @param guard a condition over {@code event}, its data
 * @param signal what it sends; if nothing, it starts a run
 */
public record DeclaredTrigger(
        String id,
        boolean internal,
        String event,
        Optional<String> workflow,
        Optional<String> guard,
        Optional<Signal> signal) {
    public DeclaredTrigger {
        requireNonNull(id);
        requireNonNull(event);
        requireNonNull(workflow);
        requireNonNull(guard);
        requireNonNull(signal);
    }

    /**
     * A signal.
     *
     * @param key a template over {@code event}
     */
    public record Signal(String type, String key) {
        public Signal {
            requireNonNull(type);
            requireNonNull(key);
        }
    }

    /** Those of a source that compiles, in their order. One whose {@code start} is false does nothing, and isn't among them. */
    public static List<DeclaredTrigger> of(JsonObject source) {
        At workflow = new At(source, "");
        Rules rules = new Rules(workflow);
        return workflow.list("triggers").stream()
                .filter(it -> it.has("signal") || it.flag("start", false))
                .map(it -> new DeclaredTrigger(
                        it.text("id").orElseThrow(),
                        it.text("source").orElseThrow().equals("internal"),
                        it.text("event").orElseThrow(),
                        it.text("workflow"),
                        it.value("guard").map(rules::condition),
                        it.object("signal")
                                .map(signal -> new Signal(
                                        signal.text("type").orElseThrow(),
                                        signal.text("key").orElseThrow()))))
                .toList();
    }
}
