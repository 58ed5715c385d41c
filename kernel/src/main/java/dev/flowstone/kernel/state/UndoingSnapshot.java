package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.program.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The canonical form of what can be and is being undone; none of a run that can undo nothing. */
final class UndoingSnapshot {
    private UndoingSnapshot() {}

    static Optional<JsonObject> write(Draft draft) {
        Undoing undoing = draft.undoing;
        JsonObject.Builder out = JsonObject.builder();
        if (!undoing.stacks().isEmpty()) {
            out.put("stacks", stacks(draft.topology, undoing.stacks()));
        }
        if (!undoing.jobs().isEmpty()) {
            out.put("jobs", stacks(draft.topology, undoing.jobs()));
        }
        if (!undoing.running().isEmpty()) {
            out.put("running", SnapshotWriter.array(undoing.running().values(), UndoingSnapshot::undo));
        }
        if (undoing.due() != Undoing.NOBODY) {
            out.put("due", undoing.due());
        }
        if (!undoing.known().isEmpty()) {
            out.put("known", SnapshotWriter.array(undoing.known().values(), id -> new JsonString(id.toString())));
        }
        if (!undoing.over().isEmpty()) {
            out.put("over", SnapshotWriter.array(undoing.over().values(), UndoingSnapshot::over));
        }
        if (!undoing.marks().isEmpty()) {
            List<JsonValue> marks = new ArrayList<>();
            undoing.marks()
                    .forEach((node, mark) -> marks.add(JsonObject.builder()
                            .put(
                                    "node",
                                    draft.topology.place((int) node).node().id().value())
                            .put("sequence", mark.sequence())
                            .put("depth", mark.depth())
                            .build()));
            out.put("marks", new JsonArray(marks));
        }
        JsonObject form = out.build();
        return form.members().isEmpty() ? Optional.empty() : Optional.of(form);
    }

    private static JsonArray stacks(Topology topology, LongMap<UndoStack> stacks) {
        List<JsonValue> out = new ArrayList<>();
        stacks.forEach((scope, stack) -> out.add(JsonObject.builder()
                .put("scope", scope)
                .put("done", stack(topology, stack))
                .build()));
        return new JsonArray(out);
    }

    /** The oldest first. */
    private static JsonArray stack(Topology topology, UndoStack stack) {
        return SnapshotWriter.array(stack.entries().reversed(), entry -> switch (entry) {
            case UndoEntry.Done done -> {
                JsonObject.Builder out = JsonObject.builder()
                        .put("activation", done.activation().toString())
                        .put("output", PayloadCodec.write(done.output()));
                SnapshotWriter.names(out, done.earlier());
                yield out.build();
            }
            case UndoEntry.Closed closed -> {
                JsonObject.Builder out = JsonObject.builder().put("closed", stack(topology, closed.stack()));
                if (closed.branch() != null) {
                    out.put("branch", BranchForms.write(closed.branch(), topology));
                }
                yield out.build();
            }
        });
    }

    private static JsonObject undo(Undo undo) {
        JsonObject.Builder out = JsonObject.builder()
                .put("activation", undo.activation().toString())
                .put("scope", undo.scope())
                .put("key", undo.key().toString())
                .put("done", PayloadCodec.write(undo.done()))
                .put("attempt", undo.attempt())
                .put("asks", undo.asks());
        if (undo.input() != null) {
            out.put("input", PayloadCodec.write(undo.input()));
        }
        return out.build();
    }

    private static JsonObject over(Undoing.Over over) {
        return JsonObject.builder()
                .put("activation", over.activation().toString())
                .put("answer", over.answer().digest().toString())
                .build();
    }

    static void read(Draft draft, JsonCursor at) {
        SortedTree<ActivationId, Undo> running = SortedTree.empty();
        int attempts = 0;
        for (JsonCursor one : ControlSnapshot.items(at, "running")) {
            Undo undo = undo(one);
            running = running.with(undo.activation(), undo);
            attempts += draft.attempts.get(undo.activation()) == null ? 0 : 1;
        }
        SortedTree<ActivationId, ActivationId> known = SortedTree.empty();
        for (JsonCursor one : ControlSnapshot.items(at, "known")) {
            ActivationId id = one.as(ActivationId::parse);
            known = known.with(id, id);
        }
        SortedTree<ActivationId, Undoing.Over> over = SortedTree.empty();
        for (JsonCursor one : ControlSnapshot.items(at, "over")) {
            ActivationId id = one.as("activation", ActivationId::parse);
            over = over.with(id, new Undoing.Over(id, RecordedAnswer.of(one.as("answer", Sha256::parse))));
        }
        LongMap<Mark> marks = LongMap.empty();
        for (JsonCursor one : ControlSnapshot.items(at, "marks")) {
            int node = draft.topology.place(one.as("node", NodeId::new)).number();
            marks = marks.with(node, new Mark(one.longValue("sequence"), one.intValue("depth")));
        }
        draft.undoing = new Undoing(
                stacks(draft.topology, at, "stacks"),
                stacks(draft.topology, at, "jobs"),
                running,
                attempts,
                at.find("due").map(JsonCursor::intValue).orElse(Undoing.NOBODY),
                known,
                over,
                marks);
    }

    private static LongMap<UndoStack> stacks(Topology topology, JsonCursor at, String name) {
        LongMap<UndoStack> stacks = LongMap.empty();
        for (JsonCursor one : ControlSnapshot.items(at, name)) {
            stacks = stacks.with(one.intValue("scope"), stack(topology, one.member("done")));
        }
        return stacks;
    }

    private static UndoStack stack(Topology topology, JsonCursor at) {
        UndoStack stack = UndoStack.EMPTY;
        for (JsonCursor one : at.items()) {
            stack = stack.push(
                    one.find("closed").isPresent()
                            ? new UndoEntry.Closed(
                                    stack(topology, one.member("closed")),
                                    one.find("branch")
                                            .map(branch -> BranchForms.branch(branch, topology))
                                            .orElse(null))
                            : new UndoEntry.Done(
                                    one.as("activation", ActivationId::parse),
                                    PayloadCodec.read(one.member("output")),
                                    SnapshotReader.names(one)));
        }
        return stack;
    }

    private static Undo undo(JsonCursor at) {
        return new Undo(
                at.as("activation", ActivationId::parse),
                at.intValue("scope"),
                at.as("key", Sha256::parse),
                PayloadCodec.read(at.member("done")),
                at.intValue("attempt"),
                at.find("input").map(PayloadCodec::read).orElse(null),
                at.bool("asks"));
    }
}
