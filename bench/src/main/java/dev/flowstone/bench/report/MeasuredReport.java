package dev.flowstone.bench.report;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.BareLoop;
import dev.flowstone.postgres.ServerWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The one form of what workloads find. Figures are put in with the name that programs read and the words that people read,
 * at once, so that neither says what the other doesn't.
 */
public record MeasuredReport(
        String name, boolean sound, JsonObject toJson, List<String> lines, List<Curve> curves, List<Plot> plots)
        implements Report {
    public MeasuredReport {
        requireNonNull(name);
        requireNonNull(toJson);
        lines = List.copyOf(lines);
        curves = List.copyOf(curves);
        plots = List.copyOf(plots);
    }

    public static Builder of(String name) {
        return new Builder(name);
    }

    /** One that came to nothing: it says why, and may not be believed. */
    public static MeasuredReport failed(String name, Exception why) {
        return of(name).line("FAILED: " + why)
                .put("error", new JsonString(why.toString()))
                .none("failed", "failed", 1)
                .build();
    }

    /** Several measurements of one benchmark, in a list under this name, each after its heading. */
    public static MeasuredReport joined(String name, String member, List<MeasuredReport> parts) {
        return of(name).parts(member, parts).build();
    }

    /** Takes figures in the order in which people read them. */
    public static final class Builder {
        private final String name;
        private final JsonObject.Builder json = JsonObject.builder();
        private final List<String> lines = new ArrayList<>();
        private final List<Curve> curves = new ArrayList<>();
        private final List<Plot> plots = new ArrayList<>();
        private boolean sound = true;
        private boolean latencies;

        private Builder(String name) {
            this.name = name;
            json.put("bench", name);
        }

        /** A line of prose. */
        public Builder line(String text) {
            lines.add(text);
            return this;
        }

        /** Several measurements, in a list under this name, each after its heading. */
        public Builder parts(String member, List<MeasuredReport> parts) {
            List<JsonValue> all = new ArrayList<>();
            for (MeasuredReport part : parts) {
                all.add(part.toJson());
                lines.add((lines.isEmpty() ? "" : "\n") + part.name());
                lines.addAll(part.lines());
                curves.addAll(part.curves());
                plots.addAll(part.plots());
                sound &= part.sound();
            }
            return put(member, new JsonArray(all));
        }

        /** For programs only. */
        public Builder put(String member, double value) {
            json.put(member, Figures.rounded(value));
            return this;
        }

        /** For programs only. */
        public Builder put(String member, long value) {
            json.put(member, value);
            return this;
        }

        /** For programs only. */
        public Builder put(String member, JsonValue value) {
            json.put(member, value);
            return this;
        }

        /** A number, and what people call it. */
        public Builder figure(String member, String label, double value) {
            lines.add(String.format(Locale.ROOT, "%-22s%,10.2f", label, value));
            return put(member, value);
        }

        /** A whole number, and what people call it. */
        public Builder count(String member, String label, long value) {
            lines.add(String.format(Locale.ROOT, "%-22s%,10d", label, value));
            return put(member, value);
        }

        /** So many a second. */
        public Builder rate(String member, String label, double perSecond) {
            lines.add(String.format(Locale.ROOT, "%-22s%,10.0f /s", label, perSecond));
            return put(member, perSecond);
        }

        /** A share of 1. */
        public Builder share(String member, String label, double share) {
            lines.add(String.format(Locale.ROOT, "%-22s%9.0f %%", label, share * 100));
            return put(member, share);
        }

        /** Latencies in microseconds, told in milliseconds. */
        public Builder latency(String member, String label, Histogram micros) {
            if (!latencies) {
                lines.add(Figures.quantileHeads());
                latencies = true;
            }
            lines.add(Figures.quantileLine(label, micros));
            json.put(member, Figures.quantiles(micros));
            return this;
        }

        /** What the engine stored in a window, and what the bare loop made of as much. */
        public Builder bare(StoredCount stored, Window window, BareComparison bare) {
            return bare(stored, window.seconds(), window.reading().commits(), bare);
        }

        /** The same of several windows, which took so many seconds and commits together. */
        public Builder bare(StoredCount stored, double seconds, long commits, BareComparison bare) {
            double decisions = stored.entries() / seconds;
            long batch = Math.round((double) stored.entries() / Math.max(1, commits));
            lines.add(String.format(
                    Locale.ROOT,
                    "engine                 %,.0f decisions/s, %d to a commit, %d bytes each",
                    decisions,
                    batch,
                    stored.entryBytes()));
            for (BareLoop.Result result : bare.results()) {
                lines.add(String.format(
                        Locale.ROOT,
                        "bare loop              %,.0f decisions/s, %d to a commit, %d shards, commit p50 %.1f ms%s",
                        result.decisionsPerSecond(),
                        result.settings().batch(),
                        result.settings().shards(),
                        result.p50().toNanos() / 1e6,
                        result.equals(bare.best()) ? "   best" : ""));
            }
            put("decisions_per_s", decisions);
            put("commits_per_s", commits / seconds);
            put("decisions_per_commit", batch);
            put("bytes_per_entry", (long) stored.entryBytes());
            put("bare_decisions_per_s", bare.best().decisionsPerSecond());
            put("bare_at_engine_batch", Figures.bare(bare.atEngineBatch()));
            put("bare", Figures.bares(bare.results()));
            // A bare loop that did nothing was measured for too short a time to compare with.
            double best = bare.best().decisionsPerSecond();
            return share("ratio", "engine ÷ bare", best > 0 ? decisions / best : 0);
        }

        /** What the database's server did for so many steps from first to last, the warming up included, by the step. */
        public Builder work(ServerWork work, long steps) {
            double each = Math.max(1, steps);
            lines.add(String.format(
                    Locale.ROOT,
                    "the server, by the step: %,.0f bytes of WAL in %.1f records, %.2f rows written, %.4f commits,"
                            + " %.4f forced to disk, %.0f µs in statements",
                    work.walBytes() / each,
                    work.walRecords() / each,
                    (work.inserted() + work.updated() + work.deleted()) / each,
                    work.transactions() / each,
                    work.walSyncs() / each,
                    work.activeMillis() * 1e3 / each));
            json.put(
                    "server_per_step",
                    JsonObject.builder()
                            .put("wal_bytes", Figures.rounded(work.walBytes() / each))
                            .put("wal_records", Figures.rounded(work.walRecords() / each))
                            .put("wal_full_pages", Figures.rounded(work.walPages() / each))
                            .put("rows_inserted", Figures.rounded(work.inserted() / each))
                            .put("rows_updated", Figures.rounded(work.updated() / each))
                            .put("rows_deleted", Figures.rounded(work.deleted() / each))
                            .put("steps_per_commit", Figures.rounded(each / Math.max(1, work.transactions())))
                            .put("steps_per_sync", Figures.rounded(each / Math.max(1, work.walSyncs())))
                            .put("statement_us", Figures.rounded(work.activeMillis() * 1e3 / each))
                            .build());
            return this;
        }

        /** What verification found; nothing that broke a chain may be believed. */
        public Builder chains(ChainReport chains) {
            sound &= chains.whole();
            lines.add(
                    chains.whole()
                            ? String.format(
                                    Locale.ROOT, "%,d chains of %,d events verified", chains.runs(), chains.events())
                            : "BROKEN CHAIN: " + chains.fault());
            json.put("verified_runs", chains.runs())
                    .put("verified_events", chains.events())
                    .put("chains_whole", chains.whole());
            return this;
        }

        /** The same of two databases. */
        public Builder chains(ChainReport one, ChainReport other) {
            return chains(new ChainReport(
                    one.runs() + other.runs(),
                    one.events() + other.events(),
                    one.fault().or(other::fault)));
        }

        /** Something of which there must be none. */
        public Builder none(String member, String label, long count) {
            sound &= count == 0;
            if (count > 0) {
                lines.add(String.format(Locale.ROOT, "%,d %s", count, label.toUpperCase(Locale.ROOT)));
            }
            return put(member, count);
        }

        /** Something that must hold; if it doesn't, a line says what is the case instead. */
        public Builder must(String member, boolean holds, String otherwise) {
            sound &= holds;
            if (!holds) {
                lines.add("NOT AS IT MUST BE: " + otherwise);
            }
            json.put(member, holds);
            return this;
        }

        public Builder curve(String title, String unit, Window window) {
            curves.add(new Curve(title, unit, window.samples()));
            return this;
        }

        public Builder plot(Plot plot) {
            plots.add(plot);
            return this;
        }

        public MeasuredReport build() {
            return new MeasuredReport(name, sound, json.build(), lines, curves, plots);
        }
    }
}
