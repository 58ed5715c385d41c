package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.shard.DecisionRule;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.Optional;

/** A run that is resumed has forgotten what was buffered while it was suspended. */
public final class DropsBufferedInput implements Tampering {
    @Override
    public DecisionRule rule(DecisionRule kernel) {
        return (env, state, stamp, command) -> {
            boolean goesOn = state.hold() != Hold.SUSPENDED || command instanceof ControlCommand.ResumeRun;
            if (state.buffered() == 0 || !goesOn) {
                return kernel.decide(env, state, stamp, command);
            }
            Decision decision = kernel.decide(env, forgetful(state), stamp, command);
            return decision instanceof Decision.Accepted accepted ? remembered(state, accepted) : decision;
        };
    }

    private static RunState forgetful(RunState state) {
        JsonObject.Builder all = JsonObject.builder();
        state.toJson()
                .members()
                .forEach((name, value) -> all.put(
                        name,
                        name.equals("control") && value instanceof JsonObject control ? without(control) : value));
        return Kernel.restore(state.program(), state.programHash(), all.build());
    }

    private static JsonObject without(JsonObject control) {
        JsonObject.Builder rest = JsonObject.builder();
        control.members().forEach((name, value) -> {
            if (!name.equals("buffer")) {
                rest.put(name, value);
            }
        });
        return rest.build();
    }

    private static Decision remembered(RunState state, Decision.Accepted accepted) {
        return accepted.entry()
                .<Decision>map(entry -> SpoiledDecisions.again(state, accepted, entry, accepted.events()))
                .orElseGet(() -> new Decision.Accepted(
                        accepted.events(),
                        Optional.empty(),
                        state,
                        accepted.aside(),
                        accepted.messages(),
                        accepted.buffered()));
    }
}
