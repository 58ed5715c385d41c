package dev.flowstone.kernel.event;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.program.Outcome;

/** Stored forms of what happens to forks, branches and joins. */
final class ForkForms {
    private ForkForms() {}

    static void write(FrameOutput out, ForkEvent body) {
        switch (body) {
            case ForkEvent.ForkOpened b -> {
                out.name("branches").number(b.branches());
                out.name("fork").string(b.fork().toString());
                b.items().ifPresent(items -> Parts.payload(out.name("items"), items));
            }
            case ForkEvent.BranchOpened b -> {
                branch(out, b.fork(), b.branch());
                out.name("number").number(b.number());
                out.name("scope").string(b.scope().value());
            }
            case ForkEvent.BranchEnded b -> {
                out.name("arrived").bool(b.arrived());
                branch(out, b.fork(), b.branch());
                out.name("number").number(b.number());
                if (b.omitted() > 0) {
                    out.name("omitted").number(b.omitted());
                }
                out.name("outcome").string(b.outcome().name());
            }
            case ForkEvent.BranchesDiscarded b -> {
                out.name("branches").number(b.branches());
                out.name("fork").string(b.fork().toString());
                out.name("from").number(b.from());
            }
            case ForkEvent.JoinFired b -> {
                out.name("arrived").number(b.arrived());
                out.name("branches").number(b.branches());
                out.name("ended").number(b.ended());
                out.name("fork").string(b.fork().toString());
                out.name("join").string(b.join().value());
                out.name("outcome").string(b.outcome().name());
            }
            case ForkEvent.BranchCanceled b -> {
                out.name("branch").number(b.branch());
                out.name("compensates").bool(b.compensates());
                out.name("fork").string(b.fork().toString());
                out.name("join").string(b.join().value());
                out.name("number").number(b.number());
            }
            case ForkEvent.BranchKept b -> {
                branch(out, b.fork(), b.branch());
                out.name("join").string(b.join().value());
                out.name("number").number(b.number());
            }
            case ForkEvent.ExitFollowed b -> {
                out.name("edge").string(b.edge().value());
                out.name("fork").string(b.fork().toString());
                out.name("number").number(b.number());
            }
            case ForkEvent.IncidentDiscarded b -> {
                out.name("incident").number(b.incident());
                out.name("number").number(b.number());
                out.name("scope").string(b.scope().value());
            }
        }
    }

    private static void branch(FrameOutput out, ActivationId fork, int branch) {
        out.name("branch").number(branch);
        out.name("fork").string(fork.toString());
    }

    static ForkEvent.ForkOpened forkOpened(JsonCursor at) {
        return new ForkEvent.ForkOpened(
                fork(at), at.intValue("branches"), at.find("items").map(Parts::payload));
    }

    static ForkEvent.BranchOpened branchOpened(JsonCursor at) {
        return new ForkEvent.BranchOpened(
                fork(at), at.intValue("branch"), at.as("scope", ScopeId::new), at.intValue("number"));
    }

    static ForkEvent.BranchEnded branchEnded(JsonCursor at) {
        return new ForkEvent.BranchEnded(
                fork(at),
                at.intValue("branch"),
                at.intValue("number"),
                at.bool("arrived"),
                at.as("outcome", Outcome::new),
                at.find("omitted").isPresent() ? at.intValue("omitted") : 0);
    }

    static ForkEvent.BranchesDiscarded branchesDiscarded(JsonCursor at) {
        return new ForkEvent.BranchesDiscarded(fork(at), at.intValue("from"), at.intValue("branches"));
    }

    static ForkEvent.JoinFired joinFired(JsonCursor at) {
        return new ForkEvent.JoinFired(
                fork(at),
                join(at),
                at.as("outcome", Outcome::new),
                at.intValue("branches"),
                at.intValue("ended"),
                at.intValue("arrived"));
    }

    static ForkEvent.BranchCanceled branchCanceled(JsonCursor at) {
        return new ForkEvent.BranchCanceled(
                fork(at), at.intValue("branch"), at.intValue("number"), join(at), at.bool("compensates"));
    }

    static ForkEvent.BranchKept branchKept(JsonCursor at) {
        return new ForkEvent.BranchKept(fork(at), at.intValue("branch"), at.intValue("number"), join(at));
    }

    static ForkEvent.ExitFollowed exitFollowed(JsonCursor at) {
        return new ForkEvent.ExitFollowed(fork(at), at.as("edge", EdgeId::new), at.intValue("number"));
    }

    static ForkEvent.IncidentDiscarded incidentDiscarded(JsonCursor at) {
        return new ForkEvent.IncidentDiscarded(
                at.longValue("incident"), at.as("scope", ScopeId::new), at.intValue("number"));
    }

    private static ActivationId fork(JsonCursor at) {
        return at.as("fork", ActivationId::parse);
    }

    private static NodeId join(JsonCursor at) {
        return at.as("join", NodeId::new);
    }
}
