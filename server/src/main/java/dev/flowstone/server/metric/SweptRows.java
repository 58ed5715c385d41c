package dev.flowstone.server.metric;

import dev.flowstone.postgres.Sweeper.Kind;

/** Rows that were removed because their time was over, by what they were. Thread-safe. */
public final class SweptRows {
    private final Counts rows = new Counts(
            "flowstone_swept_rows_total", "Rows removed because their time was over.", Kind.values().length, "kind");

    public SweptRows() {
        for (Kind kind : Kind.values()) {
            rows.show(kind.toString());
        }
    }

    public void add(Kind kind, long count) {
        rows.add(count, kind.toString());
    }

    public void addTo(Meters meters) {
        meters.add(rows);
    }
}
