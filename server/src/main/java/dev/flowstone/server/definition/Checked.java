package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.kernel.program.Program;
import java.util.List;
import java.util.Optional;

/**
 * What became of a source, whichever dialect it is in.
 *
 * @param program empty if it was refused
 * @param faults in the order of the text; only warnings, if there is a program
 */
public record Checked(Optional<Program> program, List<Fault> faults) {
    public Checked {
        requireNonNull(program);
        faults = List.copyOf(faults);
    }
}
