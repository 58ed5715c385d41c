package dev.flowstone.engine.task;

import dev.flowstone.engine.limit.Gate;
import dev.flowstone.engine.limit.Line;
import dev.flowstone.engine.limit.Permit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * What waits for workers of one action in one tenant and of one class, in order, and the claims that are made of it, in order. Its first begins
 * when there are both, and the limits let it. Guarded by the gates.
 */
final class RemoteLane extends Line {
    final RemoteEntry.Lane key;
    final Waiting<RemoteEntry> waiting;
    final SequencedSet<RemoteWaiter> claims = new LinkedHashSet<>();
    private final RemoteLanes lanes;

    RemoteLane(RemoteEntry.Lane key, List<Gate> limits, RemoteLanes lanes) {
        super(key.workClass(), limits);
        this.key = key;
        this.lanes = lanes;
        this.waiting = new Waiting<>(entry -> entry.task, () -> lanes.pass(this));
    }

    @Override
    protected boolean isReady() {
        return waiting.isReady() && !claims.isEmpty();
    }

    @Override
    protected boolean begin(Permit permit) {
        return lanes.handOut(this, permit);
    }
}
