package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.AggregateEvent.SignalExpired;
import dev.flowstone.kernel.event.AggregateEvent.SignalMatched;
import dev.flowstone.kernel.event.AggregateEvent.SignalReceived;
import dev.flowstone.kernel.event.AggregateEvent.SignalTakenBack;
import dev.flowstone.kernel.event.AggregateEvent.SubscriptionClosed;
import dev.flowstone.kernel.event.AggregateEvent.SubscriptionOpened;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.state.Weight;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A channel: awaits in line, signals that nobody has waited for yet by number, and the names of the newest signals. At any
 * time one of line and kept signals is empty, but for what has expired.
 */
public final class ChannelState extends AggregateState {
    /** How many names of signals are remembered at most; the oldest are forgotten, as are those whose time is over. */
    static final int NAMES = 10_000;

    private static final long ENTRY = 400;

    private final Line<Waiter> waiting;
    private final LongMap<KeptSignal> kept;
    private final SortedTree<Expiry, Expiry> expiries;
    private final SortedTree<String, Name> names;
    private final LongMap<Name> nameOrder;
    private final long signals;
    private final long payloads;

    private ChannelState(
            Trunk trunk,
            Line<Waiter> waiting,
            LongMap<KeptSignal> kept,
            SortedTree<Expiry, Expiry> expiries,
            SortedTree<String, Name> names,
            LongMap<Name> nameOrder,
            long signals,
            long payloads) {
        super(trunk);
        this.waiting = waiting;
        this.kept = kept;
        this.expiries = expiries;
        this.names = names;
        this.nameOrder = nameOrder;
        this.signals = signals;
        this.payloads = payloads;
    }

    static ChannelState initial(Trunk trunk) {
        return new ChannelState(
                trunk, Line.empty(), LongMap.empty(), SortedTree.empty(), SortedTree.empty(), LongMap.empty(), 0, 0);
    }

    /** A signal that waits for an await. */
    public record KeptSignal(long number, Payload payload, Instant expiresAt) {}

