package dev.flowstone.bench.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.torture.check.RunSeen.Seen;
import dev.flowstone.bench.worker.EffectWorker;
import dev.flowstone.kernel.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ledgers and histories that agree, and those in which something is wrong. */
final class LedgersTest {
    private static final String RUN = "run-1";

    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final Map<String, RunSeen> runs = new HashMap<>();
    private final List<Effect> effects = new ArrayList<>();

    /** Of one run, each event after the other. */
    private static final class Story {
        private final List<Seen> events = new ArrayList<>();
        private String last = "0".repeat(64);

        Story then(String kind, String key, JsonObject body) {
            String hash = "%064x".formatted(events.size() + 1);
            events.add(
                    new Seen(events.size() + 1L, kind, Optional.of(key).filter(it -> !it.isEmpty()), last, hash, body));
            last = hash;
            return this;
        }

        Story done(String kind, String activation) {
            return then(
                    kind, "", JsonObject.builder().put("activation", activation).build());
        }

        RunSeen ended(String run, Kind kind, String status, String requestId) {
            return new RunSeen(run, kind.workflow(), status, requestId, events);
        }
    }

    private static JsonObject decided(String outcome) {
        return JsonObject.builder().put("outcome", outcome).build();
    }

    private static JsonObject heard(String key) {
        return JsonObject.builder()
                .put(
                        "payload",
                        JsonObject.builder()
                                .put(
                                        "inline",
                                        JsonObject.builder().put("key", key).build())
                                .build())
                .build();
    }

    private void effect(String activation, boolean applied) {
        effects.add(new Effect(0, "key of " + activation, RUN, activation, 1, applied));
    }

    private Findings findings() {
        return Ledgers.check(acknowledged, runs, effects);
    }

    private void approvalOf(Story story) {
        acknowledged.add(new Acknowledged.Started(Kind.APPROVAL, "t-1", RUN));
        acknowledged.add(new Acknowledged.Decided(RUN, "d-1", "approve"));
        runs.put(RUN, story.ended(RUN, Kind.APPROVAL, "Succeeded", "t-1"));
        effect("act#1", true);
    }

    private static Story approval() {
        return new Story()
                .then("RunStarted", "t-1", JsonObject.EMPTY)
                .then("HumanDecided", "d-1", decided("approve"))
                .done("TaskCompleted", "act#1");
    }

    @Test
    void whatAgreesIsRight() {
        approvalOf(approval());
        effect("act#1", false);

        Findings findings = findings();

        assertEquals(List.of(), findings.wrong());
        assertEquals(1, findings.starts());
        assertEquals(1, findings.decisions());
        assertEquals(1, findings.effects());
        assertEquals(1, findings.redeliveries());
        assertEquals(1, findings.compensatedShare());
    }

    @Test
    void aRunThatIsGoneIsLost() {
        approvalOf(approval());
        runs.clear();

        assertEquals(2, findings().lost().size(), "the start, and the decision");
    }

    @Test
    void aDecisionThatIsInNoHistoryIsLost() {
        approvalOf(new Story()
                .then("RunStarted", "t-1", JsonObject.EMPTY)
                .then("HumanDecided", "d-2", decided("approve"))
                .done("TaskCompleted", "act#1"));

        assertTrue(findings().lost().getFirst().contains("d-1"));
    }

    @Test
    void aDecisionThatSaysSomethingElseIsLost() {
        approvalOf(new Story()
                .then("RunStarted", "t-1", JsonObject.EMPTY)
                .then("HumanDecided", "d-1", decided("reject"))
                .done("TaskCompleted", "act#1"));

        assertEquals(1, findings().lost().size());
    }

    @Test
    void aDecisionThatIsRecordedTwiceIsRepeated() {
        approvalOf(approval().then("HumanDecided", "d-1", decided("approve")));

        assertEquals(1, findings().repeated().size());
    }

    @Test
    void oneKeyThatStartsTwoRunsIsRepeated() {
        approvalOf(approval());
        acknowledged.add(new Acknowledged.Started(Kind.PROBE, "t-1", "run-2"));
        runs.put("run-2", new Story().ended("run-2", Kind.PROBE, "Succeeded", "t-1"));

        assertEquals(1, findings().repeated().size());
    }

