package dev.flowstone.dialect.dag;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.program.Program;
import java.util.List;

/** What became of a definition. */
public sealed interface DagCompilation {
    /** All faults, in the order of the text. */
    List<Fault> faults();

    /**
     * It can run.
     *
     * @param faults warnings only
     */
    record Compiled(Program program, List<Fault> faults) implements DagCompilation {
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
    record Refused(List<Fault> faults) implements DagCompilation {
        public Refused {
            faults = List.copyOf(faults);
        }
    }
}
