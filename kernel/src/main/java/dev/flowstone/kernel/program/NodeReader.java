package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what {@link NodeWriter} wrote. */
final class NodeReader {
    private NodeReader() {}

    static Node read(JsonCursor at) {
        NodeId id = at.as("id", NodeId::new);
        ScopeId scope = at.as("scope", ScopeId::new);
        Origin origin = new Origin(at.string("origin"));
        String kind = at.string("kind");
        return switch (kind) {
            case "Start" -> new Node.Start(id, scope, routing(at), origin);
            case "End" -> new Node.End(id, scope, at.as("outcome", Outcome::new), at.bool("terminate"), origin);
            case "Task" -> task(at, id, scope, origin);
            case "Timer" -> new Node.Timer(id, scope, due(at), routing(at), mayEnd(at), origin);
            case "HumanTask" -> human(at, id, scope, origin);
            case "Choice" -> new Node.Choice(id, scope, routing(at), mayEnd(at), origin);
            case "Assign" ->
                new Node.Assign(id, scope, templates(at.member("values")), routing(at), mayEnd(at), origin);
            case "Fork" ->
                new Node.Fork(
                        id, scope, branches(at.member("branches")), at.as("join", NodeId::new), routing(at), origin);
            case "Join" ->
                new Node.Join(
                        id,
                        scope,
                        policy(at.member("policy")),
                        at.as("losers", Node.Join.Losers::valueOf),
                        routing(at),
                        mayEnd(at),
                        origin);
            case "Await" ->
                new Node.Await(
                        id,
                        scope,
                        source(at.member("source")),
                        template(at, "timeout"),
                        routing(at),
                        mayEnd(at),
                        origin);
            case "Emit" -> new Node.Emit(id, scope, target(at.member("target")), routing(at), mayEnd(at), origin);
            case "Call" -> call(at, id, scope, origin);
            default -> throw at.member("kind").fault("no node of kind " + kind + " is known to this release");
        };
    }

    private static Node.Task task(JsonCursor at, NodeId id, ScopeId scope, Origin origin) {
        return new Node.Task(
                id,
                scope,
                at.as("handler", HandlerName::new),
                at.member("input").value(),
                retry(at.member("retry")),
                at.as("timeout", ProgramReader::duration),
                at.bool("rerender"),
                at.find("compensation").map(NodeReader::compensation),
                at.find("applies").map(node -> node.as(NodeId::new)),
                routing(at),
                mayEnd(at),
                origin);
    }

    private static Compensation compensation(JsonCursor at) {
        Optional<JsonCursor> instructions = at.find("instructions");
        if (instructions.isPresent()) {
            return new Compensation.Attested(instructions.get().string());
        }
        return new Compensation.ByHandler(
                at.as("handler", HandlerName::new),
                at.member("input").value(),
                retry(at.member("retry")),
                at.as("timeout", ProgramReader::duration));
    }

    private static Retry retry(JsonCursor at) {
        if (!(at.member("factor").value() instanceof JsonNumber factor)) {
            throw at.member("factor").fault("expected a number");
        }
        return new Retry(
                at.intValue("attempts"),
                at.as("base", ProgramReader::duration),
                factor.doubleValue(),
                at.as("cap", ProgramReader::duration),
                at.bool("jitter"));
    }

    private static Due due(JsonCursor at) {
        Optional<JsonValue> duration = template(at, "duration");
        if (duration.isPresent()) {
            return new Due.After(duration.get());
        }
        Optional<JsonValue> instant = template(at, "instant");
        if (instant.isPresent()) {
            return new Due.At(instant.get());
        }
        Due.Missed missed = at.as("missed", Due.Missed::valueOf);
        return template(at, "cron")
                .<Due>map(cron -> new Due.Cron(cron, at.member("zone").value(), missed))
                .orElseGet(() -> new Due.Every(at.member("every").value(), missed));
    }

    private static Node.HumanTask human(JsonCursor at, NodeId id, ScopeId scope, Origin origin) {
        return new Node.HumanTask(
                id,
                scope,
                outcomes(at, "outcomes"),
                Set.copyOf(outcomes(at, "vetoes")),
                at.find("abstain").map(outcome -> outcome.as(Outcome::new)),
                quorum(at.member("quorum")),
                at.member("assignees").value(),
                at.member("request").value(),
                at.bool("uniqueActors"),
                at.list("reminders", NodeReader::reminder),
                at.find("unmet").map(outcome -> outcome.as(Outcome::new)),
                at.as("drift", Drift::valueOf),
                routing(at),
                mayEnd(at),
                origin);
    }

