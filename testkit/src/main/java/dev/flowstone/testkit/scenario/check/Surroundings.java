package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import java.util.List;
import java.util.Optional;

/** What a check may look at beside the run itself. */
public interface Surroundings {
    /** What an event carries, set aside or not. */
    JsonValue value(Payload payload);

    /** All programs that the scenario has. */
    List<Program> programs();

    /** The program of a version of a workflow, if there is one. */
    Optional<Sha256> version(WorkflowId workflow, int version);

    /** A channel of signals; empty if nobody has used it yet. */
    Optional<ChannelState> channel(String type, String key);

    /** What the scenario's run is about; empty if that is nothing. */
    Optional<ObservedSubject> subject();

    /** Another run, such as a child; empty if it didn't begin. */
    Optional<Observed> run(RunId run);
}
