package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.payload.PayloadSize;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what {@link SnapshotWriter} wrote. */
final class SnapshotReader {
    private final Draft draft;

    private SnapshotReader(Draft draft) {
        this.draft = draft;
    }

    static Draft read(Programs programs, Program program, Sha256 programHash, JsonObject snapshot) {
        JsonCursor at = JsonCursor.of(snapshot);
        if (at.intValue("format") != SnapshotWriter.FORMAT) {
            throw at.member("format").fault("no snapshot of this format is known to this release");
        }
        if (!at.as("program", Sha256::parse).equals(programHash)) {
            throw at.member("program").fault("a snapshot of another program");
        }
        Draft draft = new Draft(programs, program, programHash);
        if (at.longValue("sequence") > 0) {
            new SnapshotReader(draft).read(at);
        }
        return draft;
    }

    private void read(JsonCursor at) {
        draft.lastSequence = at.longValue("sequence");
        draft.tenant = at.as("tenant", TenantId::new);
        draft.run = at.as("run", RunId::parse);
        draft.version = at.intValue("version");
        draft.correlation = at.string("correlation");
        draft.input = input(at.member("input"));
        draft.status = at.as("status", RunStatus::valueOf);
        draft.ending = at.as("ending", Ending::valueOf);
        draft.lastHash = at.as("hash", Sha256::parse);
        draft.lastEventTime = at.as("time", Times::read);
        draft.waits = at.longValue("waits");
        draft.tree.nextScope = at.intValue("nextScope");
        at.find("failure").ifPresent(failure -> draft.failure = failure(failure));
        at.find("output").ifPresent(output -> draft.output = PayloadCodec.read(output));
        at.find("forks").map(JsonCursor::items).orElse(List.of()).forEach(fork -> {
            ForkState read = BranchForms.fork(fork);
            draft.tree.forks = draft.tree.forks.with(read.fork(), read);
        });
        at.member("scopes").items().forEach(this::scope);
        at.member("attempts").items().forEach(this::attempt);
        at.member("nodes").items().forEach(this::node);
        at.member("timers").items().forEach(this::timer);
        for (JsonCursor item : at.member("queue").items()) {
            Queue.restore(draft, item(item));
        }
        at.member("incidents").items().forEach(this::incident);
        for (JsonCursor id : at.member("terminals").items()) {
            Place place = draft.topology.place(id.as(NodeId::new));
            draft.terminals = draft.terminals.with(place.number(), place.node().id());
        }
        at.find("used")
                .ifPresent(used -> used.members()
                        .forEach(one -> draft.used = draft.used.with(new NodeId(one.token()), one.intValue())));
        MessageSnapshot.read(at, draft);
        PeopleSnapshot.read(draft, at);
        at.find("control").ifPresent(control -> ControlSnapshot.read(draft, control));
        at.find("undoing").ifPresent(undoing -> UndoingSnapshot.read(draft, undoing));
        TickSnapshot.read(at, draft);
        draft.weight = Weight.of(draft);
        draft.contextBytes = contextBytes(draft);
    }

    /** As the appliers have counted it, event by event. */
    static long contextBytes(Draft draft) {
        long sum = 0;
        for (Payload root : draft.input.values()) {
            sum += PayloadSize.of(root);
        }
        for (NodeState node : draft.nodes.values()) {
            sum += node.resultBytes();
        }
        return sum;
    }

    private static Map<String, Payload> input(JsonCursor at) {
        Map<String, Payload> input = new HashMap<>();
        for (JsonCursor root : at.members()) {
            input.put(root.token(), PayloadCodec.read(root));
        }
        return Map.copyOf(input);
    }

    private static Failure failure(JsonCursor at) {
        return new Failure(
                new TaskError(
                        at.string("code"),
                        at.string("message"),
                        at.member("details").object()),
                at.find("node").map(node -> node.as(NodeId::new)));
    }

    private void scope(JsonCursor at) {
        ScopeInstance scope = ScopeInstance.open(
                        at.intValue("number"), draft.program.scope(at.as("scope", ScopeId::new)), at.intValue("parent"))
                .alive(at.intValue("alive"))
                .outEntered(at.bool("outEntered"));
        for (JsonCursor arrived : at.member("arrivals").items()) {
            scope = scope.with(scope.arrivals().with(number(arrived, "node"), arrivals(arrived)));
        }
        Optional<JsonCursor> branch = at.find("branch");
        if (branch.isPresent()) {
            scope = scope.with(BranchForms.branch(branch.get(), draft.topology));
        }
        Scopes.open(draft, scope);
    }

    private static Arrivals arrivals(JsonCursor at) {
        Arrivals arrivals = new Arrivals(at.intValue("resolved"), null);
        for (EdgeId edge : edges(at, "taken").reversed()) {
            arrivals = new Arrivals(arrivals.resolved(), new Arrivals.Link(edge, arrivals.taken()));
        }
        return arrivals;
    }

