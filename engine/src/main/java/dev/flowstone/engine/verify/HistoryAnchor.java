package dev.flowstone.engine.verify;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Instant;
import java.util.List;

/**
 * How far a database's history was at some moment, to be kept elsewhere: a backup that is older, or that was gone on with in another
 * way, can't show it any more.
 *
 * <pre>
 * {"takenAt": "2026-11-29T20:00:00Z",
 *  "streams": [{"stream": 0, "number": 1234,
 *               "runs": [{"tenant": "default", "run": "…", "first": 5, "last": 7, "hash": "…"}]}]}
 * </pre>
 *
 * @param takenAt in the database's time
 * @param streams of the feed, each with its last commit and the runs that were moved last
 */
public record HistoryAnchor(Instant takenAt, List<Stream> streams) {
    public HistoryAnchor {
        requireNonNull(takenAt);
        streams = List.copyOf(streams);
    }

    /**
     * A stream of commits.
     *
     * @param number of the last one; 0 if there was none
     */
    public record Stream(int stream, long number, List<Point> runs) {
        public Stream {
            runs = List.copyOf(runs);
        }
    }

    /** A stored entry of a run, from which event to which, and the hash that its chain had then. */
    public record Point(RunKey run, long first, long last, Sha256 hash) {}

    public JsonObject toJson() {
        return JsonObject.builder()
                .put("takenAt", takenAt.toString())
                .put(
                        "streams",
                        new JsonArray(streams.stream().map(HistoryAnchor::json).toList()))
                .build();
    }

    private static JsonValue json(Stream stream) {
        return JsonObject.builder()
                .put("stream", stream.stream())
                .put("number", stream.number())
                .put(
                        "runs",
                        new JsonArray(
                                stream.runs().stream().map(HistoryAnchor::json).toList()))
                .build();
    }

    private static JsonValue json(Point point) {
        return JsonObject.builder()
                .put("tenant", point.run().tenant().value())
                .put("run", point.run().run().toString())
                .put("first", point.first())
                .put("last", point.last())
                .put("hash", point.hash().toString())
                .build();
    }

    /**
     * Reads {@link #toJson}.
     *
     * @throws IllegalArgumentException if it isn't of this form
     */
    public static HistoryAnchor read(JsonValue json) {
        JsonCursor at = JsonCursor.of(json);
        return new HistoryAnchor(at.as("takenAt", HistoryAnchor::instant), at.list("streams", HistoryAnchor::stream));
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (java.time.format.DateTimeParseException e) {
            throw new IllegalArgumentException("that is no time: " + text, e);
        }
    }

    private static Stream stream(JsonCursor at) {
        return new Stream(at.intValue("stream"), at.longValue("number"), at.list("runs", HistoryAnchor::point));
    }

    private static Point point(JsonCursor at) {
        return new Point(
                new RunKey(at.as("tenant", TenantId::new), at.as("run", RunId::parse)),
                at.longValue("first"),
                at.longValue("last"),
                at.as("hash", Sha256::parse));
    }
}
