package dev.flowstone.testkit.scenario.step;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.scenario.check.Expectation;
import dev.flowstone.testkit.scenario.check.Observed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where a scenario plays, as its steps may touch it. A step to come that sends a command gets its door here. */
public interface Stage {
    /** The virtual time. */
    Instant now();

    /** Lets the time pass to this instant; everything due on the way happens at its own. */
    void advanceTo(Instant end);

    /** Compares the run as it stands now; what differs is kept, and the scenario goes on. */
    void expect(Expectation expectation);

    /** Whose runs and channels these are. */
    TenantId tenant();

    /**
     * A run as it stands now: the scenario's own, or the newest child of a call in it, and so on.
     *
     * @throws StepException if there is no such child
     */
    Observed observed(List<String> calls) throws StepException;

    /**
     * Asks something of a run or a channel by the engine's door, and lets happen whatever comes of it at this instant.
     *
     * @param once an idempotency key
     * @param said what a repetition under that key is compared with
     */
    CallAnswer call(RunId run, Command command, Actor by, Optional<String> once, JsonValue said);

    /**
     * Begins a run after that event of the scenario's run; if it is accepted, the scenario goes on with the new one.
     *
     * @param once an idempotency key
     * @return code and reason of the refusal; empty if it was accepted
     */
    String reset(long sequence, Actor by, Optional<String> once);

    /** A policy of the tenant gets its next version. */
    void publish(PolicyName policy, JsonObject bundle);

    /**
     * Somebody outside edits what the run is about, and whatever comes of it at this instant happens.
     *
     * @return code and reason of the refusal; empty if it was accepted
     * @throws StepException if the run is about nothing
     */
    String edit(Edit edit) throws StepException;

    /** Sets something for a whole scope, and lets happen whatever comes of it at this instant. */
    void hold(SettingRequest request);

    /** The node dies, without a last word, and another takes over what it left in the database. */
    void replaceNode();
}
