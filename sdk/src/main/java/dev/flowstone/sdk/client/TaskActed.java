package dev.flowstone.sdk.client;

import java.util.Optional;

/**
 * What a call did to a task.
 *
 * @param settled whether the task is over now; empty if an attempt before has done it, whose answer was lost: read the task
 * @param outcome how
 */
public record TaskActed(Acted acted, String activation, Optional<Boolean> settled, Optional<String> outcome) {
    static TaskActed read(Tree tree) {
        Acted acted = Acted.read(tree);
        // A repetition tells what it has changed, which is nothing, and not how the task stands.
        Optional<Boolean> settled = acted.repeated() ? Optional.empty() : Optional.of(tree.flag("settled"));
        return new TaskActed(acted, tree.textOrEmpty("activation"), settled, tree.maybeText("outcome"));
    }
}
