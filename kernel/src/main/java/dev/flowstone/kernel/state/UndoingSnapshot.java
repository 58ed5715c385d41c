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
            out.put("stacks", stacks(undoing.stacks()));
        }
        if (!undoing.jobs().isEmpty()) {
            out.put("jobs", stacks(undoing.jobs()));
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
        if (!undoing.attestations().isEmpty()) {
            out.put(
                    "attestations",
                    SnapshotWriter.array(
                            undoing.attestations().values(),
                            it -> JsonObject.builder()
                                    .put("attestation", it.attestation())
                                    .put("activation", it.activation().toString())
                                    .put("instructions", it.instructions())
                                    .build()));
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

    private static JsonArray stacks(LongMap<UndoStack> stacks) {
        List<JsonValue> out = new ArrayList<>();
        stacks.forEach((scope, stack) -> out.add(JsonObject.builder()
                .put("scope", scope)
                .put("done", stack(stack))
                .build()));
        return new JsonArray(out);
    }

    /** The oldest first. */
    private static JsonArray stack(UndoStack stack) {
        return SnapshotWriter.array(stack.entries().reversed(), entry -> switch (entry) {
            case UndoEntry.Done done ->
                JsonObject.builder()
                        .put("activation", done.activation().toString())
                        .put("output", PayloadCodec.write(done.output()))
                        .build();
            case UndoEntry.Closed closed ->
                JsonObject.builder().put("closed", stack(closed.stack())).build();
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
        SortedTree<String, Attestation> attestations = SortedTree.empty();
        for (JsonCursor one : ControlSnapshot.items(at, "attestations")) {
            Attestation attestation = new Attestation(
                    one.string("attestation"), one.as("activation", ActivationId::parse), one.string("instructions"));
            attestations = attestations.with(attestation.attestation(), attestation);
        }
        LongMap<Mark> marks = LongMap.empty();
        for (JsonCursor one : ControlSnapshot.items(at, "marks")) {
            int node = draft.topology.place(one.as("node", NodeId::new)).number();
            marks = marks.with(node, new Mark(one.longValue("sequence"), one.intValue("depth")));
        }
        draft.undoing = new Undoing(
                stacks(at, "stacks"),
                stacks(at, "jobs"),
                running,
                attempts,
                at.find("due").map(JsonCursor::intValue).orElse(Undoing.NOBODY),
                known,
                over,
                attestations,
                marks);
    }

    private static LongMap<UndoStack> stacks(JsonCursor at, String name) {
        LongMap<UndoStack> stacks = LongMap.empty();
        for (JsonCursor one : ControlSnapshot.items(at, name)) {
            stacks = stacks.with(one.intValue("scope"), stack(one.member("done")));
        }
        return stacks;
    }

    private static UndoStack stack(JsonCursor at) {
        UndoStack stack = UndoStack.EMPTY;
        for (JsonCursor one : at.items()) {
            stack = stack.push(
                    one.find("closed").isPresent()
                            ? new UndoEntry.Closed(stack(one.member("closed")))
                            : new UndoEntry.Done(
                                    one.as("activation", ActivationId::parse),
                                    PayloadCodec.read(one.member("output"))));
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
