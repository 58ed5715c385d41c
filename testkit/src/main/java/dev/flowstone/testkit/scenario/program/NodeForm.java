package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.program.Target;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Nodes that hold no scopes, each kind by the key that names it. */
final class NodeForm {
    /** Keys of a kind, beside those that every node has; the first names the kind. */
    static final List<List<String>> KINDS = List.of(
            List.of("task", "input", "retry", "timeout", "rerender", "compensate", "applies"),
            PeopleForm.KEYS,
            List.of("choice"),
            List.of("assign"),
            List.of("timer"),
            List.of("await", "timeout"),
            List.of("emit"),
            List.of(
                    "call",
                    "input",
                    "spec",
                    "version",
                    "waits",
                    "timeout",
                    "onCancel",
                    "onTerminate",
                    "onSuspend",
                    "onTimeout"),
            List.of("join", "losers"),
            List.of("end", "terminate"));

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LEASE = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofDays(1);

    private NodeForm() {}

    static Node read(String kind, Part at, Place place) {
        return switch (kind) {
            case "task" -> task(at, place);
            case "human" -> PeopleForm.read(at, place);
            case "choice" ->
                new Node.Choice(place.id(), place.scope(), place.routing(), place.mayEnd(), place.origin());
            case "assign" ->
                new Node.Assign(
                        place.id(),
                        place.scope(),
                        at.values("assign"),
                        place.routing(),
                        place.mayEnd(),
                        place.origin());
            case "timer" ->
                new Node.Timer(
                        place.id(),
                        place.scope(),
                        due(at.find("timer").orElseThrow()),
                        place.routing(),
                        place.mayEnd(),
                        place.origin());
            case "await" ->
                new Node.Await(
                        place.id(),
                        place.scope(),
                        source(at.find("await").orElseThrow()),
                        at.wait("timeout"),
                        place.routing(),
                        place.mayEnd(),
                        place.origin());
            case "emit" ->
                new Node.Emit(
                        place.id(),
                        place.scope(),
                        target(at.find("emit").orElseThrow()),
                        place.routing(),
                        place.mayEnd(),
                        place.origin());
            case "call" -> call(at, place);
            case "join" ->
                new Node.Join(
                        place.id(),
                        place.scope(),
                        policy(at.find("join").orElseThrow()),
                        at.word("losers", Node.Join.Losers.class, Node.Join.Losers.CANCEL),
                        place.routing(),
                        place.mayEnd(),
                        place.origin());
            default ->
                new Node.End(
                        place.id(),
                        place.scope(),
                        new Outcome(at.text("end")),
                        at.flag("terminate", false),
                        place.origin());
        };
    }

    private static Node task(Part at, Place place) {
        return new Node.Task(
                place.id(),
                place.scope(),
                new HandlerName(at.text("task")),
                at.value("input", JsonObject.EMPTY),
                at.find("retry").map(NodeForm::retry).orElse(Retry.NONE),
                at.duration("timeout", TIMEOUT),
                at.flag("rerender", false),
                at.find("compensate").map(NodeForm::compensation),
                at.maybeText("applies").map(NodeId::new),
                place.routing(),
                place.mayEnd(),
                place.origin());
    }

    /** {@code 3}, or an object. */
    private static Retry retry(Cursor value) {
        if (!(value.value() instanceof JsonObject)) {
            return new Retry(
                    Math.max(1, value.count().orElse(1)), Duration.ofSeconds(1), 2, Duration.ofHours(1), false);
        }
        Part at = new Part(value, List.of("attempts", "base", "factor", "cap", "jitter"));
        return new Retry(
                Math.max(1, at.count("attempts", 1)),
                at.duration("base", Duration.ofSeconds(1)),
                at.count("factor", 2),
                at.duration("cap", Duration.ofHours(1)),
                at.flag("jitter", false));
    }

