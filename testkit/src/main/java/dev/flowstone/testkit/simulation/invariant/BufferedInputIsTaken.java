package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * R25: what a suspended run buffers is numbered without a gap, taken in that order, each once, and never while the run is
 * suspended. A decision that leaves the run neither suspended nor with work to continue leaves nothing in the buffer, and
 * neither does the run's end.
 */
final class BufferedInputIsTaken implements Invariant {
    private final Map<RunKey, Buffer> buffers = new HashMap<>();

    private static final class Buffer {
        private Hold own = Hold.NONE;
        private boolean wide;
        private long kept;
        private long taken;
        private boolean goesOn;

        /** The run's own suspension or drain counts before that of a scope that it lies in. */
        boolean isSuspended() {
            return own == Hold.NONE ? wide : own == Hold.SUSPENDED;
        }
    }

    @Override
    public String number() {
        return "R25";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        Buffer buffer = buffers.computeIfAbsent(log.run(), _ -> new Buffer());
        for (int i = 0; i < fresh.size(); i++) {
            Event event = fresh.get(i);
            see(buffer, log, event.body());
            boolean last = i + 1 == fresh.size()
                    || fresh.get(i + 1).header().firstSequence()
                            != event.header().firstSequence();
            if (last && !buffer.isSuspended() && !buffer.goesOn && buffer.taken < buffer.kept) {
                throw broken(log.name() + " goes on at event " + event.sequence() + " without its buffered input "
                        + (buffer.taken + 1) + " of " + buffer.kept);
            }
        }
    }

    private void see(Buffer buffer, RunLog log, EventBody event) {
        buffer.goesOn = event instanceof EventBody.ContinueScheduled;
        switch (event) {
            case ControlEvent.RunSuspended _ -> buffer.own = Hold.SUSPENDED;
            case ControlEvent.RunDraining _ -> buffer.own = Hold.DRAINING;
            case ControlEvent.RunResumed _ -> buffer.own = Hold.NONE;
            case ControlEvent.HoldImposed body -> buffer.wide = body.mode() == Setting.Mode.SUSPEND;
            case ControlEvent.HoldLifted _, ControlEvent.HoldWaived _ -> buffer.wide = false;
            case ControlEvent.RunCanceling _, ControlEvent.RunTerminating _ -> {
                buffer.own = Hold.NONE;
                buffer.wide = false;
            }
            case ControlEvent.InputBuffered body -> {
                buffer.kept++;
                if (body.number() != buffer.kept) {
                    throw broken(log.name() + " buffers " + body + " as input " + buffer.kept);
                }
            }
            case ControlEvent.BufferedInputTaken body -> {
                buffer.taken++;
                if (body.number() != buffer.taken || buffer.taken > buffer.kept || buffer.isSuspended()) {
                    throw broken(log.name() + " takes " + body + " in the place of input " + buffer.taken + " of "
                            + buffer.kept);
                }
            }
            case EventBody ends
            when ends.endsRun() && buffer.taken < buffer.kept ->
                throw broken(log.name() + " ends without its buffered input " + (buffer.taken + 1));
            default -> {}
        }
    }
}
