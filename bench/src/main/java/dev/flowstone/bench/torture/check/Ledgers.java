package dev.flowstone.bench.torture.check;

import dev.flowstone.bench.torture.check.RunSeen.Seen;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds what was acknowledged, what the receiver of effects wrote down, and what the runs' histories say against each other.
 *
 * <ul>
 *   <li>What was acknowledged is in its run's history, once.
 *   <li>No start made a second run, whether anybody was told of it or not.
 *   <li>Of one visit of a node at most one effect was applied, whatever keys were used.
 *   <li>A history tells no effect that the receiver hasn't seen, and no run is over without its effects.
 *   <li>Every run has ended as its definition says.
 *   <li>What was to be undone was, or else a person was asked about it once, and said it once.
 * </ul>
 */
public final class Ledgers {
    private final Map<String, RunSeen> runs;
    private final Map<String, Long> applied = new HashMap<>();
    private final List<String> lost = new ArrayList<>();
    private final List<String> repeated = new ArrayList<>();
    private final List<String> duplicated = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> attesting = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private long starts;
    private long decisions;
    private long signals;
    private long compensated;
    private long attested;
    private long refused;

    private Ledgers(Map<String, RunSeen> runs) {
        this.runs = runs;
    }

    /**
     * Judges.
     *
     * @param runs by their ids, also those that nobody was told of; those that aren't there were not found
     */
    public static Findings check(List<Acknowledged> acknowledged, Map<String, RunSeen> runs, List<Effect> effects) {
        Ledgers ledgers = new Ledgers(runs);
        ledgers.count(effects);
        Set<String> judged = new HashSet<>();
        for (Acknowledged one : acknowledged) {
            ledgers.judge(one, judged);
        }
        ledgers.startedOnce();
        long done = effects.stream().filter(Effect::applied).count();
        return new Findings(
                ledgers.starts,
                ledgers.decisions,
                ledgers.signals,
                ledgers.lost,
                ledgers.repeated,
                ledgers.duplicated,
                ledgers.missing,
                ledgers.attesting,
                ledgers.ended,
                ledgers.broken,
                done,
                effects.size() - done,
                ledgers.compensated,
                ledgers.attested,
                ledgers.refused);
    }

    private void count(List<Effect> effects) {
        effects.stream()
                .filter(Effect::applied)
                .forEach(effect -> applied.merge(place(effect.run(), effect.activation()), 1L, Long::sum));
        applied.forEach((place, times) -> {
            if (times > 1) {
                duplicated.add("the effect of " + place + " was applied " + times + " times");
            }
        });
    }

    private static String place(String run, String activation) {
        return activation + " of " + run;
    }

    private void judge(Acknowledged one, Set<String> judged) {
        RunSeen run = runs.get(one.run());
        if (run == null) {
            lost.add(one + ": there is no such run");
            return;
        }
        switch (one) {
            case Acknowledged.Started start -> {
                if (judged.add(start.run())) {
                    starts++;
                    judge(start, run);
                }
            }
            case Acknowledged.Decided decided -> {
                decisions++;
                once(
                        one,
                        run.of("HumanDecided")
                                .filter(event -> event.key()
                                        .filter(decided.key()::equals)
                                        .isPresent())
                                .filter(event -> decided.outcome().equals(text(event.body(), "outcome")))
                                .count());
            }
            case Acknowledged.Attested given ->
                once(
                        one,
                        run.of("AttestationGiven")
                                .filter(event ->
                                        event.key().filter(given.key()::equals).isPresent())
                                .filter(event -> given.id().equals(text(event.body(), "id")))
                                .count());
            case Acknowledged.Signaled signaled -> {
                signals++;
                once(
                        one,
                        run.of("SignalAccepted")
                                .filter(event -> signaled.key().equals(payload(event)))
                                .count());
            }
        }
    }

    /** Of all runs, as an answer that got lost may hide a second one. */
    private void startedOnce() {
        Map<String, Set<String>> started = new TreeMap<>();
        for (RunSeen run : runs.values()) {
            if (!run.requestId().isEmpty()) {
                started.computeIfAbsent(run.requestId(), _ -> new TreeSet<>()).add(run.run());
            }
        }
        started.forEach((key, made) -> {
            if (made.size() > 1) {
                repeated.add("the start " + key + " made " + made.size() + " runs: " + String.join(", ", made));
            }
        });
    }

    private void once(Acknowledged one, long times) {
        if (times == 0) {
            lost.add(one + ": its run's history has no such event");
        } else if (times > 1) {
            repeated.add(one + ": its run's history has it " + times + " times");
        }
    }

    private void judge(Acknowledged.Started start, RunSeen run) {
        if (!run.requestId().equals(start.key())) {
            lost.add(start + ": that run belongs to " + run.requestId());
        }
        run.broken().ifPresent(why -> broken.add(run.run() + ": " + why));
        String expected = start.kind().status();
        if (!run.status().equals(expected)) {
            ended.add(start + ": it is " + run.status() + ", and not " + expected);
        }
        for (String activation : start.kind().effects()) {
            seenBoth("TaskCompleted", run, activation);
        }
        for (String activation : start.kind().undone()) {
            undone(run, activation, start.kind().irreversible(start.key()).contains(activation));
        }
    }

    /** Told once by the history, and seen by the receiver. */
    private void seenBoth(String kind, RunSeen run, String activation) {
        long told = run.of(kind)
                .filter(event -> event.activation().equals(activation))
                .count();
        String place = place(run.run(), activation);
        if (told > 1) {
            repeated.add("the history tells the effect of " + place + " " + told + " times");
        }
        if (told == 0) {
            missing.add("the history tells no effect of " + place);
        }
        if (!applied.containsKey(place)) {
            missing.add("the receiver never saw the effect of " + place);
        }
    }

    private void undone(RunSeen run, String activation, boolean refuses) {
        String undoing = Kind.undoing(activation);
        List<String> asked = run.of("AttestationRequested")
                .filter(event -> event.activation().equals(undoing))
                .map(event -> text(event.body(), "id"))
                .toList();
        if (refuses) {
            refused++;
        }
        if (asked.isEmpty() && !refuses) {
            compensated++;
            seenBoth("CompensationApplied", run, undoing);
            return;
        }
        attested++;
        long given = run.of("AttestationGiven")
                .filter(event -> asked.contains(text(event.body(), "id")))
                .count();
        boolean applied = run.of("CompensationApplied")
                .anyMatch(event -> event.activation().equals(undoing));
        if (asked.size() != 1 || given != 1 || applied) {
            attesting.add("for " + place(run.run(), undoing) + " " + asked.size() + " attestations were asked for, and "
                    + given + " given" + (applied ? ", though it was applied" : ""));
        }
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }

    /** The key that a signal's payload says. */
    private static String payload(Seen event) {
        return event.body().get("payload") instanceof JsonObject payload
                        && payload.get("inline") instanceof JsonObject inline
                ? text(inline, "key")
                : "";
    }
}
