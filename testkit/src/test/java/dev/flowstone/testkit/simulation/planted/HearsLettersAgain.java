package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.shard.DecisionRule;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.testkit.simulation.world.Tampering;

/** A letter that comes again counts as a new one, whatever its sender has said. */
public final class HearsLettersAgain implements Tampering {
    private static final long FAR = 1_000_000;

    @Override
    public DecisionRule rule(DecisionRule kernel) {
        return (env, state, stamp, command) -> kernel.decide(
                env,
                state,
                stamp,
                command instanceof Command.Deliver letter && state.lastSequence() > 0
                        ? new Command.Deliver(
                                letter.tenant(),
                                letter.receiver(),
                                letter.sender(),
                                letter.number() + FAR * state.lastSequence(),
                                letter.message())
                        : command);
    }
}
