package dev.flowstone.server.cli;

import dev.flowstone.engine.archive.ArchiveRecord;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Locale;

/** How archives are told, in words and as JSON. */
final class ArchiveText {
    private ArchiveText() {}

    static String runs(long runs) {
        return String.format(Locale.ROOT, "%,d %s", runs, runs == 1 ? "run" : "runs");
    }

    static String events(long events) {
        return String.format(Locale.ROOT, "%,d %s", events, events == 1 ? "event" : "events");
    }

    static JsonObject json(ArchiveRecord record) {
        return JsonObject.builder()
                .put("month", record.month().toString())
                .put("number", record.number())
                .put("file", record.file())
                .put("runs", record.runs())
                .put("events", record.events())
                .put("anchor", record.anchor().toString())
                .put("content", record.content().toString())
                .put("madeAt", record.madeAt().toString())
                .build();
    }
}
