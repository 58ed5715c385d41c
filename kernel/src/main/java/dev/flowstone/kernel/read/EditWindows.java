package dev.flowstone.kernel.read;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import java.util.Collection;
import java.util.Optional;

/**
 * The edit window of a run's subject, as its program declares it in its metadata:
 * {@code "windows": {node: {"mode": "EDITABLE" | "AMEND_ONLY" | "LOCKED", "fields": [name, …]}}}. A node that declares
 * nothing says nothing. What can't be read counts as locked: a mistake must not open what was meant to be closed.
 */
public final class EditWindows {
    private static final String MEMBER = "windows";

    private EditWindows() {}

    /** Whether the program says anything about edits. */
    public static boolean declares(Program program) {
        return program.metadata().get(MEMBER) instanceof JsonObject windows
                && !windows.members().isEmpty();
    }

    /**
     * The strictest of what the nodes declare at which the run is alive; of one that has ended, of those at which its paths
     * have ended. Empty if none of them says anything: then what was said last holds on. Cost linear in what is alive.
     */
    public static Optional<EditWindow> of(RunState state) {
        if (!(state.program().metadata().get(MEMBER) instanceof JsonObject windows)
                || windows.members().isEmpty()) {
            return Optional.empty();
        }
        return strictest(windows, state.status().isFinal() ? state.endedAt() : state.aliveAt());
    }

    private static Optional<EditWindow> strictest(JsonObject windows, Collection<NodeId> nodes) {
        EditWindow strictest = null;
        for (NodeId node : nodes) {
            JsonValue declared = windows.get(node.value());
            if (declared != null) {
                EditWindow window = EditWindow.read(declared).orElse(EditWindow.LOCKED);
                strictest = strictest == null ? window : strictest.strictest(window);
            }
        }
        return Optional.ofNullable(strictest);
    }
}
