package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A state's canonical form: everything in it, nodes by name, so that it outlives a renumbering of the program. */
final class SnapshotWriter {
    static final int FORMAT = 1;

    private final Draft draft;

    private SnapshotWriter(Draft draft) {
        this.draft = draft;
    }

    static JsonObject write(Draft draft) {
        return new SnapshotWriter(draft).write();
    }

    private JsonObject write() {
        JsonObject.Builder out = JsonObject.builder()
                .put("format", FORMAT)
                .put("program", draft.programHash.toString())
                .put("sequence", draft.lastSequence);
        if (draft.tenant == null || draft.run == null) {
            return out.build();
        }
        out.put("tenant", draft.tenant.value())
                .put("run", draft.run.toString())
                .put("version", draft.version)
                .put("correlation", draft.correlation)
                .put("input", input())
                .put("status", draft.status.name())
                .put("ending", draft.ending.name())
                .put("hash", draft.lastHash.toString())
                .put("time", Times.write(draft.lastEventTime))
                .put("waits", draft.waits)
                .put("nextScope", draft.tree.nextScope)
                .put("nodes", nodes())
                .put("scopes", array(draft.tree.scopes.values(), this::scope))
                .put("queue", array(draft.queue.values(), this::item))
                .put("attempts", array(draft.attempts.values(), SnapshotWriter::attempt))
                .put("timers", array(draft.timers.values(), SnapshotWriter::timer))
                .put("incidents", array(draft.incidents.values(), this::incident))
                .put("terminals", array(draft.terminals.values(), id -> new JsonString(id.value())));
        if (!draft.tree.forks.isEmpty()) {
            out.put("forks", array(draft.tree.forks.values(), BranchForms::write));
        }
        if (draft.failure != null) {
            out.put("failure", failure(draft.failure));
        }
        if (draft.output != null) {
            out.put("output", PayloadCodec.write(draft.output));
        }
        if (!draft.used.isEmpty()) {
            JsonObject.Builder used = JsonObject.builder();
            draft.used.forEach((name, visits) -> used.put(name.value(), visits));
            out.put("used", used.build());
        }
        MessageSnapshot.write(out, draft);
        PeopleSnapshot.write(draft, out);
        ControlSnapshot.write(draft.control).ifPresent(control -> out.put("control", control));
        UndoingSnapshot.write(draft).ifPresent(undoing -> out.put("undoing", undoing));
        TickSnapshot.write(out, draft);
        return out.build();
    }

    private JsonObject input() {
        JsonObject.Builder out = JsonObject.builder();
        for (Map.Entry<String, Payload> root : new TreeMap<>(draft.input).entrySet()) {
            out.put(root.getKey(), PayloadCodec.write(root.getValue()));
        }
        return out.build();
    }

    private static JsonObject failure(Failure failure) {
        JsonObject.Builder out = JsonObject.builder()
                .put("code", failure.error().code())
                .put("message", failure.error().message())
                .put("details", failure.error().details());
        failure.node().ifPresent(node -> out.put("node", node.value()));
        return out.build();
    }

    private JsonArray nodes() {
        List<JsonValue> out = new ArrayList<>(draft.nodes.size());
        draft.nodes.forEach((number, node) -> out.add(node(name((int) number), node)));
        return new JsonArray(out);
    }

    private JsonObject node(String name, NodeState node) {
        JsonObject.Builder out = JsonObject.builder()
                .put("node", name)
                .put("visits", node.visits())
                .put("quiet", node.quiet())
                .put("loops", node.loops())
                .put("activations", array(node.activations().values(), this::activation));
        if (node.result() != null) {
            out.put("result", PayloadCodec.write(node.result()));
        }
        if (node.leftOut()) {
            out.put("leftOut", true);
        }
        return out.build();
    }

