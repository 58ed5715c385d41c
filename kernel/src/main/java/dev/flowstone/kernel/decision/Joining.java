package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.BranchState;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.ForkState;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import java.util.List;
import java.util.Optional;

/** How branches end, when their join fires, and what becomes of those that it fires without (R10). */
final class Joining {
    private Joining() {}

    /** A policy may be met, or out of reach, before any branch has opened. */
    static void opened(Deciding deciding, Node.Fork node, ActivationId id) {
        judge(deciding, node, id);
    }

    /** Nothing in a branch is alive any more: it arrived, or it died. Its join is judged. */
    static void ended(Deciding deciding, ScopeInstance scope, BranchState branch) {
        Draft state = deciding.state();
        ForkState fork = state.tree().fork(branch.fork());
        if (fork == null || !(state.program().node(branch.fork().node()) instanceof Node.Fork node)) {
            throw new IllegalStateException("a branch of a fork that is over: " + branch);
        }
        deciding.emit(new ForkEvent.BranchEnded(
                branch.fork(),
                branch.index(),
                scope.number(),
                branch.hasArrived(),
                outcome(state, branch),
                omitted(deciding, fork, branch)));
        judge(deciding, node, branch.fork());
    }

    private static Outcome outcome(Draft state, BranchState branch) {
        if (branch.failed()) {
            return Outcome.FAILURE;
        }
        EdgeId arrived = branch.arrived();
        Optional<Outcome> declared = arrived == null
                ? Optional.empty()
                : state.program().edge(arrived).as();
        if (declared.isPresent()) {
            return declared.get();
        }
        if (branch.human() != null) {
            return branch.human();
        }
        return branch.last() == null ? Outcome.SUCCESS : branch.last();
    }

    /** Its size, if the join's result has no room for it any more; otherwise 0. */
    private static int omitted(Deciding deciding, ForkState fork, BranchState branch) {
        if (!(branch.output() instanceof Payload.Inline inline)) {
            return 0;
        }
        int bytes = Answers.size(inline.value());
        return fork.bytes() + bytes > deciding.bounds().forks().resultBytes() ? bytes : 0;
    }

    private static void judge(Deciding deciding, Node.Fork node, ActivationId id) {
        ForkState fork = deciding.state().tree().fork(id);
        if (fork == null || !(deciding.state().program().node(node.join()) instanceof Node.Join join)) {
            return;
        }
        verdict(join.policy(), fork)
                .ifPresent(outcome -> deciding.emit(new ForkEvent.JoinFired(
                        id, join.id(), outcome, fork.branches(), fork.ended(), fork.arrived())));
    }

    /** Whether it is open and nothing that happens to it any more would fire its join: a decision is about to. */
    static boolean isAboutToFire(Draft state, ForkState fork) {
        return fork.fired() == null
                && state.program().node(fork.fork().node()) instanceof Node.Fork node
                && state.program().node(node.join()) instanceof Node.Join join
                && verdict(join.policy(), fork).isPresent();
    }

    /** Empty while it is open. Without any branch every policy is met. */
    private static Optional<Outcome> verdict(JoinPolicy policy, ForkState fork) {
        int all = fork.branches();
        int rest = all - fork.ended();
        int accepted = fork.accepted();
        if (all == 0) {
            return Optional.of(Outcome.SUCCESS);
        }
        return switch (policy) {
            case JoinPolicy.All _ -> verdict(rest == 0 && fork.arrived() > 0, rest > 0);
            case JoinPolicy.Count count -> verdict(accepted >= count.branches(), accepted + rest >= count.branches());
            case JoinPolicy.Majority _ -> verdict(2L * accepted > all, 2L * (accepted + rest) > all);
            case JoinPolicy.Ended ended -> verdict(fork.ended() >= ended.branches(), all >= ended.branches());
        };
    }

    private static Optional<Outcome> verdict(boolean met, boolean possible) {
        if (met) {
            return Optional.of(Outcome.SUCCESS);
        }
        return possible ? Optional.empty() : Optional.of(Outcome.UNSATISFIED);
    }

    /** One step of what follows a join's firing: its losers end, one piece at a time; then it is entered. */
    static void step(Deciding deciding, WorkItem.Fire fire) {
        Draft state = deciding.state();
        ForkState fork = state.tree().fork(fire.fork());
        if (fork == null
                || !(state.program().node(fire.fork().node()) instanceof Node.Fork node)
                || !(state.program().node(node.join()) instanceof Node.Join join)) {
            throw new IllegalStateException("a join of a fork that is over: " + fire);
        }
        if (fork.next() < fork.branches()) {
            Forking.cancel(deciding, fork.fork());
        } else if (fork.open().isEmpty()) {
            enter(deciding, fork, join);
        } else {
            loses(deciding, fork, join);
        }
    }

    private static void enter(Deciding deciding, ForkState fork, Node.Join join) {
        Draft state = deciding.state();
        Activation forking = state.activation(fork.fork());
        // A run may begin at the point of another one's past right behind this event (R26).
        if (forking != null && !forking.status().isFinal()) {
            deciding.emit(new EventBody.Transitioned(fork.fork(), Outcome.SUCCESS, List.of(), List.of()));
        }
        int visits = state.node(state.topology().place(join.id())).visits();
        ActivationId id = new ActivationId(join.id(), visits + 1);
        deciding.emit(new EventBody.ActivationOpened(
                id, Keys.of(state.run().orElseThrow(), id, state.data().subjectVersion()), fork.arrivals()));
    }

    private static void loses(Deciding deciding, ForkState fork, Node.Join join) {
        int branch = (int) fork.open().firstKey();
        Integer number = fork.open().get(branch);
        ScopeInstance scope = number == null ? null : deciding.state().tree().scope(number);
        if (number == null || scope == null) {
            throw new IllegalStateException("an open branch has no scope: " + fork.fork() + " " + branch);
        }
        if (join.losers() == Node.Join.Losers.KEEP) {
            deciding.emit(new ForkEvent.BranchKept(fork.fork(), branch, number, join.id()));
        } else if (!Closing.step(deciding, scope, lost(join.id()))) {
            if (undoes(join)) {
                Compensating.scope(deciding, number);
            }
            deciding.emit(new ForkEvent.BranchCanceled(fork.fork(), branch, number, join.id(), undoes(join)));
        }
    }

    /** What canceled work says of why it was canceled. */
    private static String lost(NodeId join) {
        return "JOIN_LOST " + join;
    }

    /** Whether what losing branches have done is to be undone: the event of each says so, its applier takes it up. */
    private static boolean undoes(Node.Join join) {
        return join.losers() == Node.Join.Losers.COMPENSATE;
    }
}
