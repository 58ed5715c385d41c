package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Canonical forms of what people do and of what happens to data, for {@link CommandCodec}. */
final class PeopleCodec {
    private PeopleCodec() {}

    static void write(JsonObject.Builder out, HumanCommand command) {
        switch (command) {
            case HumanCommand.Claim it ->
                out.put("activation", it.activation().toString())
                        .put("roles", texts(new TreeSet<>(it.roles())))
                        .put("lease", it.lease().toString())
                        .put("override", it.override());
            case HumanCommand.Heartbeat it ->
                out.put("activation", it.activation().toString())
                        .put("lease", it.lease().toString());
            case HumanCommand.Release it ->
                out.put("activation", it.activation().toString()).put("override", it.override());
            case HumanCommand.Decide it ->
                out.put("activation", it.activation().toString())
                        .put("outcome", it.outcome().name())
                        .put("roles", texts(new TreeSet<>(it.roles())))
                        .putIfPresent("onBehalfOf", it.onBehalfOf())
                        .putIfPresent("rationale", it.rationale())
                        .putValueIfPresent("subjectVersion", it.subjectVersion().map(JsonNumber::of))
                        .put("override", it.override());
            case HumanCommand.Reassign it ->
                out.put("activation", it.activation().toString())
                        .putIfPresent("from", it.from().map(Party::toString))
                        .put("to", texts(it.to().stream().map(Party::toString).toList()))
                        .put("reason", it.reason());
            case HumanCommand.Delegate it ->
                out.put("activation", it.activation().toString())
                        .put("from", it.from().toString())
                        .put("to", it.to().toString())
                        .put("roles", texts(new TreeSet<>(it.roles())))
                        .put("override", it.override())
                        .put("reason", it.reason());
            case HumanCommand.Resolve it ->
                out.put("activation", it.activation().toString())
                        .put("outcome", it.outcome().name())
                        .put("reason", it.reason());
            case HumanCommand.Attest it -> out.put("id", it.id()).put("statement", it.statement());
        }
    }

    static void write(JsonObject.Builder out, DataCommand command) {
        switch (command) {
            case DataCommand.SubjectChanged it ->
                out.put("version", it.version()).put("byThisRun", it.byThisRun());
            case DataCommand.SetVariables it ->
                out.put("values", JsonObject.of(it.values())).put("reason", it.reason());
        }
    }

    /** The command of this type, or empty if it is none of these. */
    static Optional<Command> read(String type, JsonCursor at) {
        return Optional.ofNullable(
                switch (type) {
                    case "Claim" -> new HumanCommand.Claim(activation(at), roles(at), lease(at), at.bool("override"));
                    case "Heartbeat" -> new HumanCommand.Heartbeat(activation(at), lease(at));
                    case "Release" -> new HumanCommand.Release(activation(at), at.bool("override"));
                    case "Decide" ->
                        new HumanCommand.Decide(
                                activation(at),
                                at.as("outcome", Outcome::new),
                                roles(at),
                                at.find("onBehalfOf").map(JsonCursor::string),
                                at.find("rationale").map(JsonCursor::string),
                                at.find("subjectVersion").map(JsonCursor::longValue),
                                at.bool("override"));
                    case "Reassign" ->
                        new HumanCommand.Reassign(
                                activation(at),
                                at.find("from").map(party -> party.as(Party::parse)),
                                at.list("to", party -> party.as(Party::parse)),
                                at.string("reason"));
                    case "Delegate" ->
                        new HumanCommand.Delegate(
                                activation(at),
                                at.as("from", Party::parse),
                                at.as("to", Party::parse),
                                roles(at),
                                at.bool("override"),
                                at.string("reason"));
                    case "Resolve" ->
                        new HumanCommand.Resolve(activation(at), at.as("outcome", Outcome::new), at.string("reason"));
                    case "Attest" -> new HumanCommand.Attest(at.string("id"), at.string("statement"));
                    case "SubjectChanged" ->
                        new DataCommand.SubjectChanged(at.longValue("version"), at.bool("byThisRun"));
                    case "SetVariables" ->
                        new DataCommand.SetVariables(
                                at.member("values").object().members(), at.string("reason"));
                    default -> null;
                });
    }

    private static ActivationId activation(JsonCursor at) {
        return at.as("activation", ActivationId::parse);
    }

    private static Duration lease(JsonCursor at) {
        return at.as("lease", Duration::parse);
    }

    private static Set<String> roles(JsonCursor at) {
        return Set.copyOf(at.list("roles", JsonCursor::string));
    }

    private static JsonArray texts(Collection<String> texts) {
        List<JsonValue> out = texts.stream().<JsonValue>map(JsonString::new).toList();
        return new JsonArray(out);
    }
}
