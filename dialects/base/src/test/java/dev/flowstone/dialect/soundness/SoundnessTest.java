package dev.flowstone.dialect.soundness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SoundnessTest {
    private static final int MOST = 50_000;

    private static final JoinPolicy ALL = new JoinPolicy.All();

    @Test
    void saysNothingAboutAChainWithALoop() {
        Sketch sketch = new Sketch(Kind.FLOW)
                .task("a")
                .task("b")
                .end("end")
                .path("start", "a", "b")
                .when("b", "a")
                .path("b", "end");

        assertSound(sketch);
    }

    @Test
    void saysNothingAboutAForkWhoseBranchesBothArrive() {
        Sketch sketch = fork(ALL)
                .in("in x")
                .task("x")
                .path("x", "join")
                .in("in y")
                .task("y")
                .path("y", "join");

        assertSound(sketch);
    }

    @Test
    void saysNothingAboutOneArmThatReachesTheJoinByEitherOfTwoWays() {
        Sketch sketch = fork(ALL)
                .in("in x")
                .task("x")
                .task("x1")
                .task("x2")
                .when("x", "x1")
                .path("x", "x2", "join")
                .path("x1", "join")
                .in("in y")
                .task("y")
                .path("y", "join");

        assertSound(sketch);
    }

    @Test
    void saysNothingAboutAnInterruptThatLeavesItsBranch() {
        Sketch sketch = fork(new JoinPolicy.Ended(1))
                .in("in x")
                .task("x")
                .path("x", "join")
                .in("in y")
                .task("y")
                .in("root")
                .task("interrupted")
                .path("y", "interrupted", "end");

        assertSound(sketch);
    }

    @Test
    void saysNothingAboutACollectionThatMayBeEmpty() {
        Sketch sketch = new Sketch(Kind.FLOW)
                .end("end")
                .each("fork", "join", new JoinPolicy.Count(5, Set.of()), "x")
                .path("start", "fork")
                .path("join", "end")
                .on("join", "unsatisfied", "end")
                .in("in x")
                .task("x")
                .path("x", "join");

        assertSound(sketch);
    }

    @Test
    void findsTheOutcomeFromWhichNothingLeadsOnByTheShortestWay() {
        Sketch sketch = new Sketch(Kind.FLOW)
                .task("a")
                .task("detour")
                .task("stop")
                .when("a", "detour")
                .path("start", "a", "stop")
                .path("detour", "stop");

        assertEquals(List.of("DEADLOCK stop: start a"), brief(sketch));
    }

    @Test
    void findsTwoBranchesThatWaitForEachOthersPermits() {
        Sketch sketch = fork(ALL)
                .in("in x")
                .acquire("x", "s")
                .acquire("x2", "t")
                .release("x3", "x")
                .path("x", "x2", "x3", "join")
                .in("in y")
                .acquire("y", "t")
                .acquire("y2", "s")
                .release("y3", "y")
                .path("y", "y2", "y3", "join");

        SoundnessReport report = Soundness.check(sketch.program(), MOST);

        assertEquals(List.of("DEADLOCK x2: start fork x y"), Sketch.brief(report));
        assertEquals(
                "x2, y2 wait for permits that this run holds itself",
                report.findings().getFirst().message());
    }

    @Test
    void saysNothingAboutPermitsThatAreTakenInOneOrder() {
        Sketch sketch = fork(ALL)
                .in("in x")
                .acquire("x", "s")
                .release("x3", "x")
                .path("x", "x3", "join")
                .in("in y")
                .acquire("y", "s")
                .release("y3", "y")
                .path("y", "y3", "join");

        assertSound(sketch);
    }

    @Test
    void findsAPermitThatIsTakenTwice() {
        Sketch sketch = new Sketch(Kind.FLOW)
                .acquire("a", "s")
                .acquire("b", "s")
                .end("end")
                .path("start", "a", "b", "end");

        assertEquals(List.of("DEADLOCK b: start a", "NEVER_RUNS end: start a b"), brief(sketch));
    }

    @Test
    void findsAJoinThatWaitsForMoreBranchesThanThereAre() {
        Sketch sketch = fork(new JoinPolicy.Count(3, Set.of()))
                .in("in x")
                .task("x")
                .path("x", "join")
                .in("in y")
                .task("y")
                .path("y", "join")
                .in("root")
                .task("less")
                .path("less", "end")
                .on("join", "unsatisfied", "less");

        assertEquals(List.of("JOIN_NEVER_FIRES join: start fork"), brief(sketch));
    }

    @Test
    void findsAJoinThatAcceptsAnOutcomeThatNoBranchHas() {
        Sketch sketch = fork(new JoinPolicy.Majority(Set.of(new Outcome("approve"))))
                .in("in x")
                .task("x")
                .path("x", "join")
                .in("in y")
                .task("y")
                .path("y", "join");

        assertEquals(
                List.of(
                        "DEADLOCK join: start fork x",
                        "NEVER_RUNS end: start fork x join",
                        "JOIN_NEVER_FIRES join: start fork"),
                brief(sketch));
    }

    @Test
    void findsTheNodeBehindAnUnconditionalEdge() {
        Sketch sketch = new Sketch(Kind.FLOW)
                .task("a")
                .task("shadowed")
                .end("end")
                .path("start", "a", "end")
                .path("a", "shadowed", "end");

        assertEquals(List.of("NEVER_RUNS shadowed: start a"), brief(sketch));
    }

    @Test
    void aDagOfManyNodesIsOneStep() {
        Sketch sketch = new Sketch(Kind.SETTLING).task("n0", true).path("start", "n0");
        for (int i = 1; i < 10_000; i++) {
            sketch.task("n" + i, true).when("n" + (i - 1), "n" + i).when("n" + Math.max(0, i - 2), "n" + i);
        }

        SoundnessReport report = Soundness.check(sketch.program(), MOST);

        assertTrue(report.complete());
        assertEquals(List.of(), Sketch.brief(report));
        assertEquals(1, report.markings());
    }

    @Test
    void findsAnUnfireableJoinInsideADag() {
        Sketch sketch = new Sketch(Kind.SETTLING)
                .fork("fork", "join", new JoinPolicy.Count(2, Set.of()), "x")
                .task("after", true)
                .task("less", true)
                .path("start", "fork")
                .path("join", "after")
                .on("join", "unsatisfied", "less")
                .in("in x")
                .task("x")
                .path("x", "join");

        assertEquals(
                List.of("NEVER_RUNS after", "JOIN_NEVER_FIRES join"),
                brief(sketch).stream()
                        .map(it -> it.substring(0, it.indexOf(':')))
                        .toList());
    }

    @Test
    void aChainOfTenThousandNodesEndsWithinTheBound() {
        Sketch sketch = new Sketch(Kind.FLOW).task("n0").path("start", "n0");
        for (int i = 1; i < 10_000; i++) {
            sketch.task("n" + i).path("n" + (i - 1), "n" + i);
        }
        sketch.end("end").path("n9999", "end");

        SoundnessReport report = Soundness.check(sketch.program(), MOST);

        assertTrue(report.complete());
        assertEquals(List.of(), Sketch.brief(report));
    }

    @Test
    void saysThatItDidNotLookAtEverythingAndThenOnlyNamesWhatItSaw() {
        String[] branches = new String[8];
        for (int i = 0; i < branches.length; i++) {
            branches[i] = "b" + i;
        }
        Sketch sketch = new Sketch(Kind.FLOW)
                .end("end")
                .fork("fork", "join", new JoinPolicy.Count(9, Set.of()), branches)
                .path("start", "fork")
                .path("join", "end")
                .on("join", "unsatisfied", "end");
        for (String branch : branches) {
            sketch.in("in " + branch);
            String last = branch;
            sketch.task(last);
            for (int i = 0; i < 1_250; i++) {
                sketch.task(branch + "-" + i).path(last, branch + "-" + i);
                last = branch + "-" + i;
            }
            sketch.path(last, "join");
        }

        SoundnessReport report = Soundness.check(sketch.program(), 20_000);

        assertFalse(report.complete());
        assertEquals(List.of(), report.findings());
        assertEquals(20_001, report.markings());
    }

    @Test
    void branchesThatCannotInfluenceEachOtherAreNotMultiplied() {
        Sketch sketch = new Sketch(Kind.FLOW)
                .end("end")
                .fork("fork", "join", ALL, "x", "y", "z")
                .path("start", "fork")
                .path("join", "end");
        for (String branch : List.of("x", "y", "z")) {
            sketch.in("in " + branch).task(branch);
            String last = branch;
            for (int i = 0; i < 500; i++) {
                sketch.task(branch + i).path(last, branch + i);
                last = branch + i;
            }
            sketch.path(last, "join");
        }

        SoundnessReport report = Soundness.check(sketch.program(), MOST);

        assertTrue(report.complete());
        assertEquals(List.of(), Sketch.brief(report));
    }

    /** Branches x and y; the join leads to the end. */
    private static Sketch fork(JoinPolicy policy) {
        return new Sketch(Kind.FLOW)
                .end("end")
                .fork("fork", "join", policy, "x", "y")
                .path("start", "fork")
                .path("join", "end");
    }

    private static List<String> brief(Sketch sketch) {
        return Sketch.brief(Soundness.check(sketch.program(), MOST));
    }

    private static void assertSound(Sketch sketch) {
        SoundnessReport report = Soundness.check(sketch.program(), MOST);
        assertTrue(report.complete());
        assertEquals(List.of(), Sketch.brief(report));
    }
}