    private JsonObject activation(Activation activation) {
        JsonObject.Builder out = JsonObject.builder()
                .put("visit", activation.id().visit())
                .put("scope", activation.scope())
                .put("status", activation.status().name())
                .put("key", activation.key().toString())
                .put("via", edges(activation.via()))
                .put("attempt", activation.attempt());
        // While an attempt is open, the input stands with it.
        if (activation.input() != null && draft.attempts.get(activation.id()) == null) {
            out.put("input", PayloadCodec.write(activation.input()));
        }
        if (activation.outcome() != null) {
            out.put("outcome", activation.outcome().name());
        }
        if (activation.answer() != null) {
            out.put("answer", activation.answer().digest().toString());
        }
        names(out, activation.earlier());
        if (!activation.effects().isEmpty()) {
            out.put("effects", array(activation.effects(), effect -> new JsonString(effect.toString())));
        }
        return out.build();
    }

    /** What was never renamed says nothing of it. */
    static void names(JsonObject.Builder out, List<NodeId> earlier) {
        if (!earlier.isEmpty()) {
            out.put("earlier", array(earlier, name -> new JsonString(name.value())));
        }
    }

    private JsonObject scope(ScopeInstance scope) {
        List<JsonValue> arrivals = new ArrayList<>();
        scope.arrivals()
                .forEach((target, arrived) -> arrivals.add(JsonObject.builder()
                        .put("node", name((int) target))
                        .put("resolved", arrived.resolved())
                        .put("taken", edges(arrived.via()))
                        .build()));
        JsonObject.Builder out = JsonObject.builder()
                .put("number", scope.number())
                .put("scope", scope.scope().id().value())
                .put("parent", scope.parent())
                .put("alive", scope.alive())
                .put("outEntered", scope.outEntered())
                .put("arrivals", new JsonArray(arrivals));
        if (scope.branch() != null) {
            out.put("branch", BranchForms.write(scope.branch(), draft.topology));
        }
        return out.build();
    }

    private JsonObject item(WorkItem item) {
        JsonObject.Builder out = JsonObject.builder().put("scope", item.scope());
        switch (item) {
            case WorkItem.Enter enter -> out.put("enter", name(enter.node())).put("via", edges(enter.via()));
            case WorkItem.Skip skip -> out.put("skip", name(skip.node()));
            case WorkItem.Route route -> out.put("route", route.activation().toString());
            case WorkItem.Exit exit -> {
                out.put("exit", exit.edge().value());
                if (exit.fork() != null) {
                    out.put("fork", exit.fork().toString());
                }
            }
            case WorkItem.Fan fan -> out.put("fan", fan.fork().toString());
            case WorkItem.Fire fire -> out.put("fire", fire.fork().toString());
            case WorkItem.Settle _ -> out.put("settle", true);
            case WorkItem.Undo _ -> out.put("undo", true);
            case WorkItem.Release _ -> out.put("release", true);
        }
        return out.build();
    }

    private static JsonObject attempt(Attempt attempt) {
        return JsonObject.builder()
                .put("activation", attempt.activation().toString())
                .put("attempt", attempt.attempt())
                .put("handler", attempt.handler().value())
                .put("input", PayloadCodec.write(attempt.input()))
                .put("timeout", attempt.timeout().toString())
                .put("key", attempt.key().toString())
                .put("returned", attempt.returned())
                .build();
    }

    static JsonObject timer(TimerState timer) {
        JsonObject.Builder out = JsonObject.builder()
                .put("timer", timer.timer().value())
                .put("generation", timer.generation())
                .put("dueAt", Times.write(timer.dueAt()))
                .put("purpose", timer.purpose().name());
        timer.activation().ifPresent(activation -> out.put("activation", activation.toString()));
        return out.build();
    }

    private JsonObject incident(Incident incident) {
        JsonObject.Builder out = JsonObject.builder()
                .put("sequence", incident.sequence())
                .put("code", incident.code())
                .put("message", incident.message())
                .put("parked", item(incident.parked()));
        if (incident.activation() != null) {
            out.put("activation", incident.activation().toString());
        }
        return out.build();
    }

    private String name(int node) {
        return draft.topology.place(node).node().id().value();
    }

    private static JsonArray edges(List<EdgeId> edges) {
        return array(edges, edge -> new JsonString(edge.value()));
    }

    static <T> JsonArray array(List<T> list, Function<? super T, ? extends JsonValue> write) {
        List<JsonValue> out = new ArrayList<>(list.size());
        for (T item : list) {
            out.add(write.apply(item));
        }
        return new JsonArray(out);
    }
}
