package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.program.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The part of a snapshot that is about people and about a run's data; a run without them has nothing of it. */
final class PeopleSnapshot {
    private PeopleSnapshot() {}

    static void write(Draft draft, JsonObject.Builder out) {
        putUnlessEmpty(out, "humanTasks", draft.people.humanTasks.values(), PeopleSnapshot::task);
        putUnlessEmpty(
                out,
                "drifting",
                draft.people.drifting.values(),
                task -> new JsonString(task.activation().toString()));
        putUnlessEmpty(out, "verdicts", draft.people.verdicts.values(), PeopleSnapshot::verdict);
        putUnlessEmpty(out, "voided", draft.people.voided.values(), PeopleSnapshot::verdict);
        putUnlessEmpty(out, "attestations", draft.people.attestations.values(), PeopleSnapshot::attestation);
        if (draft.data.subject != null) {
            out.put(
                    "subject",
                    JsonObject.builder()
                            .put("kind", draft.data.subject.subject().kind())
                            .put("id", draft.data.subject.subject().id())
                            .put("version", draft.data.subject.version())
                            .put("exclusive", draft.data.subject.exclusive())
                            .build());
        }
        if (draft.data.subjectVersion != null) {
            out.put("subjectVersion", draft.data.subjectVersion);
        }
        if (!draft.data.variables.isEmpty()) {
            out.put("variables", JsonObject.of(new VariableView(draft.data.variables)));
        }
    }

    static void read(Draft draft, JsonCursor at) {
        for (JsonCursor one : items(at, "humanTasks")) {
            HumanTaskState task = task(one);
            draft.people.humanTasks = draft.people.humanTasks.with(task.activation(), task);
        }
        for (JsonCursor one : items(at, "drifting")) {
            HumanTaskState task = draft.people.humanTasks.get(one.as(ActivationId::parse));
            if (task != null) {
                draft.people.drifting = draft.people.drifting.with(task.activation(), task);
            }
        }
        draft.people.verdicts = verdicts(items(at, "verdicts"));
        draft.people.voided = verdicts(items(at, "voided"));
        for (JsonCursor one : items(at, "attestations")) {
            Attestation attestation = new Attestation(
                    one.string("id"),
                    one.find("activation").map(id -> id.as(ActivationId::parse)),
                    one.string("reason"));
            draft.people.attestations = draft.people.attestations.with(attestation.id(), attestation);
        }
        at.find("subject")
                .ifPresent(subject -> draft.data.subject = new SubjectBinding(
                        new Subject(subject.string("kind"), subject.string("id")),
                        subject.longValue("version"),
                        subject.bool("exclusive")));
        at.find("subjectVersion").ifPresent(version -> draft.data.subjectVersion = version.longValue());
        at.find("variables")
                .ifPresent(all -> all.object()
                        .members()
                        .forEach((name, value) -> DataApplier.set(draft, DataApplier.variable(name, value))));
    }

    private static JsonObject task(HumanTaskState task) {
        JsonObject.Builder out = JsonObject.builder()
                .put("activation", task.activation().toString())
                .put("openedAt", Times.write(task.openedAt()))
                .put("request", PayloadCodec.write(task.request()))
                .put("assignees", array(task.assignees(), PeopleSnapshot::assignee))
                .put("claims", task.claims())
                .put("decisions", array(task.decisions(), PeopleSnapshot::decision));
        Claim claim = task.claim();
        if (claim != null) {
            out.put(
                    "claim",
                    JsonObject.builder()
                            .put("by", claim.by().toString())
                            .putIfPresent("as", claim.as().map(Party::toString))
                            .put("expiresAt", Times.write(claim.expiresAt()))
                            .build());
        }
        return out.build();
    }

    private static HumanTaskState task(JsonCursor at) {
        return new HumanTaskState(
                at.as("activation", ActivationId::parse),
                at.as("openedAt", Times::read),
                PayloadCodec.read(at.member("request")),
                at.list("assignees", PeopleSnapshot::assignee),
                at.find("claim").map(PeopleSnapshot::claim).orElse(null),
                at.intValue("claims"),
                at.list("decisions", PeopleSnapshot::decision));
    }

    private static Claim claim(JsonCursor at) {
        return new Claim(at.as("by", Actor::parse), party(at, "as"), at.as("expiresAt", Times::read));
    }

    private static JsonObject assignee(Assignee assignee) {
        return JsonObject.builder()
                .put("party", assignee.party().toString())
                .put("chain", array(assignee.chain(), party -> new JsonString(party.toString())))
                .build();
    }

    private static Assignee assignee(JsonCursor at) {
        return new Assignee(at.as("party", Party::parse), at.list("chain", party -> party.as(Party::parse)));
    }

    private static JsonObject decision(HumanDecision decision) {
        return JsonObject.builder()
                .put("actor", decision.actor().toString())
                .putIfPresent("as", decision.as().map(Party::toString))
                .putIfPresent("onBehalfOf", decision.onBehalfOf().map(Party::toString))
                .put("outcome", decision.outcome().name())
                .put("at", Times.write(decision.at()))
                .putIfPresent("authorization", decision.authorization())
                .putIfPresent("rationale", decision.rationale())
                .putValueIfPresent("subjectVersion", decision.subjectVersion().map(JsonNumber::of))
                .put("override", decision.override())
                .build();
    }

    private static HumanDecision decision(JsonCursor at) {
        return new HumanDecision(
                at.as("actor", Actor::parse),
                party(at, "as"),
                party(at, "onBehalfOf"),
                at.as("outcome", Outcome::new),
                at.as("at", Times::read),
                at.find("authorization").map(JsonCursor::string),
                at.find("rationale").map(JsonCursor::string),
                at.find("subjectVersion").map(JsonCursor::longValue),
                at.bool("override"));
    }

    private static JsonObject verdict(Verdict verdict) {
        JsonObject.Builder out = JsonObject.builder()
                .put("decided", verdict.decided().toString())
                .put("outcome", verdict.outcome().name())
                .put("scope", verdict.scope());
        SnapshotWriter.names(out, verdict.earlier());
        return out.build();
    }

    private static SortedTree<Verdict.Key, Verdict> verdicts(List<JsonCursor> items) {
        SortedTree<Verdict.Key, Verdict> all = SortedTree.empty();
        for (JsonCursor one : items) {
            Verdict verdict = new Verdict(
                    one.as("decided", ActivationId::parse),
                    one.as("outcome", Outcome::new),
                    one.intValue("scope"),
                    SnapshotReader.names(one));
            all = all.with(verdict.key(), verdict);
        }
        return all;
    }

    private static JsonObject attestation(Attestation attestation) {
        return JsonObject.builder()
                .put("id", attestation.id())
                .putIfPresent("activation", attestation.activation().map(ActivationId::toString))
                .put("reason", attestation.reason())
                .build();
    }

    private static Optional<Party> party(JsonCursor at, String name) {
        return at.find(name).map(party -> party.as(Party::parse));
    }

    private static List<JsonCursor> items(JsonCursor at, String name) {
        return at.find(name).map(JsonCursor::items).orElse(List.of());
    }

    private static <T> void putUnlessEmpty(
            JsonObject.Builder out, String name, Collection<T> all, Function<? super T, ? extends JsonValue> write) {
        if (!all.isEmpty()) {
            out.put(name, array(all, write));
        }
    }

    private static <T> JsonArray array(Collection<T> all, Function<? super T, ? extends JsonValue> write) {
        List<JsonValue> out = new ArrayList<>(all.size());
        for (T one : all) {
            out.add(write.apply(one));
        }
        return new JsonArray(out);
    }
}
