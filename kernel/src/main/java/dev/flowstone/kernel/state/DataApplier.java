package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The data that a run decides on: its variables, the version of its subject. */
final class DataApplier {
    private DataApplier() {}

    static void apply(Draft draft, DataEvent event) {
        switch (event) {
            case DataEvent.SubjectChanged body -> subject(draft, body);
            case DataEvent.VariablesSet body -> variables(draft, body);
            case DataEvent.ContextPruned body ->
                body.bytes().forEach((node, bytes) -> Activations.leaveOut(draft, draft.topology.place(node), bytes));
        }
    }

    /** Costs the same however many tasks are open: each of them is dealt with later, by events of its own. */
    private static void subject(Draft draft, DataEvent.SubjectChanged body) {
        draft.data.subjectVersion = body.subjectVersion();
        if (!body.byThisRun()) {
            draft.people.drifting = draft.people.humanTasks;
            Verdicts.voidAll(draft);
        }
    }

    private static void variables(Draft draft, DataEvent.VariablesSet body) {
        for (Map.Entry<String, JsonValue> one : body.assigned().entrySet()) {
            set(draft, variable(one.getKey(), one.getValue()));
        }
        Activation activation = body.activation().map(draft::activation).orElse(null);
        if (activation != null && activation.isLive()) {
            Activations.result(draft, activation, Outcome.SUCCESS, null, null);
        }
    }

    static Variable variable(String name, JsonValue value) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length + CanonicalJson.exact(value).length;
        return new Variable(name, value, bytes);
    }

    static void set(Draft draft, Variable variable) {
        Variable before = draft.data.variables.get(variable.name());
        if (before != null) {
            draft.data.variableBytes -= before.bytes();
            draft.weight -= Weight.of(before);
        }
        draft.data.variables = draft.data.variables.with(variable.name(), variable);
        draft.data.variableBytes += variable.bytes();
        draft.weight += Weight.of(variable);
    }
}
