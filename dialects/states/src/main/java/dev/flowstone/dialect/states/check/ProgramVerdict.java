package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.schedule.TimerCheck;
import java.util.Locale;

/**
 * The kernel has the last word on what was compiled, also on when timers are due, on what can't be reached as well: where a way leads to every state (see
 * {@link NameCheck}) and none to a node that stands for a part of one, the author wrote something that can never happen.
 */
public final class ProgramVerdict {
    private static final CronSchedules SCHEDULES = new CronSchedules();

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
        for (TimerCheck.Finding finding : TimerCheck.findings(program, SCHEDULES)) {
            faults.add(StatesFault.BAD_TIME, pointer(finding), finding.fault().message(), remedy(finding.part()));
        }
    }

    /** A timeout's clock stands where its only value does; a timer says several things, of which one is meant. */
    private static String pointer(TimerCheck.Finding finding) {
        String pointer = finding.fault().origin().pointer();
        return pointer.endsWith("/timer")
                ? pointer + "/" + finding.part().name().toLowerCase(Locale.ROOT)
                : pointer;
    }

    private static String remedy(TimerCheck.Part part) {
        return switch (part) {
            case AFTER, EVERY -> "write a duration such as \"PT5M\" or \"P2D\"";
            case AT -> "write a date and time with an offset such as \"2027-01-31T09:00:00+01:00\"";
            case CRON -> "write a schedule such as \"0 9 * * MON-FRI\"; `flowstone schedule` shows when one is due";
            case ZONE -> "write a zone such as \"Europe/Berlin\", or leave it out for UTC";
        };
    }
}
