package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages are exactly once in effect: one decision at most names a message as its cause, but for what a transaction has
 * recorded and a later attempt finds; and none is left in the inbox.
 */
final class MessageIsConsumedOnce implements Invariant {
    private static final int SOME = 10;

    private final Map<String, Long> decisions = new HashMap<>();
    private final Map<String, Long> letters = new HashMap<>();

    @Override
    public String number() {
        return "R21";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            if (event.body() instanceof MessageEvent.MessageReceived received) {
                heard(world, log, received);
            }
            event.header().causation().ifPresent(message -> {
                long decision = event.header().firstSequence();
                Long before = decisions.putIfAbsent(log.run().run() + " " + message, decision);
                if (before != null && before != decision && !isFoundAgain(log, message, before, decision)) {
                    throw broken("the message " + message + " caused event " + before + " and event " + decision
                            + " of " + log.state().correlation());
                }
            });
        }
    }

    /** What a transaction has recorded is found by a later attempt, too, if the one that recorded it couldn't use it. */
    private static boolean isFoundAgain(RunLog log, String message, long before, long decision) {
        return message.startsWith(TransactionRequest.SOURCE + "/")
                && log.events().stream()
                        .anyMatch(event -> event.sequence() > before
                                && event.sequence() < decision
                                && event.body() instanceof EventBody.TaskScheduled);
    }

    /** Letters of a pair come in order, each once, and from an event that is stored. */
    private void heard(World world, RunLog log, MessageEvent.MessageReceived received) {
        Long before = letters.put(log.run().run() + " " + received.sender(), received.number());
        RunLog sender = world.logs().get(new RunKey(World.TENANT, received.sender()));
        if (before != null && before >= received.number()) {
            throw broken(log.name() + " hears " + received + " after number " + before);
        }
        if (sender == null || sender.state().lastSequence() < received.number()) {
            throw broken(log.name() + " hears what nobody has said: " + received);
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
