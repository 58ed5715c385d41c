package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A run begins: its input is recorded, its deadline set. */
final class StartRun {
    private static final Pattern ROOT_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    private StartRun() {}

    /** Why the command is malformed, or null. */
    static Optional<Decision.Rejected> check(Command.StartRun command, Sha256 program) {
        if (!command.program().equals(program)) {
            return invalid("the run follows program " + program + ", not " + command.program());
        }
        if (command.version() < 0) {
            return invalid("a workflow's version is 0 or more, not " + command.version());
        }
        return misnamed(command.input().keySet())
                .map(reason -> new Decision.Rejected(RejectionCode.INVALID_COMMAND, reason));
    }

    /** Why these can't be the roots of an input; empty if they can. */
    static Optional<String> misnamed(Set<String> roots) {
        for (String root : roots) {
            if (RunRoots.RESERVED.contains(root)) {
                return Optional.of("input can't replace the root " + root);
            }
            if (!ROOT_NAME.matcher(root).matches()) {
                return Optional.of("an input's root is a name of at most 64 letters, digits and underscores");
            }
        }
        return Optional.empty();
    }

    static Optional<Decision.Rejected> decide(Deciding deciding, Command.StartRun command) {
        Optional<Decision.Rejected> tooLarge = ContextBound.refusal(deciding, command.input());
        if (tooLarge.isPresent()) {
            return tooLarge;
        }
        boolean recorded;
        try {
            recorded = deciding.offer(new EventBody.RunStarted(
                    command.program(), command.requestId(), command.input(), command.requested(), command.subject()));
        } catch (IllegalArgumentException e) {
            return invalid("the input, the request id or a name holds text that is not Unicode");
        }
        if (!recorded) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.LIMIT_EXCEEDED,
                    "the input is longer than an event may be ("
                            + deciding.bounds().eventBytes() + " bytes)"));
        }
        deciding.state().program().deadline().ifPresent(deadline -> setDeadline(deciding, deadline));
        return Optional.empty();
    }

    static void setDeadline(Deciding deciding, Duration deadline) {
        Instant due = Timers.due(deciding.now(), deadline).orElse(Times.LAST);
        deciding.emit(
                new EventBody.TimerSet(Timers.DEADLINE, 1, due, EventBody.TimerPurpose.DEADLINE, Optional.empty()));
    }

    private static Optional<Decision.Rejected> invalid(String reason) {
        return Optional.of(new Decision.Rejected(RejectionCode.INVALID_COMMAND, reason));
    }
}
