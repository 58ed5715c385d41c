package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.testkit.simulation.world.Clients;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Collections;
import java.util.List;

/** I12: what a caller was told is done is stored, event for event. */
final class CallIsLogged implements Invariant {
    private int seen;

    @Override
    public String number() {
        return "I12";
    }

    @Override
    public void stepped(World world) {
        List<Clients.Answered> answered = world.clients().answered();
        while (seen < answered.size()) {
            Clients.Answered told = answered.get(seen);
            seen++;
            if (told.answer() instanceof CallAnswer.Done done && done.lastSequence() > 0) {
                RunLog log = world.logs().get(told.request().run());
                if (log == null || log.events().size() < done.lastSequence()) {
                    throw broken("done, it was said, but nothing is stored: " + told);
                }
                List<EventBody> stored = log.events().stream().map(Event::body).toList();
                if (Collections.indexOfSubList(stored, done.events()) < 0) {
                    throw broken("something else is stored than was said: " + told);
                }
            }
        }
    }
}
