package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.event.AggregateEvent.ResourceLinked;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A resource link: the first run that asked owns the resource, for ever. */
public final class LinkState extends AggregateState {
    private static final long ENTRY = 1_000;

    private final @Nullable Owned owned;

    LinkState(Trunk trunk, @Nullable Owned owned) {
        super(trunk);
        this.owned = owned;
    }

    /** Whose it is, by which activation, and the value it was linked with. */
    public record Owned(Waiter owner, Payload value) {
        public RunId run() {
            return owner.run();
        }
    }

    public Optional<Owned> owned() {
        return Optional.ofNullable(owned);
    }

    @Override
    public boolean continues() {
        return false;
    }

    @Override
    public LinkState apply(Event event) {
        Owned now = owned == null && event.body() instanceof ResourceLinked body
                ? new Owned(new Waiter(body.run(), body.activation()), body.content())
                : owned;
        return new LinkState(trunk().after(event), now);
    }

    @Override
    long contentWeight() {
        return ENTRY;
    }

    @Override
    public JsonObject toJson() {
        JsonObject.Builder out = trunk().toJson();
        if (owned != null) {
            out.put(
                    "owned",
                    Waiters.write(owned.owner())
                            .put("value", PayloadCodec.write(owned.value()))
                            .build());
        }
        return out.build();
    }

    static LinkState restore(JsonObject snapshot) {
        JsonCursor at = JsonCursor.of(snapshot);
        Owned owned = at.find("owned")
                .map(one -> new Owned(Waiters.read(one), PayloadCodec.read(one.member("value"))))
                .orElse(null);
        return new LinkState(Trunk.read(Aggregates.Kind.LINK, at), owned);
    }
}
