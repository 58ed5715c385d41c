package dev.flowstone.kernel.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.ProgramFault.Code;
import dev.flowstone.kernel.story.Programs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each fault, alone. */
final class ProgramCheckTest {
    private static List<ProgramFault> faults(Programs program) {
        return ProgramCheck.faults(program.build());
    }

    private static void only(Code code, Programs program) {
        List<ProgramFault> faults = faults(program);
        assertEquals(List.of(code), faults.stream().map(ProgramFault::code).toList(), faults.toString());
    }

    private static Programs slot() {
        return Programs.flow()
                .end("end")
                .settlingScope("slot", "in", "out", "end")
                .tasks("in", "out")
                .edge("in", "out")
                .edge("out", "end")
                .edge("start", "in");
    }

    @Test
    void acceptsDagsFlowsAndSlots() {
        assertEquals(List.of(), faults(slot()));
        assertEquals(
                List.of(),
                faults(Programs.dag().tasks("a", "b").chain("start", "a", "b").on(Outcome.FAILURE, "a", "b")));
        assertEquals(
                List.of(),
                faults(Programs.flow().strictTask("a").chain("start", "a").on(Outcome.FAILURE, "a", "a")));
    }

    @Test
    void refusesACycleAndNamesItsPath() {
        Programs program = Programs.dag().tasks("a", "b", "c").chain("start", "a", "b", "c", "a");

        only(Code.CYCLE, program);
        ProgramFault fault = faults(program).getFirst();
        assertTrue(fault.message().endsWith("a → b → c → a"), fault.message());
        assertEquals("c->a", fault.edge().orElseThrow().value());
    }

    @Test
    void refusesUnreachableNodes() {
        only(Code.UNREACHABLE, Programs.dag().tasks("a", "b").edge("start", "a"));
    }

    @Test
    void refusesAJumpIntoAScopePastItsEntry() {
        only(
                Code.JUMP_INTO_SCOPE,
                slot().inRoot().strictTask("x").edge("x", "out").edge("start", "x"));
    }

    @Test
    void refusesAllInAFlowScope() {
        only(
                Code.ALL_IN_FLOW_SCOPE,
                Programs.flow()
                        .task("a", Retry.NONE, JsonObject.EMPTY, true, Routing.ALL)
                        .edge("start", "a"));
    }

    @Test
    void refusesEdgesThatCanNeverBeTaken() {
        only(
                Code.UNKNOWN_OUTCOME,
                Programs.dag()
                        .tasks("a", "b")
                        .edge("start", "a")
                        .edge("start", "b")
                        .on(new Outcome("approved"), "a", "b"));
        only(Code.EDGE_FROM_END, Programs.dag().tasks("a").end("e").chain("start", "e", "a"));
        only(Code.EDGE_TO_START, Programs.flow().strictTask("a").chain("start", "a", "start"));
        only(
                Code.CONDITION_ON_ELSE,
                Programs.dag().tasks("a").edge("start", "a", Outcome.SUCCESS, Optional.of("true"), true, 0));
    }

    @Test
    void refusesScopesThatBreakTheTree() {
        only(
                Code.SCOPE_IN_SETTLING_SCOPE,
                Programs.dag().flowScope("inner", "root", "x").strictTask("x").edge("start", "x"));
        only(
                Code.ENTRY_OUTSIDE_SCOPE,
                Programs.flow().strictTask("a").edge("start", "a").flowScope("inner", "root", "a"));
        only(
                Code.MISSING_CONTINUATION,
                Programs.flow()
                        .scope("slot", "root", Scope.Kind.SETTLING, "in", Optional.empty(), Optional.empty())
                        .task("in")
                        .edge("start", "in"));
        List<ProgramFault> circle = faults(Programs.flow()
                .flowScope("x", "y", "a")
                .strictTask("a")
                .flowScope("y", "x", "b")
                .strictTask("b")
                .edge("start", "a")
                .edge("a", "b"));
        assertTrue(circle.stream().allMatch(fault -> fault.code() == Code.SCOPE_CIRCLE), circle.toString());
    }

    @Test
    void refusesContinuationsThatAreNone() {
        only(
                Code.INVALID_CONTINUATION,
                Programs.flow()
                        .end("end")
                        .settlingScope("slot", "in", "out", "end")
                        .tasks("in", "out")
                        .edge("in", "out")
                        .edge("out", "end", "true")
                        .edge("start", "in"));
    }

    @Test
    void aChainOfTenThousandNodesIsNoProblem() {
        Programs chain = Programs.dag();
        String before = "start";
        for (int i = 0; i < 10_000; i++) {
            chain.task("n" + i).edge(before, "n" + i);
            before = "n" + i;
        }
        assertEquals(List.of(), faults(chain));
    }
}
