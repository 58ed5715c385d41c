package dev.flowstone.kernel.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.program.ProgramFault.Code;
import dev.flowstone.kernel.story.Programs;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused of forks and joins before it can run; cases.md 3. */
final class ForkCheckTest {
    private static Programs good() {
        return Programs.dag()
                .fork("fork", "join", "one")
                .join("join")
                .tasks("after", "exit")
                .edge("start", "fork")
                .edge("join", "after")
                .settlingBranch("one", "fork", "t")
                .tasks("t")
                .edge("t", "join")
                .edge("t", "exit");
    }

    @Test
    void aForkInADagWithAnExitIsFine() {
        Program program = good().build();
        assertEquals(List.of(), ProgramCheck.faults(program));
        Topology topology = program.topology();
        assertEquals(
                1, topology.place(new dev.flowstone.kernel.id.NodeId("exit")).arrivals());
        assertEquals(
                1,
                topology.composite(topology.place(new dev.flowstone.kernel.id.NodeId("fork")))
                        .exits()
                        .size());
    }

    static Stream<Arguments> faulty() {
        return Stream.of(
                Arguments.of(
                        Code.JOIN_WITHOUT_FORK,
                        Programs.dag()
                                .join("join")
                                .edge("start", "join")
                                .tasks("a")
                                .edge("start", "a")),
                Arguments.of(
                        Code.JOIN_WITHOUT_FORK,
                        good().inRoot()
                                .fork("second", "join", "two")
                                .edge("start", "second")
                                .branch("two", "second", "x")
                                .tasks("x")),
                Arguments.of(
                        Code.FORK_WITHOUT_JOIN,
                        good().inRoot()
                                .fork("second", "after", "two")
                                .edge("start", "second")
                                .branch("two", "second", "x")
                                .tasks("x")),
                Arguments.of(
                        Code.INVALID_BRANCH,
                        good().inRoot().fork("second", "j2", "one").join("j2").edge("start", "second")),
                Arguments.of(
                        Code.INVALID_BRANCH,
                        good().settlingBranch("stray", "fork", "x").tasks("x")),
                Arguments.of(Code.FOREIGN_ARRIVAL, good().inRoot().edge("after", "join")),
                Arguments.of(Code.INVALID_FAILURE_POLICY, good().inRoot().onFailure(Scope.FailurePolicy.ARRIVE)),
                Arguments.of(Code.JUMP_INTO_SCOPE, good().inRoot().edge("after", "t")),
                Arguments.of(Code.CYCLE, good().inRoot().edge("exit", "fork")),
                Arguments.of(Code.CYCLE, good().inRoot().edge("after", "fork")),
                Arguments.of(Code.UNKNOWN_OUTCOME, good().inRoot().edge("fork", "after")),
                Arguments.of(Code.UNREACHABLE, good().in("one").tasks("lost")));
    }

    @ParameterizedTest
    @MethodSource("faulty")
    void whatCannotRunIsRefused(Code code, Programs program) {
        assertEquals(
                true,
                ProgramCheck.faults(program.build()).stream().anyMatch(fault -> fault.code() == code),
                () -> ProgramCheck.faults(program.build()).toString());
    }
}
