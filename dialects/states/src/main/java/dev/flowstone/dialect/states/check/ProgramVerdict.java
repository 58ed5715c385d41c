package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;

/** The kernel has the last word on what was compiled. */
public final class ProgramVerdict {
    private final Faults faults;

    public ProgramVerdict(Faults faults) {
        this.faults = faults;
    }

    /** Reachability is the states' (see {@link NameCheck}): the kernel's would name nodes that nobody wrote. */
    public void check(Program program) {
        for (ProgramFault fault : ProgramCheck.faults(program)) {
            if (fault.code() != ProgramFault.Code.UNREACHABLE) {
                faults.add(
                        StatesFault.PROGRAM,
                        fault.origin().pointer(),
                        fault.message(),
                        "this is more than the format forbids: change the states named here");
            }
        }
    }
}
