package dev.flowstone.kernel.expression;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.Optional;

/** Something outside the run that a decision needs to know; fetched by the engine. */
public sealed interface Fact {
    /** The content of a value that was too large to stand in an event. */
    record StoredValue(Sha256 hash) implements Fact {}

    /**
     * The program that a call starts: {@code {"version": n, "program": hash}}, or null if there is none.
     *
     * @param version empty means the active one
     */
    record CalledProgram(WorkflowId workflow, Optional<Integer> version) implements Fact {
        public CalledProgram {
            requireNonNull(workflow);
            requireNonNull(version);
        }
    }

    /** The current version of a policy: {@code {"version": n, "hash": hash, "bundle": object}}, or null if there is none. */
    record Policy(PolicyName bundle) implements Fact {
        public Policy {
            requireNonNull(bundle);
        }
    }
}
