package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Canonical forms of nodes. What a release wrote keeps its form; a new part of an old kind is written only if it is there. */
final class NodeWriter {
    private NodeWriter() {}

    static JsonObject write(Node node) {
        JsonObject.Builder out = JsonObject.builder()
                .put("id", node.id().value())
                .put("scope", node.scope().value())
                .put("origin", node.origin().pointer())
                .put("kind", node.getClass().getSimpleName());
        if (!(node instanceof Node.End)) {
            out.put("routing", node.routing().name());
        }
        if (!(node instanceof Node.Start || node instanceof Node.End || node instanceof Node.Fork)) {
            out.put("mayEnd", node.mayEnd());
        }
        switch (node) {
            case Node.Start _, Node.Choice _ -> {}
            case Node.End end -> out.put("outcome", end.outcome().name()).put("terminate", end.terminate());
            case Node.Task task -> task(out, task);
            case Node.Timer timer -> due(out, timer.due());
            case Node.HumanTask task -> human(out, task);
            case Node.Assign assign -> out.put("values", templates(assign.values()));
            case Node.Fork fork -> out.put("join", fork.join().value()).put("branches", branches(fork.branches()));
            case Node.Join join ->
                out.put("policy", policy(join.policy()))
                        .put("losers", join.losers().name());
            case Node.Await await ->
                out.put("source", source(await.source())).putValueIfPresent("timeout", await.timeout());
            case Node.Emit emit -> out.put("target", target(emit.target()));
            case Node.Call call -> call(out, call);
        }
        return out.build();
    }

    private static void task(JsonObject.Builder out, Node.Task task) {
        out.put("handler", task.handler().value())
                .put("input", task.input())
                .put("retry", retry(task.retry()))
                .put("timeout", task.timeout().toString())
                .put("rerender", task.rerender())
                .putValueIfPresent("compensation", task.compensation().map(NodeWriter::compensation))
                .putIfPresent("applies", task.applies().map(NodeId::value));
    }

    private static JsonObject compensation(Compensation compensation) {
        return switch (compensation) {
            case Compensation.ByHandler by ->
                JsonObject.builder()
                        .put("handler", by.handler().value())
                        .put("input", by.input())
                        .put("retry", retry(by.retry()))
                        .put("timeout", by.timeout().toString())
                        .build();
            case Compensation.Attested attested ->
                JsonObject.builder()
                        .put("instructions", attested.instructions())
                        .build();
        };
    }

    static JsonObject retry(Retry retry) {
        return JsonObject.builder()
                .put("attempts", retry.attempts())
                .put("base", retry.base().toString())
                .put("factor", JsonNumber.of(retry.factor()))
                .put("cap", retry.cap().toString())
                .put("jitter", retry.jitter())
                .build();
    }

    /** A wait of a duration keeps the form that it had before there were others. */
    private static void due(JsonObject.Builder out, Due due) {
        switch (due) {
            case Due.After after -> out.put("duration", after.duration());
            case Due.At at -> out.put("instant", at.instant());
            case Due.Cron cron ->
                out.put("cron", cron.expression())
                        .put("zone", cron.zone())
                        .put("missed", cron.missed().name());
            case Due.Every every ->
                out.put("every", every.duration()).put("missed", every.missed().name());
        }
    }

    private static void human(JsonObject.Builder out, Node.HumanTask task) {
        out.put("outcomes", names(task.outcomes()))
                .put("vetoes", sorted(task.vetoes()))
                .putIfPresent("abstain", task.abstain().map(Outcome::name))
                .put("quorum", quorum(task.quorum()))
                .put("assignees", task.assignees())
                .put("request", task.request())
                .put("uniqueActors", task.uniqueActors())
                .put("reminders", array(task.reminders(), NodeWriter::reminder))
                .putIfPresent("unmet", task.unmet().map(Outcome::name))
                .put("drift", task.drift().name());
    }

    private static JsonObject quorum(Quorum quorum) {
        JsonObject.Builder out =
                JsonObject.builder().put("kind", quorum.getClass().getSimpleName());
        if (quorum instanceof Quorum.Count count) {
            out.put("decisions", count.decisions());
        }
        return out.build();
    }