    /** A handler's name, or {@code {handler, input, retry, timeout}}, or {@code {attest: instructions}}. */
    private static Compensation compensation(Cursor value) {
        if (value.value() instanceof JsonString handler) {
            return new Compensation.ByHandler(new HandlerName(handler.value()), JsonObject.EMPTY, Retry.NONE, TIMEOUT);
        }
        Part at = new Part(value, List.of("handler", "input", "retry", "timeout", "attest"));
        if (at.has("attest")) {
            return new Compensation.Attested(at.text("attest"));
        }
        return new Compensation.ByHandler(
                new HandlerName(at.text("handler")),
                at.value("input", JsonObject.EMPTY),
                at.find("retry").map(NodeForm::retry).orElse(Retry.NONE),
                at.duration("timeout", TIMEOUT));
    }

    /** A duration, or {@code {at}}, {@code {cron, zone, missed}}, {@code {every, missed}}. */
    private static Due due(Cursor value) {
        if (!(value.value() instanceof JsonObject)) {
            return new Due.After(Part.wait(value.value()));
        }
        Part at = new Part(value, List.of("at", "cron", "zone", "every", "missed"));
        Due.Missed missed = at.word("missed", Due.Missed.class, Due.Missed.ONCE);
        if (at.has("at")) {
            return new Due.At(at.value("at"));
        }
        if (at.has("every")) {
            return new Due.Every(at.wait("every").orElse(JsonNull.NULL), missed);
        }
        return new Due.Cron(at.value("cron"), at.value("zone", new JsonString("UTC")), missed);
    }

    private static Source source(Cursor value) {
        Part at = new Part(value, List.of("signal", "key", "semaphore", "limit", "permits", "lease"));
        if (at.has("semaphore")) {
            return new Source.Permit(
                    at.value("semaphore"), at.count("limit", 1), at.count("permits", 1), at.duration("lease", LEASE));
        }
        return new Source.Channel(at.text("signal"), at.value("key"));
    }

    private static Target target(Cursor value) {
        Part at = new Part(value, List.of("signal", "broadcast", "release", "key", "payload", "dedupe", "keep"));
        JsonValue payload = at.value("payload", JsonObject.EMPTY);
        if (at.has("release")) {
            return new Target.Release(new NodeId(at.text("release")));
        }
        if (at.has("broadcast")) {
            return new Target.Broadcast(at.text("broadcast"), at.value("key"), payload);
        }
        Optional<JsonValue> dedupe = at.find("dedupe").map(Cursor::value);
        return new Target.Channel(at.text("signal"), at.value("key"), payload, dedupe, at.duration("keep", KEPT));
    }

    private static Node call(Part at, Place place) {
        JsonObject nothing = JsonObject.EMPTY;
        ChildPolicies all = ChildPolicies.CASCADE;
        return new Node.Call(
                place.id(),
                place.scope(),
                new WorkflowId(at.text("call")),
                at.find("version").flatMap(Cursor::count),
                Map.of("trigger", at.value("input", nothing), "spec", at.value("spec", nothing)),
                at.flag("waits", true),
                at.wait("timeout"),
                new ChildPolicies(
                        at.word("onCancel", ChildPolicy.class, all.onCancel()),
                        at.word("onTerminate", ChildPolicy.class, all.onTerminate()),
                        at.word("onSuspend", ChildPolicy.class, all.onSuspend()),
                        at.word("onTimeout", ChildPolicy.class, all.onTimeout())),
                place.routing(),
                place.mayEnd(),
                place.origin());
    }

    /** {@code all}, {@code majority}, {@code {count, accept}}, {@code {majority: OUTCOMES}}, {@code {ended}}. */
    private static JoinPolicy policy(Cursor value) {
        if (value.value() instanceof JsonString) {
            return value.word(List.of("all", "majority")).orElse("all").equals("all")
                    ? new JoinPolicy.All()
                    : new JoinPolicy.Majority(Set.of());
        }
        Part at = new Part(value, List.of("count", "accept", "majority", "ended"));
        if (at.has("ended")) {
            return new JoinPolicy.Ended(at.count("ended", 1));
        }
        if (at.has("majority")) {
            return new JoinPolicy.Majority(Set.copyOf(at.outcomes("majority")));
        }
        return new JoinPolicy.Count(at.count("count", 1), Set.copyOf(at.outcomes("accept")));
    }
}
