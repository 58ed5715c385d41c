package dev.flowstone.dialect.states.compile;

import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.program.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Single nodes, from what the source says of them. */
final class Works {
    /** The key of a signal without one: every run's is the same. */
    static final String SHARED_KEY = "shared";

    private static final Duration ATTEMPT = Duration.ofMinutes(5);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(2);
    private static final Duration MOST_DELAY = Duration.ofMinutes(5);
    private static final Duration LEASE = Duration.ofHours(1);
    private static final Duration KEPT = Duration.ofDays(1);
    private static final int ATTEMPTS = 4;

    private final At workflow;

    Works(At workflow) {
        this.workflow = workflow;
    }

    /** A step: a task, an assignment, a signal. */
    Node step(NodeId id, ScopeId scope, At step) {
        Origin origin = new Origin(step.pointer());
        if (step.has("assign")) {
            return assign(id, scope, step, origin);
        }
        if (step.has("send")) {
            return send(id, scope, step.object("send").orElseThrow(), origin);
        }
        return new Node.Task(
                id,
                scope,
                new HandlerName(step.text("action").orElseThrow()),
                step.value("input").orElse(JsonObject.EMPTY),
                retry(step),
                duration(step, "timeout", ATTEMPT),
                step.flag("rerender", false),
                compensation(step),
                Routing.FIRST,
                false,
                origin);
    }

    Node assign(NodeId id, ScopeId scope, At at, Origin origin) {
        Map<String, JsonValue> values = at.object("assign").orElseThrow().json().members();
        return new Node.Assign(id, scope, values, Routing.FIRST, false, origin);
    }

    Node send(NodeId id, ScopeId scope, At send, Origin origin) {
        String type = send.text("signal").orElseThrow();
        JsonValue key = key(send);
        JsonValue payload = send.value("payload").orElse(JsonNull.NULL);
        Target target = send.flag("broadcast", false)
                ? new Target.Broadcast(type, key, payload)
                : new Target.Channel(type, key, payload, send.value("dedupe"), duration(send, "timeToLive", KEPT));
        return new Node.Emit(id, scope, target, Routing.FIRST, false, origin);
    }

    Node await(NodeId id, ScopeId scope, At signal, Optional<JsonValue> timeout) {
        Source source = new Source.Channel(signal.text("signal").orElseThrow(), key(signal));
        return new Node.Await(id, scope, source, timeout, Routing.FIRST, false, new Origin(signal.pointer()));
    }

    /** Permits of one of the declared semaphores. */
    Node acquire(NodeId id, ScopeId scope, String semaphore, int permits, Optional<JsonValue> timeout, Origin origin) {
        At declared = workflow.named("semaphores").get(semaphore);
        if (declared == null) {
            throw new IllegalStateException("checked before: semaphore " + semaphore);
        }
        Source source = new Source.Permit(
                declared.value("key").orElse(new JsonString(semaphore)),
                declared.whole("permits").orElse(1),
                permits,
                duration(declared, "lease", LEASE));
        return new Node.Await(id, scope, source, timeout, Routing.FIRST, false, origin);
    }

    /** Permits of a semaphore that only this state has. */
    Node limit(NodeId id, ScopeId scope, StateDef state, int runs) {
        String workflowId = workflow.text("id").orElse("");
        Source source = new Source.Permit(new JsonString(workflowId + "/" + state.name()), runs, 1, LEASE);
        Origin origin = new Origin(state.at().pointer("concurrency"));
        return new Node.Await(id, scope, source, Optional.empty(), Routing.FIRST, false, origin);
    }

    Node release(NodeId id, ScopeId scope, NodeId acquired, Origin origin) {
        return new Node.Emit(id, scope, new Target.Release(acquired), Routing.FIRST, false, origin);
    }

    Node timer(NodeId id, ScopeId scope, At timer) {
        Due.Missed missed = timer.text("missed")
                .map(it -> Due.Missed.valueOf(it.toUpperCase(Locale.ROOT)))
                .orElse(Due.Missed.ONCE);
        Due due = timer.value("after")
                .<Due>map(Due.After::new)
                .or(() -> timer.value("at").map(Due.At::new))
                .or(() -> timer.value("every").map(it -> new Due.Every(it, missed)))
                .orElseGet(() -> new Due.Cron(
                        timer.value("cron").orElseThrow(), timer.value("zone").orElse(new JsonString("UTC")), missed));
        return new Node.Timer(id, scope, due, Routing.FIRST, false, new Origin(timer.pointer()));
    }

    Node human(NodeId id, ScopeId scope, StateDef state) {
        At human = state.at().object("human").orElseThrow();
        List<Outcome> outcomes = state.done().stream().map(Outcome::new).toList();
        return new Node.HumanTask(
                id,
                scope,
                outcomes,
                Set.copyOf(state.vetoes().stream().map(Outcome::new).toList()),
                human.text("abstain").map(Outcome::new),
                quorum(human),
                human.value("assignees").orElseThrow(),
                human.value("request").orElse(JsonNull.NULL),
                human.flag("uniqueActors", true),
                reminders(human),
                human.text("unmet").map(Outcome::new),
                Drift.GO_ON,
                Routing.FIRST,
                false,
                new Origin(human.pointer()));
    }