    private record Expiry(Instant at, long number) implements Comparable<Expiry> {
        @Override
        public int compareTo(Expiry other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private record Name(String name, Instant until, long signal) {}

    /** Who waits longest, or null. */
    public @Nullable Waiter firstWaiting() {
        return waiting.first();
    }

    public boolean isWaiting(Waiter waiter) {
        return waiting.holds(waiter);
    }

    /** In the order in which they came. */
    public List<Waiter> waiting() {
        return waiting.values();
    }

    /** The oldest signal that is kept, or null. */
    public @Nullable KeptSignal firstKept() {
        return kept.isEmpty() ? null : kept.get(kept.firstKey());
    }

    public int kept() {
        return kept.size();
    }

    /** The signal that expires first, or null. */
    public @Nullable KeptSignal nextToExpire() {
        Expiry first = expiries.firstKey();
        return first == null ? null : kept.get(first.number());
    }

    /** Whether a signal of that name came, and its time isn't over. */
    public boolean knows(String name, Instant now) {
        Name known = names.get(name);
        return known != null && known.until().isAfter(now);
    }

    /** Number of the next signal. */
    public long nextSignal() {
        return signals + 1;
    }

    @Override
    public boolean continues() {
        return false;
    }

    @Override
    public ChannelState apply(Event event) {
        ChannelState next = on(trunk().after(event));
        return switch (event.body()) {
            case SubscriptionOpened body -> {
                Waiter waiter = new Waiter(body.run(), body.activation());
                yield next.in(waiting.with(waiter, waiter));
            }
            case SubscriptionClosed body -> next.in(waiting.without(new Waiter(body.run(), body.activation())));
            case SignalReceived body -> next.received(body, event.header().eventTime());
            case SignalMatched body ->
                next.in(waiting.without(new Waiter(body.run(), body.activation())))
                        .without(body.signal());
            case SignalTakenBack body -> next.with(new KeptSignal(body.signal(), body.payload(), body.expiresAt()));
            case SignalExpired body -> next.without(body.signal());
            default -> next;
        };
    }

    private ChannelState received(SignalReceived body, Instant now) {
        ChannelState counted = new ChannelState(
                trunk(), waiting, kept, expiries, names, nameOrder, Math.max(signals, body.signal()), payloads);
        ChannelState named = body.dedupe()
                .map(name -> counted.named(new Name(name, body.dedupeUntil(), body.signal()), now))
                .orElse(counted);
        return body.broadcast() ? named : named.with(new KeptSignal(body.signal(), body.payload(), body.expiresAt()));
    }

    private ChannelState named(Name name, Instant now) {
        SortedTree<String, Name> known = names;
        LongMap<Name> order = nameOrder;
        Name before = known.get(name.name());
        if (before != null) {
            order = order.without(before.signal());
        }
        known = known.with(name.name(), name);
        order = order.with(name.signal(), name);
        while (!order.isEmpty()) {
            Name oldest = order.get(order.firstKey());
            if (oldest == null || (order.size() <= NAMES && oldest.until().isAfter(now))) {
                break;
            }
            order = order.without(oldest.signal());
            known = known.without(oldest.name());
        }
        return new ChannelState(trunk(), waiting, kept, expiries, known, order, signals, payloads);
    }

    private ChannelState on(Trunk trunk) {
        return new ChannelState(trunk, waiting, kept, expiries, names, nameOrder, signals, payloads);
    }

    private ChannelState in(Line<Waiter> line) {
        return new ChannelState(trunk(), line, kept, expiries, names, nameOrder, signals, payloads);
    }

    private ChannelState with(KeptSignal signal) {
        if (kept.get(signal.number()) != null) {
            return this;
        }
        Expiry expiry = new Expiry(signal.expiresAt(), signal.number());
        return new ChannelState(
                trunk(),
                waiting,
                kept.with(signal.number(), signal),
                expiries.with(expiry, expiry),
                names,
                nameOrder,
                signals,
                payloads + Weight.of(signal.payload()));
    }

    private ChannelState without(long number) {
        KeptSignal signal = kept.get(number);
        return signal == null
                ? this
                : new ChannelState(
                        trunk(),
                        waiting,
                        kept.without(number),
                        expiries.without(new Expiry(signal.expiresAt(), number)),
                        names,
                        nameOrder,
                        signals,
                        payloads - Weight.of(signal.payload()));
    }

    @Override
    long contentWeight() {
        return payloads + ENTRY * (waiting.size() + kept.size() + names.size());
    }

    @Override
    public JsonObject toJson() {
        List<JsonValue> line = new ArrayList<>();
        for (Waiter waiter : waiting.values()) {
            line.add(Waiters.write(waiter).build());
        }
        List<JsonValue> signalsKept = new ArrayList<>();
        for (KeptSignal signal : kept.values()) {
            signalsKept.add(JsonObject.builder()
                    .put("signal", signal.number())
                    .put("payload", PayloadCodec.write(signal.payload()))
                    .put("expiresAt", Times.write(signal.expiresAt()))
                    .build());
        }
        List<JsonValue> named = new ArrayList<>();
        for (Name name : nameOrder.values()) {
            named.add(JsonObject.builder()
                    .put("name", name.name())
                    .put("until", Times.write(name.until()))
                    .put("signal", name.signal())
                    .build());
        }
        return trunk().toJson()
                .put("waiting", new JsonArray(line))
                .put("kept", new JsonArray(signalsKept))
                .put("names", new JsonArray(named))
                .put("signals", signals)
                .build();
    }

    static ChannelState restore(JsonObject snapshot) {
        JsonCursor at = JsonCursor.of(snapshot);
        ChannelState state = initial(Trunk.read(Aggregates.Kind.CHANNEL, at));
        Line<Waiter> line = Line.empty();
        for (JsonCursor one : at.member("waiting").items()) {
            Waiter waiter = Waiters.read(one);
            line = line.with(waiter, waiter);
        }
        SortedTree<String, Name> names = SortedTree.empty();
        LongMap<Name> order = LongMap.empty();
        for (JsonCursor one : at.member("names").items()) {
            Name name = new Name(one.string("name"), one.as("until", Times::read), one.longValue("signal"));
            names = names.with(name.name(), name);
            order = order.with(name.signal(), name);
        }
        state = new ChannelState(
                state.trunk(), line, LongMap.empty(), SortedTree.empty(), names, order, at.longValue("signals"), 0);
        for (JsonCursor one : at.member("kept").items()) {
            state = state.with(new KeptSignal(
                    one.longValue("signal"),
                    PayloadCodec.read(one.member("payload")),
                    one.as("expiresAt", Times::read)));
        }
        return state;
    }
}
