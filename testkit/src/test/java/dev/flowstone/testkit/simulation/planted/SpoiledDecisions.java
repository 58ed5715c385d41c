package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.shard.DecisionRule;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.List;
import java.util.Optional;

/** A kernel that decides something else: its events are changed, stored and folded as if they were the right ones. */
abstract class SpoiledDecisions implements Tampering {
    /** What is decided instead. */
    abstract List<EventBody> spoiled(RunState before, Command command, List<EventBody> events);

    @Override
    public final DecisionRule rule(DecisionRule kernel) {
        return (env, state, stamp, command) -> {
            Decision decision = kernel.decide(env, state, stamp, command);
            if (decision instanceof Decision.Accepted accepted
                    && accepted.entry().isPresent()) {
                List<EventBody> events = spoiled(state, command, accepted.events());
                return events.equals(accepted.events())
                        ? decision
                        : again(state, accepted, accepted.entry().get(), events);
            }
            return decision;
        };
    }

    /** The decision with these events, folded and linked as if they were the right ones. */
    static Decision again(RunState before, Decision.Accepted accepted, JournalEntry right, List<EventBody> events) {
        try {
            Event first = JournalEntry.decode(right.bytes(), right.firstSequence(), before.lastHash())
                    .getFirst();
            JournalEntry wrong = JournalEntry.encode(first.header(), events, before.lastHash());
            RunState state = before;
            for (Event event : JournalEntry.decode(wrong.bytes(), wrong.firstSequence(), before.lastHash())) {
                state = state.apply(event);
            }
            return new Decision.Accepted(
                    events, Optional.of(wrong), state, accepted.aside(), accepted.messages(), accepted.buffered());
        } catch (CorruptEntryException e) {
            throw new IllegalStateException("a spoiled decision can't be written", e);
        }
    }
}
