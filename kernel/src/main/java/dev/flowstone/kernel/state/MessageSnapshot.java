package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The part of a snapshot that is about others; a member is there only if there is something to tell. */
final class MessageSnapshot {
    private MessageSnapshot() {}

    static void write(JsonObject.Builder out, Draft draft) {
        if (!draft.post.heard.isEmpty()) {
            out.put("heard", draft.post.heard.toJson());
        }
        list(
                out,
                "awaits",
                draft.post.awaits.values(),
                await -> JsonObject.builder()
                        .put("activation", await.activation().toString())
                        .put("from", await.from().toString())
                        .put("permit", await.permit())
                        .put("name", await.name())
                        .build());
        list(
                out,
                "permits",
                draft.post.permits.values(),
                permit -> JsonObject.builder()
                        .put("activation", permit.activation().toString())
                        .put("scope", permit.scope())
                        .put("semaphore", permit.semaphore().toString())
                        .put("permits", permit.permits())
                        .put("fence", permit.fence())
                        .put("expiresAt", Times.write(permit.expiresAt()))
                        .build());
        list(out, "children", draft.post.children.values(), MessageSnapshot::child);
        if (draft.post.parentage != null) {
            out.put("parentage", parentage(draft.post.parentage));
        }
        if (!draft.post.principal.isEmpty()) {
            out.put("principal", draft.post.principal);
        }
    }

    static void read(JsonCursor at, Draft draft) {
        at.find("heard").ifPresent(heard -> draft.post.heard = Heard.read(heard));
        each(at, "awaits", one -> {
            OpenAwait await = new OpenAwait(
                    one.as("activation", ActivationId::parse),
                    one.as("from", RunId::parse),
                    one.bool("permit"),
                    one.string("name"));
            draft.post.awaits = draft.post.awaits.with(await.activation(), await);
        });
        each(
                at,
                "permits",
                one -> MessageApplier.hold(
                        draft,
                        new HeldPermit(
                                one.as("activation", ActivationId::parse),
                                one.intValue("scope"),
                                one.as("semaphore", RunId::parse),
                                one.intValue("permits"),
                                one.longValue("fence"),
                                one.as("expiresAt", Times::read))));
        each(at, "children", one -> ChildApplier.put(draft, child(one)));
        at.find("parentage").ifPresent(parentage -> draft.post.parentage = parentage(parentage));
        at.find("principal").ifPresent(principal -> draft.post.principal = principal.string());
    }

    private static JsonObject child(OpenChild child) {
        return JsonObject.builder()
                .put("activation", child.activation().toString())
                .put("run", child.run().toString())
                .put("workflow", child.workflow().value())
                .put("awaited", child.awaited())
                .put("overdue", child.overdue())
                .put("onCancel", child.policies().onCancel().name())
                .put("onTerminate", child.policies().onTerminate().name())
                .put("onSuspend", child.policies().onSuspend().name())
                .put("onTimeout", child.policies().onTimeout().name())
                .build();
    }

    private static OpenChild child(JsonCursor at) {
        return new OpenChild(
                at.as("activation", ActivationId::parse),
                at.as("run", RunId::parse),
                at.as("workflow", WorkflowId::new),
                at.bool("awaited"),
                at.bool("overdue"),
                new ChildPolicies(
                        at.as("onCancel", ChildPolicy::valueOf),
                        at.as("onTerminate", ChildPolicy::valueOf),
                        at.as("onSuspend", ChildPolicy::valueOf),
                        at.as("onTimeout", ChildPolicy::valueOf)));
    }

    private static JsonObject parentage(Parentage parentage) {
        List<JsonValue> lineage = new ArrayList<>();
        for (WorkflowId workflow : parentage.lineage()) {
            lineage.add(new JsonString(workflow.value()));
        }
        return JsonObject.builder()
                .put("parent", parentage.parent().toString())
                .put("activation", parentage.activation().toString())
                .put("awaited", parentage.awaited())
                .put("detached", parentage.detached())
                .put("root", parentage.root().toString())
                .put("depth", parentage.depth())
                .put("lineage", new JsonArray(lineage))
                .build();
    }

    private static Parentage parentage(JsonCursor at) {
        return new Parentage(
                at.as("parent", RunId::parse),
                at.as("activation", ActivationId::parse),
                at.bool("awaited"),
                at.bool("detached"),
                at.as("root", RunId::parse),
                at.intValue("depth"),
                at.list("lineage", workflow -> workflow.as(WorkflowId::new)));
    }

    private static <T> void list(
            JsonObject.Builder out, String name, List<T> values, Function<? super T, ? extends JsonValue> write) {
        if (!values.isEmpty()) {
            List<JsonValue> items = new ArrayList<>(values.size());
            for (T value : values) {
                items.add(write.apply(value));
            }
            out.put(name, new JsonArray(items));
        }
    }

    private static void each(JsonCursor at, String name, Consumer<? super JsonCursor> read) {
        at.find(name).ifPresent(list -> list.items().forEach(read));
    }
}
