package dev.flowstone.sdk.client;

import java.util.Optional;

/**
 * What a call did to a task.
 *
 * @param settled whether the task is over now
 * @param outcome how
 */
public record TaskActed(Acted acted, String activation, boolean settled, Optional<String> outcome) {
    static TaskActed read(Tree tree) {
        return new TaskActed(
                Acted.read(tree), tree.textOrEmpty("activation"), tree.flag("settled"), tree.maybeText("outcome"));
    }
}
