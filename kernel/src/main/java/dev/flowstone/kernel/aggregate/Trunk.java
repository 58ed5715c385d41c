package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.Heard;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all aggregates have in common: their place in the journal, whom they have heard, their timers. */
record Trunk(
        Aggregates.Kind kind,
        @Nullable TenantId tenant,
        @Nullable RunId id,
        String correlation,
        long lastSequence,
        Sha256 lastHash,
        Instant lastEventTime,
        Heard heard,
        SortedTree<TimerId, TimerState> timers) {
    static final int FORMAT = 1;

    static Trunk initial(Aggregates.Kind kind) {
        return new Trunk(kind, null, null, "", 0, Sha256.ZERO, Instant.EPOCH, Heard.NOBODY, SortedTree.empty());
    }

    /** After an event, as far as it concerns all aggregates. */
    Trunk after(Event event) {
        EventHeader header = event.header();
        return new Trunk(
                kind,
                header.tenant(),
                header.run(),
                lastSequence == 0 ? header.correlation() : correlation,
                event.sequence(),
                event.hash(),
                header.eventTime(),
                event.body() instanceof MessageEvent.MessageReceived received
                        ? heard.with(received.sender(), received.number())
                        : heard,
                timers(event.body()));
    }

    private SortedTree<TimerId, TimerState> timers(EventBody body) {
        return switch (body) {
            case EventBody.TimerSet set ->
                timers.with(
                        set.timer(),
                        new TimerState(set.timer(), set.generation(), set.dueAt(), set.purpose(), Optional.empty()));
            case EventBody.TimerFired fired -> timers.without(fired.timer());
            case EventBody.TimerCanceled canceled -> timers.without(canceled.timer());
            default -> timers;
        };
    }

    JsonObject.Builder toJson() {
        JsonObject.Builder out = JsonObject.builder()
                .put("format", FORMAT)
                .put("program", kind.hash().toString())
                .put("sequence", lastSequence);
        if (tenant == null || id == null) {
            return out;
        }
        List<JsonValue> set = new ArrayList<>();
        for (TimerState timer : timers.values()) {
            set.add(JsonObject.builder()
                    .put("timer", timer.timer().value())
                    .put("generation", timer.generation())
                    .put("dueAt", Times.write(timer.dueAt()))
                    .build());
        }
        return out.put("tenant", tenant.value())
                .put("run", id.toString())
                .put("correlation", correlation)
                .put("hash", lastHash.toString())
                .put("time", Times.write(lastEventTime))
                .put("heard", heard.toJson())
                .put("timers", new JsonArray(set));
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException if it is no snapshot, or one of another program
     */
    static Trunk read(Aggregates.Kind kind, JsonCursor at) {
        if (at.intValue("format") != FORMAT) {
            throw at.member("format").fault("no snapshot of this format is known to this release");
        }
        if (!at.as("program", Sha256::parse).equals(kind.hash())) {
            throw at.member("program").fault("a snapshot of another program");
        }
        if (at.longValue("sequence") == 0) {
            return initial(kind);
        }
        SortedTree<TimerId, TimerState> timers = SortedTree.empty();
        for (JsonCursor one : at.member("timers").items()) {
            TimerState timer = new TimerState(
                    one.as("timer", TimerId::new),
                    one.intValue("generation"),
                    one.as("dueAt", Times::read),
                    EventBody.TimerPurpose.EXPIRY,
                    Optional.empty());
            timers = timers.with(timer.timer(), timer);
        }
        return new Trunk(
                kind,
                at.as("tenant", TenantId::new),
                at.as("run", RunId::parse),
                at.string("correlation"),
                at.longValue("sequence"),
                at.as("hash", Sha256::parse),
                at.as("time", Times::read),
                Heard.read(at.member("heard")),
                timers);
    }
}
