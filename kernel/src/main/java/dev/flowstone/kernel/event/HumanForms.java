package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.HumanEvent.AttestationGiven;
import dev.flowstone.kernel.event.HumanEvent.AttestationRequested;
import dev.flowstone.kernel.event.HumanEvent.ClaimReleased;
import dev.flowstone.kernel.event.HumanEvent.DecisionApplied;
import dev.flowstone.kernel.event.HumanEvent.DecisionsVoided;
import dev.flowstone.kernel.event.HumanEvent.HumanDecided;
import dev.flowstone.kernel.event.HumanEvent.HumanTaskOpened;
import dev.flowstone.kernel.event.HumanEvent.HumanTaskSettled;
import dev.flowstone.kernel.event.HumanEvent.ReminderFailed;
import dev.flowstone.kernel.event.HumanEvent.TaskClaimed;
import dev.flowstone.kernel.event.HumanEvent.TaskDelegated;
import dev.flowstone.kernel.event.HumanEvent.TaskEscalated;
import dev.flowstone.kernel.event.HumanEvent.TaskReassigned;
import dev.flowstone.kernel.event.HumanEvent.TaskReminded;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.program.Outcome;
import java.util.List;
import java.util.Optional;

/** Stored forms of what happens between a run and people. */
final class HumanForms {
    private HumanForms() {}

    static void write(FrameOutput out, HumanEvent event) {
        switch (event) {
            case HumanTaskOpened body -> opened(out, body);
            case TaskClaimed body -> {
                activation(out, body.activation());
                party(out, "as", body.as());
                out.name("expiresAt").time(body.expiresAt());
            }
            case ClaimReleased body -> {
                activation(out, body.activation());
                out.name("reason").string(body.reason().name());
            }
            case TaskReassigned body -> {
                activation(out, body.activation());
                party(out, "from", body.from());
                out.name("reason").string(body.reason());
                parties(out.name("to"), body.to());
            }
            case TaskDelegated body -> {
                activation(out, body.activation());
                out.name("from").string(body.from().toString());
                out.name("reason").string(body.reason());
                out.name("to").string(body.to().toString());
            }
            case HumanDecided body -> decided(out, body);
            case HumanTaskSettled body -> {
                activation(out, body.activation());
                out.name("how").string(body.how().name());
                out.name("outcome").string(body.outcome().name());
                Parts.payload(out.name("output"), body.output());
            }
            case TaskReminded body -> {
                activation(out, body.activation());
                out.name("reminder").string(body.reminder());
            }
            case TaskEscalated body -> {
                activation(out, body.activation());
                parties(out.name("assignees"), body.assignees());
                out.name("reminder").string(body.reminder());
                out.name("replace").bool(body.replace());
            }
            case ReminderFailed body -> {
                activation(out, body.activation());
                Parts.error(out.name("error"), body.error());
                out.name("reminder").string(body.reminder());
            }
            case DecisionsVoided body -> {
                activation(out, body.activation());
                out.name("subjectVersion").number(body.subjectVersion());
            }
            case DecisionApplied body -> {
                activation(out, body.activation());
                out.name("decided").string(body.decided().toString());
            }
            case AttestationRequested body -> {
                body.activation().ifPresent(activation -> activation(out, activation));
                out.name("id").string(body.id());
                out.name("reason").string(body.reason());
            }
            case AttestationGiven body -> {
                out.name("id").string(body.id());
                out.name("statement").string(body.statement());
            }
        }
    }

    private static void opened(FrameOutput out, HumanTaskOpened body) {
        activation(out, body.activation());
        parties(out.name("assignees"), body.assignees());
        Parts.payload(out.name("request"), body.request());
        body.subjectVersion().ifPresent(version -> out.name("subjectVersion").number(version));
    }

    private static void decided(FrameOutput out, HumanDecided body) {
        activation(out, body.activation());
        party(out, "as", body.as());
        party(out, "onBehalfOf", body.onBehalfOf());
        out.name("outcome").string(body.outcome().name());
        out.name("override").bool(body.override());
        body.rationale().ifPresent(rationale -> out.name("rationale").string(rationale));
        body.subjectVersion().ifPresent(version -> out.name("subjectVersion").number(version));
    }

    static HumanEvent read(String kind, JsonCursor at) {
        return switch (kind) {
            case "HumanTaskOpened" ->
                new HumanTaskOpened(
                        Parts.activation(at),
                        parties(at, "assignees"),
                        Parts.payload(at.member("request")),
                        version(at));
            case "TaskClaimed" ->
                new TaskClaimed(Parts.activation(at), party(at, "as"), at.as("expiresAt", Times::read));
            case "ClaimReleased" ->
                new ClaimReleased(Parts.activation(at), at.as("reason", HumanEvent.Release::valueOf));
            case "TaskReassigned" ->
                new TaskReassigned(Parts.activation(at), party(at, "from"), at.string("reason"), parties(at, "to"));
            case "TaskDelegated" ->
                new TaskDelegated(
                        Parts.activation(at),
                        at.as("from", Party::parse),
                        at.string("reason"),
                        at.as("to", Party::parse));
            case "HumanDecided" ->
                new HumanDecided(
                        Parts.activation(at),
                        at.as("outcome", Outcome::new),
                        party(at, "as"),
                        party(at, "onBehalfOf"),
                        at.find("rationale").map(JsonCursor::string),
                        version(at),
                        at.bool("override"));
            case "HumanTaskSettled" ->
                new HumanTaskSettled(
                        Parts.activation(at),
                        at.as("how", HumanEvent.Settlement::valueOf),
                        at.as("outcome", Outcome::new),
                        Parts.payload(at.member("output")));
            case "TaskReminded" -> new TaskReminded(Parts.activation(at), at.string("reminder"));
            case "TaskEscalated" ->
                new TaskEscalated(
                        Parts.activation(at), parties(at, "assignees"), at.string("reminder"), at.bool("replace"));
            case "ReminderFailed" ->
                new ReminderFailed(Parts.activation(at), Parts.error(at.member("error")), at.string("reminder"));
            case "DecisionsVoided" -> new DecisionsVoided(Parts.activation(at), at.longValue("subjectVersion"));
            case "DecisionApplied" -> new DecisionApplied(Parts.activation(at), at.as("decided", ActivationId::parse));
            case "AttestationRequested" ->
                new AttestationRequested(
                        at.find("activation").map(activation -> activation.as(ActivationId::parse)),
                        at.string("id"),
                        at.string("reason"));
            case "AttestationGiven" -> new AttestationGiven(at.string("id"), at.string("statement"));
            default -> throw at.fault("no event " + kind + " about people");
        };
    }

    private static void activation(FrameOutput out, ActivationId activation) {
        out.name("activation").string(activation.toString());
    }

    private static void party(FrameOutput out, String name, Optional<Party> party) {
        party.ifPresent(one -> out.name(name).string(one.toString()));
    }

    private static Optional<Party> party(JsonCursor at, String name) {
        return at.find(name).map(party -> party.as(Party::parse));
    }

    private static void parties(FrameOutput out, List<Party> parties) {
        out.ascii("[");
        for (int i = 0; i < parties.size(); i++) {
            out.ascii(i == 0 ? "" : ",");
            out.string(parties.get(i).toString());
        }
        out.ascii("]");
    }

    private static List<Party> parties(JsonCursor at, String name) {
        return at.list(name, party -> party.as(Party::parse));
    }

    private static Optional<Long> version(JsonCursor at) {
        return at.find("subjectVersion").map(JsonCursor::longValue);
    }
}
