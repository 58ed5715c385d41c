package dev.flowstone.connectors.run;

import dev.flowstone.action.Requester;
import dev.flowstone.engine.task.RequesterLookup;
import dev.flowstone.kernel.command.Actor;
import java.util.Optional;

/** Whom a run was started for, as actions see them. */
final class Requesters {
    /** Who stands in where nobody was named (dataflow.md §12.5.1). */
    private static final Actor SYSTEM = new Actor("user", "system");

    private Requesters() {}

    static Requester of(RequesterLookup.Found found) {
        Optional<String> name = found.requested().displayName();
        return new Requester(
                found.actor().id(),
                found.requested().email(),
                name.isEmpty() && found.actor().equals(SYSTEM) ? Optional.of("System") : name);
    }
}
