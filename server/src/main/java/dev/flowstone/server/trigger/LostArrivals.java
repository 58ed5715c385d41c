package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.triggers.event.CloudEvent;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Dead letters of what came for triggers and could not be started (dataflow.md §11.2). So many of a tenant wait at most: what comes then
 * and has a sender isn't kept, since the sender has it; what nobody sends again is dead at once. Thread-safe.
 */
public final class LostArrivals {
    /** Whose letters are arrivals. */
    public static final DeadSource SOURCE = new DeadSource("trigger");

    private static final System.Logger LOG = System.getLogger(LostArrivals.class.getName());
    private static final int LONGEST_ERROR = 1_000;

    private final DeadLetterStore store;
    private final DeadLetterConfig config;
    private final LetterRoom room;

    public LostArrivals(DeadLetterStore store, DeadLetterConfig config) {
        this(store, config, LetterRoom.MOST);
    }

    /** @param most a tenant's that wait */
    LostArrivals(DeadLetterStore store, DeadLetterConfig config, int most) {
        this.store = requireNonNull(store);
        this.config = requireNonNull(config);
        this.room = new LetterRoom(store, SOURCE, most, System::nanoTime);
    }

    /** Whether this installation keeps none. */
    boolean isOff() {
        return !config.enabled();
    }

    /** Keeps one, where its start belongs; false if it can't be kept. */
    boolean keep(Arrival arrival, String requestId, JsonValue payload, String correlation, RuntimeException error) {
        return keep(arrival, requestId, payload, correlation, DeadReason.POISON, String.valueOf(error.getMessage()));
    }

    /** The same of one that could not be started for so long. */
    boolean keep(
            Arrival arrival, String requestId, JsonValue payload, String correlation, DeadReason reason, String text) {
        if (isOff()) {
            return false;
        }
        TenantId tenant = arrival.trigger().tenant();
        PoisonMessage letter = new PoisonMessage(
                tenant,
                SOURCE,
                requestId,
                RequestSlot.of(tenant, requestId),
                Optional.empty(),
                reason,
                json(arrival, payload, correlation),
                text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR));
        try {
            if (!room.isFull(tenant)) {
                return kept(letter, config);
            }
            return !hasSender(arrival) && kept(letter, new DeadLetterConfig(true, config.queue(), 0, config.delay()));
        } catch (JournalException e) {
            LOG.log(Level.ERROR, "what came for trigger " + arrival.trigger().id() + " is no dead letter", e);
            return false;
        }
    }

    private boolean kept(PoisonMessage letter, DeadLetterConfig retries) throws JournalException {
        DeadLetterStore.Failed failed = store.failed(letter, retries);
        if (failed.dead()) {
            LOG.log(
                    Level.WARNING,
                    "what came for a trigger (" + letter.key() + ") is a dead letter (GET /dead-letters): "
                            + letter.error());
        } else if (failed.fresh()) {
            room.add(letter.tenant());
        }
        return true;
    }

    /** Whether somebody waits for an answer, and can send it again. */
    private static boolean hasSender(Arrival arrival) {
        return switch (arrival.source()) {
            case WEBHOOK, MANUAL -> true;
            case EVENT -> CloudEvent.isDelivery(arrival.delivery());
            case SCHEDULE -> false;
        };
    }

    private static JsonObject json(Arrival arrival, JsonValue payload, String correlation) {
        return JsonObject.builder()
                .put("triggerId", arrival.trigger().id().toString())
                .put("arrivalId", arrival.id().toString())
                .put("deliveryId", arrival.delivery())
                .put("source", arrival.source().word())
                .put("receivedAt", arrival.receivedAt().toString())
                .put("correlationId", correlation)
                .put("trigger", payload)
                .build();
    }

    /**
     * The arrival that a letter was made of, as far as its start needs it.
     *
     * @throws IllegalArgumentException if it was made of none
     */
    static Arrival arrival(DeadLetter letter) {
        TriggerKind source = TriggerKind.of(text(letter, "source"))
                .orElseThrow(() -> new IllegalArgumentException("no source of an arrival"));
        return new Arrival(
                new TriggerKey(letter.tenant(), TriggerId.parse(text(letter, "triggerId"))),
                UUID.fromString(text(letter, "arrivalId")),
                text(letter, "deliveryId"),
                source,
                Optional.empty(),
                Optional.empty(),
                Instant.parse(text(letter, "receivedAt")));
    }

    /** What came. */
    static JsonValue payload(DeadLetter letter) {
        return letter.payload().find("trigger").orElse(JsonNull.NULL);
    }

    /** The correlation id of what it was to start; one of its own if it was written without. */
    static String correlation(DeadLetter letter) {
        return letter.payload().get("correlationId") instanceof JsonString(String text)
                ? text
                : arrival(letter).id().toString();
    }

    private static String text(DeadLetter letter, String member) {
        if (letter.payload().get(member) instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException("an arrival has '" + member + "'");
    }
}