    @Test
    void aSecondRunOfAStartIsRepeatedThoughNobodyWasToldOfIt() {
        approvalOf(approval());
        runs.put("run-2", approval().ended("run-2", Kind.APPROVAL, "Succeeded", "t-1"));
        runs.put("run-3", approval().ended("run-3", Kind.APPROVAL, "Succeeded", "t-2"));

        assertEquals(
                List.of("the start t-1 made 2 runs: run-1, run-2"), findings().repeated());
    }

    @Test
    void aRunThatBelongsToAnotherStartIsLost() {
        approvalOf(approval());
        runs.put(RUN, approval().ended(RUN, Kind.APPROVAL, "Succeeded", "t-7"));

        assertEquals(1, findings().lost().size());
    }

    @Test
    void aSignalIsHeardOnceByItsRun() {
        acknowledged.add(new Acknowledged.Started(Kind.SIGNAL, "t-1", RUN));
        acknowledged.add(new Acknowledged.Signaled(RUN, "t-1"));
        effect("act#1", true);
        Story story = new Story().then("SignalAccepted", "", heard("t-1")).done("TaskCompleted", "act#1");
        runs.put(RUN, story.ended(RUN, Kind.SIGNAL, "Succeeded", "t-1"));
        assertEquals(List.of(), findings().wrong());

        runs.put(RUN, story.then("SignalAccepted", "", heard("t-1")).ended(RUN, Kind.SIGNAL, "Succeeded", "t-1"));
        assertEquals(1, findings().repeated().size());
    }

    @Test
    void anEffectThatIsAppliedTwiceIsDuplicated() {
        approvalOf(approval());
        effects.add(new Effect(0, "another key", RUN, "act#1", 2, true));

        assertEquals(1, findings().duplicated().size());
    }

    @Test
    void anEffectThatTheReceiverNeverSawIsMissing() {
        approvalOf(approval());
        effects.clear();

        assertEquals(1, findings().missing().size());
    }

    @Test
    void anEffectThatNoHistoryTellsIsMissing() {
        approvalOf(new Story()
                .then("RunStarted", "t-1", JsonObject.EMPTY)
                .then("HumanDecided", "d-1", decided("approve")));

        assertEquals(1, findings().missing().size());
    }

    @Test
    void aRunThatEndedOtherwiseIsTold() {
        approvalOf(approval());
        runs.put(RUN, approval().ended(RUN, Kind.APPROVAL, "Running", "t-1"));

        assertEquals(1, findings().ended().size());
    }

    @Test
    void aHistoryWithAGapIsBroken() {
        List<Seen> events = new ArrayList<>(approval().events);
        events.remove(1);
        approvalOf(approval());
        runs.put(RUN, new RunSeen(RUN, Kind.APPROVAL.workflow(), "Succeeded", "t-1", events));

        assertEquals(1, findings().broken().size());
    }

    @Test
    void aHistoryWhoseEventsDoNotFollowEachOtherIsBroken() {
        List<Seen> events = new ArrayList<>(approval().events);
        Seen second = events.get(1);
        events.set(
                1,
                new Seen(second.sequence(), second.kind(), second.key(), "f".repeat(64), second.hash(), second.body()));
        approvalOf(approval());
        runs.put(RUN, new RunSeen(RUN, Kind.APPROVAL.workflow(), "Succeeded", "t-1", events));

        assertEquals(1, findings().broken().size());
    }

    /** Ends with a person's word for the effect of {@code pay#1} if that can't be undone. */
    private void undoing(int number, boolean irreversible) {
        String run = "run-" + number;
        Story story = new Story().done("TaskCompleted", "reserve#1").done("TaskCompleted", "pay#1");
        List<String> effected = new ArrayList<>(List.of("reserve#1", "pay#1", "reserve#-1"));
        if (irreversible) {
            story.then("AttestationRequested", "", attestation("pay#-1"))
                    .then("AttestationGiven", "a", given("pay#-1"));
        } else {
            story.done("CompensationApplied", "pay#-1");
            effected.add("pay#-1");
        }
        story.done("CompensationApplied", "reserve#-1");
        String key = "t-" + number + (irreversible ? EffectWorker.IRREVERSIBLE : "");
        acknowledged.add(new Acknowledged.Started(Kind.UNDO, key, run));
        effected.forEach(one -> effects.add(new Effect(0, one + " of " + run, run, one, 1, true)));
        runs.put(run, story.ended(run, Kind.UNDO, "Failed", key));
    }

    private static JsonObject attestation(String activation) {
        return JsonObject.builder()
                .put("activation", activation)
                .put("id", activation)
                .build();
    }

