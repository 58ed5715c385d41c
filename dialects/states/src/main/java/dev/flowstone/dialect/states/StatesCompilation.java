package dev.flowstone.dialect.states;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.program.Program;
import java.util.List;

/** What became of a source. */
public sealed interface StatesCompilation {
    /** All faults, in the order of the text. */
    List<Fault> faults();

    /**
     * It can run.
     *
     * @param faults warnings and lints only
     */
    record Compiled(Program program, List<Fault> faults) implements StatesCompilation {
        public Compiled {
            requireNonNull(program);
            faults = List.copyOf(faults);
        }
    }

    /**
     * It can't run.
     *
     * @param faults at least one error; warnings too
     */
    record Refused(List<Fault> faults) implements StatesCompilation {
        public Refused {
            faults = List.copyOf(faults);
        }
    }
}
