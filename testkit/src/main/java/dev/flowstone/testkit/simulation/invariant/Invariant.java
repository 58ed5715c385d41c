package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.Violation;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** One rule, with what it remembers of one world. */
public interface Invariant {
    /** Its number: {@code I4}. */
    String number();

    /** A run moved; {@code fresh} are the last events of its log. */
    default void moved(World world, RunLog log, List<Event> fresh) {}

    /** A step has ended, whatever it was. */
    default void stepped(World world) {}

    /** Faults are over and everything has come to rest. */
    default void ended(World world) {}

    /** The rule is broken. */
    default Violation broken(String what) {
        return new Violation(number(), what);
    }
}
