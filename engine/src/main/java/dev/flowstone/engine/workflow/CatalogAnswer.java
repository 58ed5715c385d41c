package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;

/**
 * What became of an operation on the catalog.
 *
 * @param <T> what it answers when it is done
 */
public sealed interface CatalogAnswer<T> {
    /** Done, and durable. */
    record Done<T>(T value) implements CatalogAnswer<T> {
        public Done {
            requireNonNull(value);
        }
    }

    /** The definition has faults; nothing was stored. */
    record Invalid<T>(List<DefinitionFault> faults) implements CatalogAnswer<T> {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }

    /** There is no such workflow. */
    record Unknown<T>(WorkflowId workflow) implements CatalogAnswer<T> {
        public Unknown {
            requireNonNull(workflow);
        }
    }

    /** Not in this state. */
    record Refused<T>(Refusal refusal, WorkflowRow row) implements CatalogAnswer<T> {
        public Refused {
            requireNonNull(refusal);
            requireNonNull(row);
        }
    }

    /** Somebody else changed the workflow: it isn't at the revision that the caller expected. */
    record Changed<T>(WorkflowId workflow) implements CatalogAnswer<T> {
        public Changed {
            requireNonNull(workflow);
        }
    }
}
