package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.ActivationId;

/** Which attempt of which run. */
public record RemoteName(RunKey run, ActivationId activation, int attempt) {
    public RemoteName {
        requireNonNull(run);
        requireNonNull(activation);
    }

    Visit visit() {
        return new Visit(run, activation);
    }

    /** Whose attempt it is; one at a time is open. */
    record Visit(RunKey run, ActivationId activation) {}
}