    private static JsonObject given(String id) {
        return JsonObject.builder().put("id", id).build();
    }

    private void undoing(int runs, int irreversible) {
        for (int i = 0; i < runs; i++) {
            undoing(i, i < irreversible);
        }
    }

    @Test
    void whatIsUndoneByItselfAndWhatByAPersonIsTold() {
        undoing(50, 1);

        Findings findings = findings();

        assertEquals(List.of(), findings.wrong());
        assertEquals(0.99, findings.compensatedShare());
        assertFalse(findings.isCompensatedShort(), "ninety-nine of a hundred were undone by themselves");
        assertEquals(1, findings.attested());
        assertEquals(1, findings.refused());
    }

    @Test
    void ninetyEightOfAHundredAreTooFew() {
        undoing(50, 2);

        assertEquals(List.of(), findings().wrong());
        assertEquals(0.98, findings().compensatedShare());
        assertTrue(findings().isCompensatedShort());
    }

    @Test
    void whatNobodyRefusedAndAPersonHadToDoCountsAgainstTheShare() {
        undoing(0, false);
        Story story = new Story()
                .done("TaskCompleted", "reserve#1")
                .done("TaskCompleted", "pay#1")
                .then("AttestationRequested", "", attestation("pay#-1"))
                .then("AttestationGiven", "a", given("pay#-1"))
                .done("CompensationApplied", "reserve#-1");
        runs.put("run-0", story.ended("run-0", Kind.UNDO, "Failed", "t-0"));

        assertEquals(List.of(), findings().wrong());
        assertEquals(0.5, findings().compensatedShare());
        assertEquals(0, findings().refused());
    }

    /** The events of a run that can't undo what it paid, from its two effects on. */
    private List<String> attesting(Story rest) {
        acknowledged.clear();
        effects.clear();
        undoing(0, true);
        Story story = new Story().done("TaskCompleted", "reserve#1").done("TaskCompleted", "pay#1");
        rest.events.forEach(event -> story.then(event.kind(), event.key().orElse(""), event.body()));
        story.done("CompensationApplied", "reserve#-1");
        runs.put("run-0", story.ended("run-0", Kind.UNDO, "Failed", "t-0" + EffectWorker.IRREVERSIBLE));
        assertEquals(findings().attesting(), findings().wrong());
        return findings().attesting();
    }

    @Test
    void aRefusalThatNobodyIsAskedAboutIsWrong() {
        assertEquals(List.of("for pay#-1 of run-0 0 attestations were asked for, and 0 given"), attesting(new Story()));
    }

    @Test
    void aRefusalThatIsAskedAboutTwiceIsWrong() {
        JsonObject other = JsonObject.builder()
                .put("activation", "pay#-1")
                .put("id", "another")
                .build();

        assertEquals(
                1,
                attesting(new Story()
                                .then("AttestationRequested", "", attestation("pay#-1"))
                                .then("AttestationRequested", "", other)
                                .then("AttestationGiven", "a", given("pay#-1")))
                        .size());
    }

    @Test
    void aRefusalThatNobodyAnswersOrTwoDoIsWrong() {
        assertEquals(
                1,
                attesting(new Story().then("AttestationRequested", "", attestation("pay#-1")))
                        .size());
        assertEquals(
                1,
                attesting(new Story()
                                .then("AttestationRequested", "", attestation("pay#-1"))
                                .then("AttestationGiven", "a", given("pay#-1"))
                                .then("AttestationGiven", "b", given("pay#-1")))
                        .size());
    }

    @Test
    void whatWasRefusedAndIsAppliedAllTheSameIsWrong() {
        assertEquals(
                1,
                attesting(new Story()
                                .then("AttestationRequested", "", attestation("pay#-1"))
                                .then("AttestationGiven", "a", given("pay#-1"))
                                .done("CompensationApplied", "pay#-1"))
                        .size());
    }

    @Test
    void aWordThatIsInNoHistoryIsLost() {
        undoing(0, true);
        acknowledged.add(new Acknowledged.Attested("run-0", "a", "pay#-1"));
        assertEquals(List.of(), findings().wrong());

        acknowledged.add(new Acknowledged.Attested("run-0", "b", "pay#-1"));
        assertEquals(1, findings().lost().size());
    }

    @Test
    void readsWhatTheReceiverWrites() {
        assertEquals(new Effect(17, "k", RUN, "act#1", 2, false), Effect.parse("17 k " + RUN + " act#1 2 repeated"));
    }
}
