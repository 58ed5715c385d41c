package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;

/**
 * The kernel has the last word on what was compiled, on what can't be reached as well: where a way leads to every state (see
 * {@link NameCheck}) and none to a node that stands for a part of one, the author wrote something that can never happen.
 */
public final class ProgramVerdict {
    private final Faults faults;

    public ProgramVerdict(Faults faults) {
        this.faults = faults;
    }

    public void check(Program program) {
        for (ProgramFault fault : ProgramCheck.faults(program)) {
            faults.add(
                    StatesFault.PROGRAM,
                    fault.origin().pointer(),
                    fault.message(),
                    "this is more than the format forbids: change the states named here");
        }
    }
}
