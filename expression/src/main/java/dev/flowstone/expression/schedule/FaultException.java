package dev.flowstone.expression.schedule;

import dev.flowstone.kernel.schedule.ScheduleFault;
import dev.flowstone.kernel.schedule.ScheduleField;

/** The way out of reading an expression at its first fault; never leaves this package. Carries no stack trace. */
final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 40;

    private final transient ScheduleFault fault;

    FaultException(ScheduleField field, String problem, String allowed) {
        super(problem, null, false, false);
        this.fault = new ScheduleFault(field, problem, allowed);
    }

    ScheduleFault fault() {
        return fault;
    }

    /** A part of the expression as a message shows it; of a long one its beginning. */
    static String quoted(String text) {
        if (text.length() <= SHOWN) {
            return "'" + text + "'";
        }
        int end = Character.isHighSurrogate(text.charAt(SHOWN - 1)) ? SHOWN - 1 : SHOWN;
        return "'" + text.substring(0, end) + "…'";
    }
}