    private static JsonObject reminder(Reminder reminder) {
        JsonObject.Builder out =
                JsonObject.builder().put("name", reminder.name()).put("after", reminder.after());
        switch (reminder.action()) {
            case Reminder.Action.Remind _ -> {}
            case Reminder.Action.Escalate escalate ->
                out.put("assignees", escalate.assignees()).put("replace", escalate.replace());
            case Reminder.Action.Resolve resolve ->
                out.put("resolve", resolve.outcome().name());
        }
        return out.build();
    }

    private static JsonObject branches(Branches branches) {
        return switch (branches) {
            case Branches.Static named ->
                JsonObject.builder()
                        .put(
                                "static",
                                array(
                                        named.branches(),
                                        branch -> JsonObject.builder()
                                                .put("name", branch.name())
                                                .put("scope", branch.scope().value())
                                                .build()))
                        .build();
            case Branches.Each each ->
                JsonObject.builder()
                        .put("each", each.items())
                        .put("scope", each.scope().value())
                        .put("window", each.window())
                        .build();
        };
    }

    private static JsonObject policy(JoinPolicy policy) {
        JsonObject.Builder out =
                JsonObject.builder().put("kind", policy.getClass().getSimpleName());
        switch (policy) {
            case JoinPolicy.All _ -> {}
            case JoinPolicy.Count count -> out.put("branches", count.branches()).put("accept", sorted(count.accept()));
            case JoinPolicy.Majority majority -> out.put("accept", sorted(majority.accept()));
            case JoinPolicy.Ended ended -> out.put("branches", ended.branches());
        }
        return out.build();
    }

    private static JsonObject source(Source source) {
        return switch (source) {
            case Source.Channel channel ->
                JsonObject.builder()
                        .put("type", channel.type())
                        .put("key", channel.key())
                        .build();
            case Source.Permit permit ->
                JsonObject.builder()
                        .put("semaphore", permit.semaphore())
                        .put("limit", permit.limit())
                        .put("permits", permit.permits())
                        .put("lease", permit.lease().toString())
                        .build();
        };
    }

    private static JsonObject target(Target target) {
        return switch (target) {
            case Target.Channel channel ->
                JsonObject.builder()
                        .put("type", channel.type())
                        .put("key", channel.key())
                        .put("payload", channel.payload())
                        .putValueIfPresent("dedupe", channel.dedupe())
                        .put("timeToLive", channel.timeToLive().toString())
                        .build();
            case Target.Broadcast broadcast ->
                JsonObject.builder()
                        .put("broadcast", broadcast.type())
                        .put("key", broadcast.key())
                        .put("payload", broadcast.payload())
                        .build();
            case Target.Release release ->
                JsonObject.builder().put("release", release.await().value()).build();
        };
    }

    private static void call(JsonObject.Builder out, Node.Call call) {
        out.put("workflow", call.workflow().value())
                .putValueIfPresent("version", call.version().map(version -> JsonNumber.of((long) version)))
                .put("input", templates(call.input()))
                .put("waits", call.waits())
                .putValueIfPresent("timeout", call.timeout())
                .put("onCancel", call.policies().onCancel().name())
                .put("onTerminate", call.policies().onTerminate().name())
                .put("onSuspend", call.policies().onSuspend().name())
                .put("onTimeout", call.policies().onTimeout().name());
        if (call.answer() != ChildAnswer.PLAIN) {
            out.put("answer", call.answer().name());
        }
    }

    private static JsonObject templates(Map<String, JsonValue> templates) {
        JsonObject.Builder out = JsonObject.builder();
        new TreeMap<>(templates).forEach(out::put);
        return out.build();
    }

    private static JsonArray names(Collection<Outcome> outcomes) {
        return array(outcomes, outcome -> new JsonString(outcome.name()));
    }

    private static JsonArray sorted(Set<Outcome> outcomes) {
        return names(outcomes.stream().sorted().toList());
    }

    private static <T> JsonArray array(Collection<T> list, Function<? super T, ? extends JsonValue> write) {
        List<JsonValue> out = new ArrayList<>(list.size());
        for (T item : list) {
            out.add(write.apply(item));
        }
        return new JsonArray(out);
    }
}
