package dev.flowstone.engine.archive;

import dev.flowstone.engine.archive.ArchiveLine.Closing;
import dev.flowstone.engine.archive.ArchiveLine.Entry;
import dev.flowstone.engine.archive.ArchiveLine.Item;
import dev.flowstone.engine.archive.ArchiveLine.Kind;
import dev.flowstone.engine.archive.ArchiveLine.Opening;
import dev.flowstone.engine.archive.ArchiveLine.Run;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A line's form: an object with one member, which names the kind. Events, programs and payloads stand as the JSON that they
 * are, to be read by whoever likes; {@code bytes} (base 64) stands for what is no canonical JSON. docs/archive.md has them all.
 */
final class LineCodec {
    private LineCodec() {}

    static JsonObject write(ArchiveLine line) {
        return switch (line) {
            case Opening opening ->
                line("archive")
                        .put("format", opening.format())
                        .put("made_at", opening.madeAt().toString())
                        .put("month", opening.month().toString())
                        .put("schema", opening.schema())
                        .end();
            case Item item -> item(item);
            case Run run -> run(run.row());
            case Entry entry -> entry(entry.stored());
            case Closing closing -> closing(closing.totals());
        };
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is none
     */
    static ArchiveLine read(JsonValue value) {
        JsonCursor line = JsonCursor.of(value);
        List<JsonCursor> members = line.members();
        if (members.size() != 1) {
            throw line.fault("a line has one member, which names its kind");
        }
        JsonCursor at = members.getFirst();
        return switch (at.token()) {
            case "archive" ->
                new Opening(
                        at.intValue("format"),
                        at.as("month", YearMonth::parse),
                        at.as("made_at", Instant::parse),
                        at.intValue("schema"));
            case "program" -> item(Kind.PROGRAM, at);
            case "payload" -> item(Kind.PAYLOAD, at);
            case "run" -> run(at);
            case "entry" -> entry(at);
            case "end" -> closing(at);
            default -> throw at.fault("no kind of line");
        };
    }

    private static JsonObject item(Item item) {
        Line line = line(item.kind().name().toLowerCase(Locale.ROOT))
                .put("hash", item.hash().toString())
                .put("tenant", item.tenant().value());
        item.content()
                .ifPresent(content -> Frames.value(content)
                        .ifPresentOrElse(value -> line.put("value", value), () -> line.put("bytes", content)));
        return line.end();
    }

    private static Item item(Kind kind, JsonCursor at) {
        Optional<byte[]> content = at.find("value")
                .map(value -> CanonicalJson.exact(value.value()))
                .or(() -> at.find("bytes").map(LineCodec::bytes));
        return new Item(kind, at.as("tenant", TenantId::new), at.as("hash", Sha256::parse), content);
    }

    private static JsonObject run(RunRow row) {
        Line line = line("run")
                .put("correlation", row.correlation())
                .put("id", row.key().run().toString())
                .put("last_hash", row.lastHash().toString())
                .put("last_seq", row.lastSequence())
                .put("program", row.program().toString())
                .put("started_at", row.startedAt().toString())
                .put("status", row.status().name())
                .put("tenant", row.key().tenant().value())
                .put("updated_at", row.updatedAt().toString())
                .put("version", row.version())
                .put("workflow", row.workflow().value());
        row.endedAt().ifPresent(time -> line.put("ended_at", time.toString()));
        return line.end();
    }

    private static Run run(JsonCursor at) {
        return new Run(new RunRow(
                new RunKey(at.as("tenant", TenantId::new), at.as("id", RunId::parse)),
                at.as("workflow", WorkflowId::new),
                at.intValue("version"),
                at.as("program", Sha256::parse),
                at.string("correlation"),
                at.as("status", RunStatus::valueOf),
                at.longValue("last_seq"),
                at.as("last_hash", Sha256::parse),
                at.as("started_at", Instant::parse),
                at.as("updated_at", Instant::parse),
                at.find("ended_at").map(time -> time.as(Instant::parse))));
    }

    private static JsonObject entry(StoredEntry stored) {
        Line line = line("entry")
                .put("first", stored.firstSequence())
                .put("hash", stored.hash().toString())
                .put("last", stored.lastSequence());
        Frames.split(stored.bytes())
                .ifPresentOrElse(
                        values -> line.put("header", values.getFirst())
                                .put("events", new JsonArray(values.subList(1, values.size()))),
                        () -> line.put("bytes", stored.bytes()));
        return line.end();
    }

    private static Entry entry(JsonCursor at) {
        Optional<JsonCursor> raw = at.find("bytes");
        byte[] bytes;
        if (raw.isPresent()) {
            bytes = bytes(raw.get());
        } else {
            List<JsonValue> values = new ArrayList<>();
            values.add(at.member("header").value());
            values.addAll(at.member("events").array().items());
            bytes = Frames.join(values);
        }
        return new Entry(
                new StoredEntry(at.longValue("first"), at.longValue("last"), bytes, at.as("hash", Sha256::parse)));
    }

    private static JsonObject closing(ArchiveTotals totals) {
        return line("end")
                .put("anchor", totals.anchor().toString())
                .put("content", totals.content().toString())
                .put("entries", totals.entries())
                .put("events", totals.events())
                .put("payloads", totals.payloads())
                .put("programs", totals.programs())
                .put("runs", totals.runs())
                .end();
    }

    private static Closing closing(JsonCursor at) {
        return new Closing(new ArchiveTotals(
                at.longValue("runs"),
                at.longValue("entries"),
                at.longValue("events"),
                at.longValue("programs"),
                at.longValue("payloads"),
                at.as("anchor", Sha256::parse),
                at.as("content", Sha256::parse)));
    }

    private static byte[] bytes(JsonCursor at) {
        return at.as(Base64.getDecoder()::decode);
    }

    private static Line line(String kind) {
        return new Line(kind, JsonObject.builder());
    }

    /** A line being written. */
    private record Line(String kind, JsonObject.Builder members) {
        Line put(String name, String value) {
            members.put(name, value);
            return this;
        }

        Line put(String name, long value) {
            members.put(name, value);
            return this;
        }

        Line put(String name, JsonValue value) {
            members.put(name, value);
            return this;
        }

        Line put(String name, byte[] value) {
            members.put(name, Base64.getEncoder().encodeToString(value));
            return this;
        }

        JsonObject end() {
            return JsonObject.builder().put(kind, members.build()).build();
        }
    }
}
