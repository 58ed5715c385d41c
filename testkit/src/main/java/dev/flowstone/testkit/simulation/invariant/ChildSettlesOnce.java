package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** R22: each started child begins, once, as that call's child; a call learns of its end once; who waits learns of it. */
final class ChildSettlesOnce implements Invariant {
    /** After these the parent doesn't wait any more; a child that is only held, or goes on, still reports. */
    private static final Set<Message.Operation> RELEASING =
            Set.of(Message.Operation.CANCEL, Message.Operation.TERMINATE, Message.Operation.DETACH);

    private final Map<RunId, Call> started = new HashMap<>();
    private final Set<RunId> begun = new HashSet<>();
    private final Set<RunId> ended = new HashSet<>();
    private final Set<RunId> released = new HashSet<>();

    private record Call(RunKey parent, ActivationId activation, boolean awaited) {}

    @Override
    public String number() {
        return "R22";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        for (Event event : fresh) {
            switch (event.body()) {
                case MessageEvent.ChildStarted body -> {
                    Call call = new Call(log.run(), body.activation(), body.awaited());
                    if (started.put(body.child(), call) != null) {
                        throw broken("two calls start one child: " + body);
                    }
                }
                case MessageEvent.ChildBegun _ -> begins(log);
                case MessageEvent.ChildEnded body -> {
                    if (!ended.add(body.child())) {
                        throw broken(log.name() + " hears twice that a child has ended: " + body);
                    }
                }
                case MessageEvent.ChildControlled body
                when RELEASING.contains(body.operation()) -> released.add(body.child());
                default -> {}
            }
        }
    }

    private void begins(RunLog log) {
        if (!begun.add(log.run().run())) {
            throw broken(log.name() + " begins twice");
        }
    }

    @Override
    public void ended(World world) {
        for (RunId child : begun) {
            if (!started.containsKey(child)) {
                throw broken(child + " has no parent that started it");
            }
        }
        started.forEach((child, call) -> {
            RunLog log = world.logs().get(new RunKey(World.TENANT, child));
            if (log == null || !begun.contains(child)) {
                throw broken("the child of " + call + " never began");
            }
            RunLog parent = world.logs().get(call.parent);
            boolean waits =
                    call.awaited && parent != null && !parent.state().status().isFinal();
            if (waits && log.state().status().isFinal() && !ended.contains(child) && !released.contains(child)) {
                throw broken(call + " never heard that its child has ended");
            }
        });
    }
}
