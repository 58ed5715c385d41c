package dev.flowstone.dialect.soundness;

import dev.flowstone.dialect.soundness.Flow.Branch;
import dev.flowstone.dialect.soundness.Move.Result;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import java.util.Set;

/** What a join makes of its branches (R10). */
final class Joins {
    private Joins() {}

    /** The fork as it was, or its join having fired. */
    static Result judged(Flow flow, Node.Join join) {
        int all = flow.branches().size();
        int running = 0;
        int arrived = 0;
        for (Branch branch : flow.branches()) {
            running += branch instanceof Branch.Running ? 1 : 0;
            arrived += branch instanceof Branch.Arrived ? 1 : 0;
        }
        int ended = all - running;
        boolean met = false;
        boolean lost = false;
        switch (join.policy()) {
            case JoinPolicy.All _ -> {
                met = running == 0 && arrived > 0;
                lost = running == 0 && arrived == 0;
            }
            case JoinPolicy.Count count -> {
                int accepted = accepted(flow, count.accept());
                met = accepted >= count.branches();
                lost = accepted + running < count.branches();
            }
            case JoinPolicy.Majority majority -> {
                int accepted = accepted(flow, majority.accept());
                met = 2 * accepted > all;
                lost = 2 * (accepted + running) <= all;
            }
            case JoinPolicy.Ended some -> {
                met = ended >= some.branches();
                lost = all < some.branches();
            }
        }
        String at = join.id().value();
        return new Result.Moved(
                met
                        ? flow.fired(at, Outcome.SUCCESS.name())
                        : lost ? flow.fired(at, Outcome.UNSATISFIED.name()) : flow);
    }

    private static int accepted(Flow flow, Set<Outcome> accept) {
        Set<Outcome> outcomes = accept.isEmpty() ? Set.of(Outcome.SUCCESS) : accept;
        int accepted = 0;
        for (Branch branch : flow.branches()) {
            if (branch instanceof Branch.Arrived(String outcome) && outcomes.contains(new Outcome(outcome))) {
                accepted++;
            }
        }
        return accepted;
    }
}
