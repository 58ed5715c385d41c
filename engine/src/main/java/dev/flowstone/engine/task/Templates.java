package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;

/** What an attempt's input was rendered from. */
final class Templates {
    private Templates() {}

    /** The input's template, of the task or of what undoes it; null if the program has no such task (any more). */
    static JsonValue of(Program program, ActivationId activation) {
        if (!program.has(activation.node()) || !(program.node(activation.node()) instanceof Node.Task task)) {
            return JsonNull.NULL;
        }
        if (!activation.isUndoing()) {
            return task.input();
        }
        return task.compensation().orElse(null) instanceof Compensation.ByHandler undoing
                ? undoing.input()
                : JsonNull.NULL;
    }
}
