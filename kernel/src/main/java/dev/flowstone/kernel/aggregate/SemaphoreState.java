package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.AggregateEvent.LeaseExpired;
import dev.flowstone.kernel.event.AggregateEvent.PermitGranted;
import dev.flowstone.kernel.event.AggregateEvent.PermitReleased;
import dev.flowstone.kernel.event.AggregateEvent.PermitRequestWithdrawn;
import dev.flowstone.kernel.event.AggregateEvent.PermitRequested;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A semaphore: its limit, who holds permits until when, who stands in line for them. */
public final class SemaphoreState extends AggregateState {
    private static final long ENTRY = 500;

    private final int limit;
    private final int used;
    private final long fence;
    private final Line<Request> waiting;
    private final SortedTree<Waiter, Grant> grants;
    private final SortedTree<TimerId, Grant> byTimer;

    private SemaphoreState(
            Trunk trunk,
            int limit,
            int used,
            long fence,
            Line<Request> waiting,
            SortedTree<Waiter, Grant> grants,
            SortedTree<TimerId, Grant> byTimer) {
        super(trunk);
        this.limit = limit;
        this.used = used;
        this.fence = fence;
        this.waiting = waiting;
        this.grants = grants;
        this.byTimer = byTimer;
    }

    static SemaphoreState initial(Trunk trunk) {
        return new SemaphoreState(trunk, 0, 0, 0, Line.empty(), SortedTree.empty(), SortedTree.empty());
    }

    /** Somebody in line. */
    public record Request(Waiter waiter, int permits, Duration lease) {}

    /** Permits that are held. */
    public record Grant(Waiter waiter, int permits, long fence, Instant expiresAt) {
        /** The timer that takes them back. */
        public TimerId timer() {
            return lease(fence);
        }
    }

    /** The timer that ends the lease with this fence. */
    public static TimerId lease(long fence) {
        return new TimerId("lease/" + fence);
    }

    /** The newest that was asked with; 0 before the first. */
    public int limit() {
        return limit;
    }

    /** Permits that are held; may exceed a limit that was lowered since. */
    public int used() {
        return used;
    }

    /** Grows with every grant and every expiry. */
    public long fence() {
        return fence;
    }

    public @Nullable Grant grant(Waiter waiter) {
        return grants.get(waiter);
    }

    /** Whose lease this timer ends, or null. */
    public @Nullable Grant grant(TimerId timer) {
        return byTimer.get(timer);
    }

    public List<Grant> grants() {
        return grants.values();
    }

    public boolean isWaiting(Waiter waiter) {
        return waiting.holds(waiter);
    }

    public List<Request> waiting() {
        return waiting.values();
    }

    /** Who is served next, whether or not there are permits enough; null if nobody waits. */
    public @Nullable Request firstWaiting() {
        return waiting.first();
    }

    @Override
    public boolean continues() {
        return false;
    }

    @Override
    public SemaphoreState apply(Event event) {
        SemaphoreState next = on(trunk().after(event));
        return switch (event.body()) {
            case PermitRequested body -> {
                Waiter waiter = new Waiter(body.run(), body.activation());
                Line<Request> line = waiting.with(waiter, new Request(waiter, body.permits(), body.lease()));
                yield new SemaphoreState(next.trunk(), body.limit(), used, fence, line, grants, byTimer);
            }
            case PermitGranted body -> {
                Waiter waiter = new Waiter(body.run(), body.activation());
                yield next.granted(new Grant(waiter, body.permits(), body.fence(), body.expiresAt()));
            }
            case PermitReleased body -> next.taken(new Waiter(body.run(), body.activation()), fence);
            case LeaseExpired body -> next.taken(new Waiter(body.run(), body.activation()), body.fence());
            case PermitRequestWithdrawn body -> {
                Line<Request> line = waiting.without(new Waiter(body.run(), body.activation()));
                yield new SemaphoreState(next.trunk(), limit, used, fence, line, grants, byTimer);
            }
            default -> next;
        };
    }

    private SemaphoreState granted(Grant grant) {
        if (grants.get(grant.waiter()) != null) {
            return this;
        }
        return new SemaphoreState(
                trunk(),
                limit,
                used + grant.permits(),
                grant.fence(),
                waiting.without(grant.waiter()),
                grants.with(grant.waiter(), grant),
                byTimer.with(grant.timer(), grant));
    }

    private SemaphoreState taken(Waiter waiter, long newFence) {
        Grant grant = grants.get(waiter);
        if (grant == null) {
            return this;
        }
        return new SemaphoreState(
                trunk(),
                limit,
                used - grant.permits(),
                newFence,
                waiting,
                grants.without(waiter),
                byTimer.without(grant.timer()));
    }

    private SemaphoreState on(Trunk trunk) {
        return new SemaphoreState(trunk, limit, used, fence, waiting, grants, byTimer);
    }

    @Override
    long contentWeight() {
        return ENTRY * (waiting.size() + grants.size());
    }

    @Override
    public JsonObject toJson() {
        List<JsonValue> line = new ArrayList<>();
        for (Request request : waiting.values()) {
            line.add(Waiters.write(request.waiter())
                    .put("permits", request.permits())
                    .put("lease", request.lease().toString())
                    .build());
        }
        List<JsonValue> held = new ArrayList<>();
        for (Grant grant : grants.values()) {
            held.add(Waiters.write(grant.waiter())
                    .put("permits", grant.permits())
                    .put("fence", grant.fence())
                    .put("expiresAt", Times.write(grant.expiresAt()))
                    .build());
        }
        return trunk().toJson()
                .put("limit", limit)
                .put("fence", fence)
                .put("waiting", new JsonArray(line))
                .put("grants", new JsonArray(held))
                .build();
    }

    static SemaphoreState restore(JsonObject snapshot) {
        JsonCursor at = JsonCursor.of(snapshot);
        Line<Request> line = Line.empty();
        for (JsonCursor one : at.member("waiting").items()) {
            Waiter waiter = Waiters.read(one);
            line = line.with(waiter, new Request(waiter, one.intValue("permits"), one.as("lease", Duration::parse)));
        }
        SemaphoreState state = new SemaphoreState(
                Trunk.read(Aggregates.Kind.SEMAPHORE, at),
                at.intValue("limit"),
                0,
                0,
                line,
                SortedTree.empty(),
                SortedTree.empty());
        for (JsonCursor one : at.member("grants").items()) {
            state = state.granted(new Grant(
                    Waiters.read(one),
                    one.intValue("permits"),
                    one.longValue("fence"),
                    one.as("expiresAt", Times::read)));
        }
        return new SemaphoreState(
                state.trunk(),
                state.limit,
                state.used,
                at.longValue("fence"),
                state.waiting,
                state.grants,
                state.byTimer);
    }
}
