package dev.flowstone.kernel.program;

import java.util.ArrayList;
import java.util.List;

/**
 * What a program's constructor can't see. A program without faults runs: no activation is entered past its scope's entry,
 * every settling scope settles, every node can be reached. Cost linear in the program; no recursion, however long its
 * chains are.
 */
public final class ProgramCheck {
    private ProgramCheck() {}

    /** All faults: those of scopes, of forks, of nodes and edges, of human tasks, of calls, of the graph; each by id. */
    public static List<ProgramFault> faults(Program program) {
        List<ProgramFault> faults = new ArrayList<>();
        new ScopeCheck(program, faults).run();
        if (faults.stream().anyMatch(fault -> fault.code() == ProgramFault.Code.SCOPE_CIRCLE)) {
            return List.copyOf(faults);
        }
        new ForkCheck(program, faults).run();
        new EdgeCheck(program, faults).run();
        new HumanCheck(program, faults).run();
        new CallCheck(program, faults).run();
        new GraphCheck(program, faults).run();
        return List.copyOf(faults);
    }
}
