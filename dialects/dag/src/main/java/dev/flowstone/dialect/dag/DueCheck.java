package dev.flowstone.dialect.dag;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.action.DelayCheck;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.schedule.TimerCheck;

/**
 * Refuses delays that no run could wait for, by the kernel's own rule: whatever {@code dag.maxDelay} allows, what is
 * published can be due.
 */
final class DueCheck {
    private static final CronSchedules SCHEDULES = new CronSchedules();

    private final Faults faults;

    DueCheck(Faults faults) {
        this.faults = requireNonNull(faults);
    }

    void check(Program program) {
        for (TimerCheck.Finding finding : TimerCheck.findings(program, SCHEDULES)) {
            String pointer = finding.fault().origin().pointer() + "/parameters";
            String member = finding.fault()
                    .node()
                    .map(program::node)
                    .map(DueCheck::member)
                    .orElse("");
            faults.add(FaultCode.OUT_OF_RANGE, pointer + member, finding.fault().message(), "make it shorter");
        }
    }

    /** A text is the one parameter, a number the other. */
    private static String member(Node node) {
        boolean text = node instanceof Node.Timer timer
                && timer.due() instanceof Due.After(var wait)
                && wait instanceof JsonString;
        return "/" + (text ? DelayCheck.ISO : DelayCheck.MILLIS);
    }
}
