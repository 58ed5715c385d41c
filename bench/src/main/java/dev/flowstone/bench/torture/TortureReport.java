package dev.flowstone.bench.torture;

import dev.flowstone.bench.report.Figures;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Plot;
import dev.flowstone.bench.torture.check.Effect;
import dev.flowstone.bench.torture.check.Findings;
import dev.flowstone.bench.torture.check.Messages;
import dev.flowstone.bench.torture.fault.FaultKind;
import dev.flowstone.bench.torture.fault.FaultRecord;
import dev.flowstone.bench.torture.load.DecisionLog;
import dev.flowstone.bench.torture.load.Elapsed;
import dev.flowstone.bench.torture.load.PerSecond;
import dev.flowstone.bench.torture.load.Tally;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What is told of a torture.
 *
 * @param over when the last fault was, in seconds since the beginning
 */
record TortureReport(
        TortureOptions options,
        List<FaultRecord> faults,
        Findings findings,
        Messages messages,
        OutboxLeft outbox,
        DecisionLog.Judgement judgement,
        ChainReport chains,
        Tally tally,
        List<Effect> effects,
        Elapsed elapsed,
        double over) {
    private static final int SHOWN = 20;

    /** Shares are told to a hundredth of a per cent. */
    private static final double SHARES = 1e4;

    /** Recovery times are kept to the millisecond, up to ten minutes. */
    private static final long LONGEST_MILLIS = 600_000;

    TortureReport {
        faults = List.copyOf(faults);
        effects = List.copyOf(effects);
    }

    /**
     * The report.
     *
     * @param allKnow whether every client knew in the end what had become of its commands
     * @param withheld runs that weren't started since too many clients waited
     * @param lostAnswers to commits
     */
    MeasuredReport of(boolean allKnow, long withheld, long lostAnswers) {
        MeasuredReport.Builder report = MeasuredReport.of("torture").put("seed", options.seed());
        report.count("faults", "faults", faults.size())
                .figure("minutes", "minutes", over / 60)
                .count("acknowledged", "acknowledged commands", acknowledged())
                .put("starts", findings.starts())
                .put("decisions", findings.decisions())
                .put("signals", findings.signals())
                .put("unanswered", tally.unansweredPerSecond().sum())
                .put("withheld", withheld)
                .put("lost_answers", lostAnswers)
                .line(String.format(
                        Locale.ROOT,
                        "%,d starts, %,d decisions, %,d signals; %,d calls unanswered or told to come again",
                        findings.starts(),
                        findings.decisions(),
                        findings.signals(),
                        tally.unansweredPerSecond().sum()));
        told(report, "lost", "lost", findings.lost());
        told(report, "repeated", "in a history more than once", findings.repeated());
        told(report, "duplicated_effects", "duplicated effects", findings.duplicated());
        told(report, "missing_effects", "effects missing", findings.missing());
        told(report, "wrongly_attested", "refusals without one attestation", findings.attesting());
        told(report, "ended_otherwise", "runs ended otherwise", findings.ended());
        told(report, "broken_histories", "broken histories", findings.broken());
        report.count("effects", "effects", findings.effects())
                .count("redeliveries", "redeliveries", findings.redeliveries())
                .chains(chains);
        compensations(report);
        messages(report);
        decisions(report);
        recoveries(report);
        report.none(
                        "not_recovered",
                        "faults without recovery",
                        faults.stream().filter(fault -> !fault.recovered()).count())
                .none(
                        "late_takeovers",
                        "takeovers after more than " + options.longestTakeover().toSeconds() + " s",
                        faults.stream()
                                .filter(fault -> fault.isTakenOverLate(options.longestTakeover()))
                                .count())
                .put("asked_twice", tally.twiceCount())
                .none(
                        "clients_left",
                        "clients that never knew",
                        allKnow ? tally.givenUpCount() : 1 + tally.givenUpCount())
                .none("odd_answers", "odd answers", tally.oddCount());
        tally.oddities().forEach(report::line);
        told(report, "different_answers", "answers of two nodes that differ", tally.differences());
        missing(report);
        return report.plot(commands()).plot(work()).build();
    }

    private void compensations(MeasuredReport.Builder report) {
        report.line(String.format(
                        Locale.ROOT,
                        "undone by themselves  %10.2f %%: %,d; %,d by people, of which %,d couldn't be otherwise",
                        findings.compensatedShare() * 100,
                        findings.compensated(),
                        findings.attested(),
                        findings.refused()))
                .put("compensated_share", JsonNumber.of(Math.round(findings.compensatedShare() * SHARES) / SHARES))
                .put("compensated", findings.compensated())
                .put("attested", findings.attested())
                .put("refused", findings.refused())
                .none(
                        "compensations_short",
                        "by people, more than one in a hundred",
                        findings.isCompensatedShort() ? findings.attested() : 0);
    }

    private void messages(MeasuredReport.Builder report) {
        report.line(String.format(
                        Locale.ROOT,
                        "%,d messages sent, %,d deliveries: %,d taken again, %,d told to come again",
                        messages.sent(),
                        messages.deliveries(),
                        messages.again(),
                        messages.refused()))
                .put("messages", messages.sent())
                .put("deliveries", messages.deliveries())
                .put("delivered_again", messages.again())
                .put("deliveries_refused", messages.refused());
        told(report, "wrong_messages", "wrong messages", messages.wrong());
        report.none("outbox_pending", "messages that never left", outbox.pending())
                .none("outbox_dead", "dead letters", outbox.dead());
    }

    private long acknowledged() {
        return findings.starts() + findings.decisions() + findings.signals();
    }

    /** What there must be none of, the first of them in words. */
    private static void told(MeasuredReport.Builder report, String member, String label, List<String> what) {
        if (what.isEmpty()) {
            report.count(member, label, 0);
        } else {
            report.none(member, label, what.size());
            what.stream().limit(SHOWN).forEach(one -> report.line("  " + one));
        }
    }

    private void decisions(MeasuredReport.Builder report) {
        report.line(String.format(
                        Locale.ROOT,
                        "%,d runs decided on by three at once: %,d operations, %s",
                        judgement.runs(),
                        judgement.operations(),
                        order()))
                .put("decided_runs", (long) judgement.runs())
                .put("decided_operations", (long) judgement.operations())
                .none(
                        "not_linearizable",
                        "runs without an order",
                        judgement.unexplained().size())
                .none("linearizability_undecided", "runs too long to judge", judgement.undecided());
        judgement.unexplained().stream().limit(3).flatMap(String::lines).forEach(report::line);
    }

    private String order() {
        if (!judgement.unexplained().isEmpty()) {
            return "NOT LINEARIZABLE";
        }
        return judgement.undecided() == 0 ? "linearizable" : "not all judged";
    }

    private void recoveries(MeasuredReport.Builder report) {
        Map<FaultKind, Histogram> kinds = new TreeMap<>();
        Histogram all = new Histogram(LONGEST_MILLIS, 3);
        List<JsonValue> list = new ArrayList<>();
        for (FaultRecord fault : faults) {
            Histogram histogram = kinds.computeIfAbsent(fault.kind(), _ -> new Histogram(LONGEST_MILLIS, 3));
            fault.recovery().ifPresent(time -> {
                histogram.recordValue(Math.min(LONGEST_MILLIS, time.toMillis()));
                all.recordValue(Math.min(LONGEST_MILLIS, time.toMillis()));
            });
            list.add(json(fault));
        }
        report.line("recovery in seconds        times       p50       p99");
        JsonObject.Builder byKind = JsonObject.builder();
        kinds.forEach((kind, millis) -> {
            report.line(line(kind.word(), millis));
            byKind.put(
                    kind.word(),
                    JsonObject.builder()
                            .put("times", millis.getTotalCount())
                            .put("recovery_p50_s", seconds(millis, 50))
                            .put("recovery_p99_s", seconds(millis, 99))
                            .build());
        });
        report.line(line("all", all))
                .put("recovery_p50_s", seconds(all, 50))
                .put("recovery_p99_s", seconds(all, 99))
                .put("faults_by_kind", byKind.build())
                .put("fault_list", new JsonArray(list));
    }

    private static String line(String what, Histogram millis) {
        return String.format(
                Locale.ROOT,
                "  %-22s %7d %9.1f %9.1f",
                what,
                millis.getTotalCount(),
                millis.getValueAtPercentile(50) / 1e3,
                millis.getValueAtPercentile(99) / 1e3);
    }

    private static JsonNumber seconds(Histogram millis, double percentile) {
        return Figures.rounded(millis.getValueAtPercentile(percentile) / 1e3);
    }

    private static JsonObject json(FaultRecord fault) {
        return JsonObject.builder()
                .put("kind", fault.kind().word())
                .put("where", fault.where())
                .put("begin_s", Figures.rounded(fault.begin()))
                .put("end_s", Figures.rounded(fault.end()))
                .put("recovery_s", seconds(fault.recovery()))
                .put("whole_s", seconds(fault.whole()))
                .build();
    }

    private static JsonValue seconds(Optional<Duration> time) {
        return time.<JsonValue>map(it -> Figures.rounded(it.toMillis() / 1e3)).orElse(JsonNull.NULL);
    }

    /** What couldn't be done here. */
    private void missing(MeasuredReport.Builder report) {
        JsonObject.Builder missing = JsonObject.builder();
        for (FaultKind kind : options.faults()) {
            kind.missing(options.pair()).ifPresent(why -> {
                report.line("not here: " + kind.word() + ": " + why);
                missing.put(kind.word(), new JsonString(why));
            });
        }
        report.put("not_available", missing.build());
    }

    private Plot commands() {
        return plot(
                "commands a second, and what went wrong meanwhile",
                new Plot.Line("acknowledged", tally.acknowledgedPerSecond().points(over)),
                new Plot.Line(
                        "unanswered, or told to come again",
                        tally.unansweredPerSecond().points(over)));
    }

    private Plot work() {
        PerSecond applied = new PerSecond();
        PerSecond again = new PerSecond();
        effects.forEach(effect -> (effect.applied() ? applied : again).add(elapsed.secondsAt(effect.millis())));
        return plot(
                "effects a second",
                new Plot.Line("applied", applied.points(over)),
                new Plot.Line("delivered again", again.points(over)));
    }

    private Plot plot(String title, Plot.Line... lines) {
        List<Plot.Band> bands = faults.stream()
                .map(fault -> new Plot.Band(
                        fault.kind().word(),
                        fault.begin(),
                        fault.end(),
                        fault.end() + fault.whole().orElse(Duration.ZERO).toMillis() / 1e3))
                .toList();
        return new Plot(title, "s", false, List.of(lines), bands);
    }
}
