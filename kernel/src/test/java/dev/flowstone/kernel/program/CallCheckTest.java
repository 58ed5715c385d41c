package dev.flowstone.kernel.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.story.Programs;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** R22: each policy of a call with each operation; + is meant, - means nothing and is refused where a program is made. */
final class CallCheckTest {
    private static final String TABLE = """
            policy               | cancel terminate suspend timeout
            CASCADE              | +      +         +       +
            DETACH               | +      +         +       +
            FENCE_PARENT_ONLY    | -      -         +       -
            CANCEL_CHILDREN      | +      +         +       +
            COMPLETE_THEN_CANCEL | +      +         -       +
            WAIT                 | -      -         -       +
            """;

    static Stream<Arguments> cells() {
        return TABLE.lines().skip(1).flatMap(line -> {
            ChildPolicy policy = ChildPolicy.valueOf(line.substring(0, 20).strip());
            String[] cells = line.substring(22).strip().split(" +");
            return Stream.of(0, 1, 2, 3)
                    .map(operation -> Arguments.of(policy, operation, cells[operation].equals("+")));
        });
    }

    private static Program program(ChildPolicy policy, int operation) {
        ChildPolicy[] all = new ChildPolicy[4];
        Arrays.fill(all, ChildPolicy.CASCADE);
        all[operation] = policy;
        return Programs.dag()
                .call("call", "child", true, Optional.of("PT1H"), new ChildPolicies(all[0], all[1], all[2], all[3]))
                .edge("start", "call")
                .build();
    }

    @ParameterizedTest
    @MethodSource("cells")
    void refusesWhatMeansNothing(ChildPolicy policy, int operation, boolean meant) {
        List<ProgramFault> faults = ProgramCheck.faults(program(policy, operation));

        assertEquals(
                meant ? List.of() : List.of(ProgramFault.Code.INVALID_CHILD_POLICY),
                faults.stream().map(ProgramFault::code).toList());
        faults.forEach(fault -> assertEquals(new Origin("/nodes/call"), fault.origin()));
    }

    @Test
    void everyPolicyStandsInTheTable() {
        assertEquals(4L * ChildPolicy.values().length, cells().count());
    }

    /** Nothing that was stored is refused when it is read. */
    @Test
    void aStoredProgramLoadsWhateverItsPolicies() {
        Program stored = program(ChildPolicy.WAIT, 0);

        assertEquals(ProgramCodec.json(stored), ProgramCodec.json(ProgramCodec.decode(ProgramCodec.encode(stored))));
    }

    @Test
    void aWindowHasABound() {
        assertEquals(List.of(), windows(Branches.Each.WIDEST));
        assertEquals(List.of(ProgramFault.Code.INVALID_WINDOW), windows(Branches.Each.WIDEST + 1));
    }

    private static List<ProgramFault.Code> windows(int window) {
        Program program = Programs.dag()
                .forEach("fork", "join", "{{trigger.list}}", "each", window)
                .join("join")
                .edge("start", "fork")
                .branch("each", "fork", "work")
                .strictTask("work")
                .edge("work", "join")
                .build();
        return ProgramCheck.faults(program).stream().map(ProgramFault::code).toList();
    }
}
