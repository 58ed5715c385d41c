package dev.flowstone.connectors.bind;

import dev.flowstone.action.ParameterFault;
import java.util.List;

/** What binding came to. */
public sealed interface Bound<P> {
    /** They fit. */
    record Parameters<P>(P value) implements Bound<P> {}

    /** They don't: all that is wrong, by place, at least one. */
    record Faulty<P>(List<ParameterFault> faults) implements Bound<P> {
        public Faulty {
            faults = List.copyOf(faults);
        }
    }
}