    private static Quorum quorum(JsonCursor at) {
        return switch (at.string("kind")) {
            case "One" -> new Quorum.One();
            case "Count" -> new Quorum.Count(at.intValue("decisions"));
            case "Majority" -> new Quorum.Majority();
            case "All" -> new Quorum.All();
            case "Serial" -> new Quorum.Serial();
            default -> throw at.member("kind").fault("no quorum of this kind is known to this release");
        };
    }

    private static Reminder reminder(JsonCursor at) {
        Reminder.Action action;
        if (at.find("assignees").isPresent()) {
            action = new Reminder.Action.Escalate(at.member("assignees").value(), at.bool("replace"));
        } else {
            action = at.find("resolve")
                    .<Reminder.Action>map(outcome -> new Reminder.Action.Resolve(outcome.as(Outcome::new)))
                    .orElseGet(Reminder.Action.Remind::new);
        }
        return new Reminder(at.string("name"), at.member("after").value(), action);
    }

    private static Branches branches(JsonCursor at) {
        Optional<JsonValue> each = template(at, "each");
        if (each.isPresent()) {
            return new Branches.Each(each.get(), at.as("scope", ScopeId::new), at.intValue("window"));
        }
        return new Branches.Static(at.list(
                "static", branch -> new Branches.Branch(branch.string("name"), branch.as("scope", ScopeId::new))));
    }

    private static JoinPolicy policy(JsonCursor at) {
        return switch (at.string("kind")) {
            case "All" -> new JoinPolicy.All();
            case "Count" -> new JoinPolicy.Count(at.intValue("branches"), Set.copyOf(outcomes(at, "accept")));
            case "Majority" -> new JoinPolicy.Majority(Set.copyOf(outcomes(at, "accept")));
            case "Ended" -> new JoinPolicy.Ended(at.intValue("branches"));
            default -> throw at.member("kind").fault("no join of this kind is known to this release");
        };
    }

    private static Source source(JsonCursor at) {
        if (at.find("semaphore").isPresent()) {
            return new Source.Permit(
                    at.member("semaphore").value(),
                    at.intValue("limit"),
                    at.intValue("permits"),
                    at.as("lease", ProgramReader::duration));
        }
        return new Source.Channel(at.string("type"), at.member("key").value());
    }

    private static Target target(JsonCursor at) {
        if (at.find("release").isPresent()) {
            return new Target.Release(at.as("release", NodeId::new));
        }
        if (at.find("broadcast").isPresent()) {
            return new Target.Broadcast(
                    at.string("broadcast"),
                    at.member("key").value(),
                    at.member("payload").value());
        }
        return new Target.Channel(
                at.string("type"),
                at.member("key").value(),
                at.member("payload").value(),
                template(at, "dedupe"),
                at.as("timeToLive", ProgramReader::duration));
    }

    private static Node.Call call(JsonCursor at, NodeId id, ScopeId scope, Origin origin) {
        return new Node.Call(
                id,
                scope,
                at.as("workflow", WorkflowId::new),
                at.find("version").map(version -> at.intValue("version")),
                templates(at.member("input")),
                at.bool("waits"),
                template(at, "timeout"),
                new ChildPolicies(
                        at.as("onCancel", ChildPolicy::valueOf),
                        at.as("onTerminate", ChildPolicy::valueOf),
                        at.as("onSuspend", ChildPolicy::valueOf),
                        at.as("onTimeout", ChildPolicy::valueOf)),
                at.find("answer").map(answer -> answer.as(ChildAnswer::valueOf)).orElse(ChildAnswer.PLAIN),
                routing(at),
                mayEnd(at),
                origin);
    }

    private static Routing routing(JsonCursor at) {
        return at.as("routing", Routing::valueOf);
    }

    private static boolean mayEnd(JsonCursor at) {
        return at.bool("mayEnd");
    }

    private static Optional<JsonValue> template(JsonCursor at, String name) {
        return at.find(name).map(JsonCursor::value);
    }

    private static List<Outcome> outcomes(JsonCursor at, String name) {
        return at.list(name, outcome -> outcome.as(Outcome::new));
    }

    private static Map<String, JsonValue> templates(JsonCursor at) {
        Map<String, JsonValue> templates = new HashMap<>();
        for (JsonCursor member : at.members()) {
            templates.put(member.token(), member.value());
        }
        return templates;
    }
}