    /** The child is given a {@code spec} too: names are strict, and one that nobody gave would be unknown to it. */
    Node call(NodeId id, ScopeId scope, At call, Optional<JsonValue> timeout) {
        At target = workflow.named("subworkflows").get(call.text("subworkflow").orElseThrow());
        if (target == null) {
            throw new IllegalStateException("checked before: subworkflow");
        }
        JsonObject input = call.object("input").map(At::json).orElse(JsonObject.EMPTY);
        return new Node.Call(
                id,
                scope,
                new WorkflowId(target.text("workflow").orElseThrow()),
                target.whole("version"),
                Map.of("trigger", input, "spec", JsonObject.EMPTY),
                !call.flag("spawn", false),
                timeout,
                new ChildPolicies(
                        reach(call.text("onCancel")),
                        reach(call.text("onTerminate")),
                        reach(call.text("onSuspend")
                                .or(() -> workflow.object("suspend").flatMap(it -> it.text("children")))),
                        reach(call.text("onTimeout"))),
                Routing.FIRST,
                false,
                new Origin(call.pointer()));
    }

    private static ChildPolicy reach(Optional<String> word) {
        return word.map(it ->
                        ChildPolicy.valueOf(it.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT)))
                .orElse(ChildPolicy.CASCADE);
    }

    private Optional<Compensation> compensation(At step) {
        return step.text("compensation")
                .flatMap(name ->
                        Optional.ofNullable(workflow.named("compensations").get(name)))
                .or(() -> step.object("compensation"))
                .map(it -> it.text("attest")
                        .<Compensation>map(Compensation.Attested::new)
                        .orElseGet(() -> new Compensation.ByHandler(
                                new HandlerName(it.text("action").orElseThrow()),
                                it.value("input").orElse(JsonObject.EMPTY),
                                retry(it),
                                duration(it, "timeout", ATTEMPT))));
    }

    private List<Reminder> reminders(At human) {
        At around = human.has("escalation") && human.text("escalation").isPresent()
                ? workflow.object("escalations").orElseThrow()
                : human;
        List<At> steps = around.list(human.text("escalation").orElse("escalation"));
        List<Reminder> reminders = new ArrayList<>();
        for (At step : steps) {
            Reminder.Action action = step.text("resolve")
                    .<Reminder.Action>map(it -> new Reminder.Action.Resolve(new Outcome(it)))
                    .or(() -> step.value("to").map(it -> new Reminder.Action.Escalate(it, step.flag("replace", false))))
                    .orElseGet(Reminder.Action.Remind::new);
            reminders.add(new Reminder(
                    "step-" + (reminders.size() + 1), step.value("after").orElseThrow(), action));
        }
        return reminders;
    }

    private static Quorum quorum(At human) {
        Optional<Quorum> counted =
                human.object("quorum").flatMap(it -> it.whole("count")).map(Quorum.Count::new);
        return counted.orElseGet(() -> switch (human.text("quorum").orElse("one")) {
            case "majority" -> new Quorum.Majority();
            case "all" -> new Quorum.All();
            case "serial" -> new Quorum.Serial();
            default -> new Quorum.One();
        });
    }

    private static Retry retry(At at) {
        Optional<At> retry = at.object("retry");
        if (retry.isEmpty()) {
            return new Retry(ATTEMPTS, FIRST_DELAY, 2, MOST_DELAY, true);
        }
        At it = retry.get();
        Duration first = duration(it, "delay", FIRST_DELAY);
        Duration most = duration(it, "most", MOST_DELAY);
        boolean unlimited = it.text("attempts").isPresent();
        return new Retry(
                unlimited ? Integer.MAX_VALUE : it.whole("attempts").orElse(ATTEMPTS),
                first,
                it.number("factor").orElse(2.0),
                first.compareTo(most) > 0 ? first : most,
                it.flag("jitter", true));
    }

    private static JsonValue key(At signal) {
        return signal.value("key").orElse(new JsonString(SHARED_KEY));
    }

    static Duration duration(At at, String name, Duration otherwise) {
        return at.text(name).map(Duration::parse).orElse(otherwise);
    }

    /** Sections that features read, as they are written; {@code docs/states.md} has their shape. */
    static JsonObject metadata(At workflow) {
        Map<String, JsonValue> metadata = new LinkedHashMap<>();
        workflow.value("name").ifPresent(it -> metadata.put("displayName", it));
        for (String section : List.of(
                "description",
                "version",
                "owners",
                "riskTier",
                "residency",
                "variables",
                "roles",
                "calendars",
                "triggers",
                "suspend",
                "subworkflows",
                "policies")) {
            workflow.value(section).ifPresent(it -> metadata.put(section, it));
        }
        List<JsonValue> milestones = new ArrayList<>();
        for (At each :
                workflow.object("progress").map(it -> it.list("milestones")).orElse(List.of())) {
            JsonObject.Builder milestone = JsonObject.builder();
            each.json().members().forEach(milestone::put);
            if (!each.has("weight")) {
                milestone.put("weight", 1);
            }
            String state = each.text("state").orElse("");
            milestones.add(milestone.put("node", state).build());
        }
        if (!milestones.isEmpty()) {
            metadata.put("milestones", new JsonArray(milestones));
        }
        return JsonObject.of(metadata);
    }
}