    private void node(JsonCursor at) {
        Place place = draft.topology.place(at.as("node", NodeId::new));
        NodeState node = new NodeState(
                at.intValue("visits"),
                at.find("result").map(PayloadCodec::read).orElse(null),
                at.find("leftOut").map(JsonCursor::bool).orElse(false),
                at.longValue("quiet"),
                at.intValue("loops"),
                NodeState.UNVISITED.activations());
        for (JsonCursor one : at.member("activations").items()) {
            Activation activation = activation(place.node().id(), one);
            node = node.with(activation);
            ScopeInstance scope = draft.tree.scopes.get(activation.scope());
            if (activation.isLive() && scope != null) {
                Scopes.put(draft, scope.entered(activation.id(), false));
                draft.tree.live++;
            }
        }
        draft.nodes = draft.nodes.with(place.number(), node);
    }

    private Activation activation(NodeId node, JsonCursor at) {
        ActivationId id = new ActivationId(node, at.intValue("visit"));
        Activation read = new Activation(
                id,
                at.intValue("scope"),
                at.as("status", ActivationStatus::valueOf),
                at.as("key", Sha256::parse),
                edges(at, "via"),
                at.intValue("attempt"),
                at.find("input").map(PayloadCodec::read).orElse(null),
                at.find("outcome").map(outcome -> outcome.as(Outcome::new)).orElse(null),
                at.find("answer")
                        .map(answer -> RecordedAnswer.of(answer.as(Sha256::parse)))
                        .orElse(null),
                names(at),
                at.find("effects").isPresent() ? at.list("effects", effect -> effect.as(Sha256::parse)) : List.of());
        Attempt attempt = draft.attempts.get(id);
        return attempt != null && read.isLive() ? read.attempted(read.attempt(), attempt.input()) : read;
    }

    static List<NodeId> names(JsonCursor at) {
        return at.find("earlier").isPresent() ? at.list("earlier", name -> name.as(NodeId::new)) : List.of();
    }

    private void attempt(JsonCursor at) {
        ActivationId id = at.as("activation", ActivationId::parse);
        draft.attempts = draft.attempts.with(
                id,
                new Attempt(
                        id,
                        at.intValue("attempt"),
                        at.as("handler", HandlerName::new),
                        PayloadCodec.read(at.member("input")),
                        at.as("timeout", Duration::parse),
                        at.as("key", Sha256::parse),
                        at.bool("returned")));
    }

    private void timer(JsonCursor at) {
        TimerState timer = timerState(at);
        draft.timers = draft.timers.with(timer.timer(), timer);
    }

    static TimerState timerState(JsonCursor at) {
        return new TimerState(
                at.as("timer", TimerId::new),
                at.intValue("generation"),
                at.as("dueAt", Times::read),
                at.as("purpose", TimerPurpose::valueOf),
                at.find("activation").map(activation -> activation.as(ActivationId::parse)));
    }

    private void incident(JsonCursor at) {
        Incident incident = new Incident(
                at.longValue("sequence"),
                at.string("code"),
                at.find("activation").map(id -> id.as(ActivationId::parse)).orElse(null),
                at.string("message"),
                item(at.member("parked")));
        draft.incidents = draft.incidents.with(incident.sequence(), incident);
        draft.parked = draft.parked.with(incident.parked().scope(), incident.sequence());
    }

    private WorkItem item(JsonCursor at) {
        int scope = at.intValue("scope");
        if (at.find("enter").isPresent()) {
            return new WorkItem.Enter(scope, number(at, "enter"), edges(at, "via"));
        }
        if (at.find("skip").isPresent()) {
            return new WorkItem.Skip(scope, number(at, "skip"));
        }
        if (at.find("route").isPresent()) {
            return new WorkItem.Route(scope, at.as("route", ActivationId::parse));
        }
        if (at.find("exit").isPresent()) {
            return new WorkItem.Exit(
                    scope,
                    at.as("exit", EdgeId::new),
                    at.find("fork").map(fork -> fork.as(ActivationId::parse)).orElse(null));
        }
        if (at.find("fan").isPresent()) {
            return new WorkItem.Fan(scope, at.as("fan", ActivationId::parse));
        }
        if (at.find("fire").isPresent()) {
            return new WorkItem.Fire(scope, at.as("fire", ActivationId::parse));
        }
        if (at.find("undo").isPresent()) {
            return new WorkItem.Undo(scope);
        }
        if (at.find("release").isPresent()) {
            return new WorkItem.Release();
        }
        return new WorkItem.Settle(scope);
    }

    private int number(JsonCursor at, String name) {
        return draft.topology.place(at.as(name, NodeId::new)).number();
    }

    private static List<EdgeId> edges(JsonCursor at, String name) {
        return at.list(name, edge -> edge.as(EdgeId::new));
    }
}
