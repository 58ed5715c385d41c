package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Messages are exactly once in effect: one decision at most names a message as its cause, and none is left in the inbox. */
final class MessageIsConsumedOnce implements Invariant {
    private static final int SOME = 10;

    private final Map<String, Long> decisions = new HashMap<>();

    @Override
    public String number() {
        return "R21";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            event.header().causation().ifPresent(message -> {
                long decision = event.header().firstSequence();
                Long before = decisions.putIfAbsent(log.run().run() + " " + message, decision);
                if (before != null && before != decision) {
                    throw broken("the message " + message + " caused event " + before + " and event " + decision
                            + " of " + log.state().correlation());
                }
            });
        }
    }

    @Override
    public void ended(World world) {
        for (SimulatedNode node : world.nodes()) {
            node.engine()
                    .ifPresent(engine -> engine.node().loops().forEach(loop -> {
                        try {
                            List<InboxMessage> left =
                                    world.database().ports().journal().inbox(loop.lease(), SOME);
                            if (!left.isEmpty()) {
                                throw broken("messages are left in the inbox: " + left);
                            }
                        } catch (JournalException e) {
                            throw broken("the inbox can't be read: " + e);
                        }
                    }));
        }
    }
}
