package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonLimits;
import java.time.Duration;
import java.util.Optional;

/**
 * What calls may take of this server at once.
 *
 * @param bodyBytes of one request's body
 * @param json limits on what stands in it
 * @param sending how long somebody may take to send a body
 * @param bodies room for bytes of all bodies, beyond the first of each
 * @param starts room for starts that wait for the engine
 * @param calls room for signals and what people do, while they wait for the engine
 */
public record Bounds(int bodyBytes, JsonLimits json, Duration sending, Room bodies, Room starts, Room calls) {
    /** Of a large heap: JSON takes some tens of bytes for each of its own at worst, and then all of it is held at once. */
    private static final int OF_HEAP = 64;

    /** Bodies of full length that find room together, where the heap allows: a tenant's uploads leave some to its workers. */
    private static final int FULL = 16;

    /** Of a small heap, which what is made of them must fit beside. */
    private static final int OF_SMALL_HEAP = 4;

    private static final int FULL_AT_LEAST = 2;

    private static final int WRAPPING = 64 << 10;

    /** Objects around what came, such as a start's around its trigger. */
    private static final int WRAPPERS = 8;

    private static final Duration SENDING = Duration.ofSeconds(60);

    public Bounds {
        requireNonNull(json);
        requireNonNull(sending);
        requireNonNull(bodies);
        requireNonNull(starts);
        requireNonNull(calls);
    }

    /** Those of bodies from outside. */
    public Bounds(int bodyBytes, Duration sending, Room bodies, Room starts, Room calls) {
        this(bodyBytes, JsonLimits.DEFAULT, sending, bodies, starts, calls);
    }

    /**
     * Those of this JVM's heap.
     *
     * @param waiting so many calls of each kind
     */
    public static Bounds of(int bodyBytes, int waiting) {
        return new Bounds(bodyBytes, SENDING, new Room(bodies(bodyBytes)), new Room(waiting), new Room(waiting));
    }

    /** The same for calls that other nodes have let in and wrapped in one of theirs, which is a little longer and deeper. */
    public Bounds ofWrapped() {
        JsonLimits wrapped = new JsonLimits(json.bytes() + WRAPPING, json.depth() + WRAPPERS, json.numberDigits());
        return new Bounds(bodyBytes + WRAPPING, wrapped, sending, bodies, starts, calls);
    }

    private static long bodies(int bodyBytes) {
        long heap = Runtime.getRuntime().maxMemory();
        long floor =
                Math.max((long) FULL_AT_LEAST * bodyBytes, Math.min((long) FULL * bodyBytes, heap / OF_SMALL_HEAP));
        return Math.max(floor, heap / OF_HEAP);
    }

    /** Room for those that wait for this; none if it isn't bounded. */
    Optional<Room> places(Waits waits) {
        return switch (waits) {
            case NOT -> Optional.empty();
            case START -> Optional.of(starts);
            case CALL -> Optional.of(calls);
        };
    }
}
