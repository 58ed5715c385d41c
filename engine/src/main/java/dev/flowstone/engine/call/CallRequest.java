package dev.flowstone.engine.call;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * A command from outside.
 *
 * @param payloads to be stored in the commit that makes it true
 * @param authorization reference to what allowed it
 * @param idempotencyKey under which it may be repeated, in the scope of its run
 * @param digest of what was asked, so that another request under the same key is refused
 * @param correlation of a run that it brings to life, such as a channel; others have their own
 */
public record CallRequest(
        RunKey run,
        Command command,
        List<StoredPayload> payloads,
        Actor actor,
        Optional<String> authorization,
        Optional<String> idempotencyKey,
        Sha256 digest,
        String correlation) {
    public CallRequest {
        requireNonNull(run);
        requireNonNull(command);
        payloads = List.copyOf(payloads);
        requireNonNull(actor);
        requireNonNull(authorization);
        requireNonNull(idempotencyKey);
        requireNonNull(digest);
        requireNonNull(correlation);
    }
}
