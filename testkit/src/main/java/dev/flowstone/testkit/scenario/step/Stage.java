package dev.flowstone.testkit.scenario.step;

import dev.flowstone.testkit.scenario.check.Expectation;
import java.time.Instant;

/** Where a scenario plays, as its steps may touch it. A step to come that sends a command gets its door here. */
public interface Stage {
    /** The virtual time. */
    Instant now();

    /** Lets the time pass to this instant; everything due on the way happens at its own. */
    void advanceTo(Instant end);

    /** Compares the run as it stands now; what differs is kept, and the scenario goes on. */
    void expect(Expectation expectation);

    /** The node dies, without a last word, and another takes over what it left in the database. */
    void replaceNode();
}
