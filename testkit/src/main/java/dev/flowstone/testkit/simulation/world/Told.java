package dev.flowstone.testkit.simulation.world;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.program.Program;

/**
 * One event of a run.
 *
 * @param program that the run followed then; of an event that changes it, the new one
 */
public record Told(Event event, Program program) {
    public Told {
        requireNonNull(event);
        requireNonNull(program);
    }
}
