package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.payload.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The undoing of one effect, from when its turn has come until it is over.
 *
 * @param activation {@code node#-visit}
 * @param scope number of the scope instance whose turn it is
 * @param done what the undone activation answered
 * @param attempt the last one handed out; 0 before the first
 * @param input as rendered for the first attempt
 * @param asks whether it is not tried any more and waits for a person's word
 */
public record Undo(
        ActivationId activation,
        int scope,
        Sha256 key,
        Payload done,
        int attempt,
        @Nullable Payload input,
        boolean asks) {
    Undo attempted(int number, @Nullable Payload rendered) {
        return new Undo(activation, scope, key, done, number, rendered == null ? input : rendered, asks);
    }

    Undo asking() {
        return new Undo(activation, scope, key, done, attempt, null, true);
    }
}
