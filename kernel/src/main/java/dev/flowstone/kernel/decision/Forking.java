package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.ForkState;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;

/** Begins a fork and opens its branches, window by window (R4, R10). */
final class Forking {
    private Forking() {}

    static void begin(Deciding deciding, Node.Fork node, ActivationId id) {
        Activation activation = deciding.state().activation(id);
        int depth = activation == null ? 0 : deciding.state().tree().depth(activation.scope());
        if (depth >= deciding.bounds().forks().nesting()) {
            refused(deciding, id, "NESTED_TOO_DEEP", "branches may have " + depth + " scopes around them at most");
            return;
        }
        switch (node.branches()) {
            case Branches.Static named ->
                open(deciding, node, id, named.branches().size(), Optional.empty());
            case Branches.Each each -> {
                switch (deciding.render(each.items())) {
                    case Rendering.Failed failed when isMissing(failed) -> each(deciding, node, id, JsonNull.NULL);
                    case Rendering.Failed failed ->
                        Dispatching.failed(deciding, id, 1, Dispatching.templateError(failed));
                    case Rendering.Rendered rendered -> each(deciding, node, id, rendered.value());
                }
            }
        }
    }

    /** The template is one name of something that isn't there. */
    private static boolean isMissing(Rendering.Failed failed) {
        return failed.pointer().isEmpty() && failed.error().code().equals("UNKNOWN_NAME");
    }

    private static void each(Deciding deciding, Node.Fork node, ActivationId id, JsonValue items) {
        switch (items) {
            case JsonNull _ -> open(deciding, node, id, 0, Optional.of(Payload.of(JsonArray.EMPTY)));
            case JsonArray array -> open(deciding, node, id, array.items().size(), Optional.of(Payload.of(array)));
            default -> refused(deciding, id, "NO_COLLECTION", "a fork opens branches for a list's elements");
        }
    }

    private static void open(Deciding deciding, Node.Fork node, ActivationId id, int count, Optional<Payload> items) {
        int most = deciding.bounds().forks().branches();
        if (count > most) {
            refused(deciding, id, "TOO_MANY_BRANCHES", "a fork opens " + most + " branches at most, not " + count);
        } else if (!deciding.offer(new ForkEvent.ForkOpened(id, count, items))) {
            refused(
                    deciding,
                    id,
                    "ITEMS_TOO_LARGE",
                    "the collection is longer than an event may be: "
                            + deciding.bounds().eventBytes());
        } else {
            Joining.opened(deciding, node, id);
        }
    }

    private static void refused(Deciding deciding, ActivationId id, String code, String message) {
        Dispatching.failed(deciding, id, 1, TaskError.of(code, message));
    }

    /** Opens the next branch; none advances before the window is full. */
    static void step(Deciding deciding, WorkItem.Fan fan) {
        Draft state = deciding.state();
        ForkState fork = state.tree().fork(fan.fork());
        if (fork == null || !(state.program().node(fan.fork().node()) instanceof Node.Fork node)) {
            throw new IllegalStateException("branches of a fork that is over: " + fan);
        }
        ScopeId scope = switch (node.branches()) {
            case Branches.Static named -> named.branches().get(fork.next()).scope();
            case Branches.Each each -> each.scope();
        };
        deciding.emit(new ForkEvent.BranchOpened(
                fork.fork(), fork.next(), scope, state.tree().nextScope()));
    }

    /** What has not been opened yet never will be: one event, however many they are (R4). */
    static void cancel(Deciding deciding, ActivationId id) {
        ForkState fork = deciding.state().tree().fork(id);
        if (fork != null && fork.next() < fork.branches()) {
            deciding.emit(new ForkEvent.BranchesDiscarded(id, fork.next(), fork.branches() - fork.next()));
        }
    }
}
