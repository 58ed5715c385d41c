package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a scenario's run is about, as it stands in the database.
 *
 * @param version that the database has
 * @param values its own fields
 * @param changes all that was committed, in that order
 * @param transactional the actions that change it
 */
public record ObservedSubject(
        Subject subject, long version, JsonObject values, List<Change> changes, Set<HandlerName> transactional) {
    public ObservedSubject {
        requireNonNull(subject);
        requireNonNull(values);
        changes = List.copyOf(changes);
        transactional = Set.copyOf(transactional);
    }

    /**
     * One transaction that was committed.
     *
     * @param by whose attempt; empty if somebody outside did it
     * @param version that it gave the subject; empty if that stayed as it was
     */
    public record Change(Optional<Attempt> by, Optional<Long> version, JsonObject sets) {
        public Change {
            requireNonNull(by);
            requireNonNull(version);
            requireNonNull(sets);
        }
    }

    /** An attempt of a task. */
    public record Attempt(ActivationId activation, int attempt) {
        public Attempt {
            requireNonNull(activation);
        }
    }
}
