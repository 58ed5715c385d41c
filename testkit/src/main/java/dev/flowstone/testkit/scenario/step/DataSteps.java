package dev.flowstone.testkit.scenario.step;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What reaches a run from outside beside people: signal, broadcast, setVariables, subject. */
final class DataSteps {
    private static final Duration KEPT = Duration.ofDays(1);

    private DataSteps() {}

    static Optional<Step> signal(Cursor value) {
        return signal(value, Ask.members(value, "type", "key", "payload", "dedupe", "keep"), false);
    }

    static Optional<Step> broadcast(Cursor value) {
        return signal(value, Ask.members(value, "type", "key", "payload"), true);
    }

    private static Optional<Step> signal(Cursor value, Members at, boolean broadcast) {
        Optional<String> type = at.need("type").flatMap(Cursor::text);
        Optional<String> key = at.need("key").flatMap(Cursor::text);
        if (type.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        Payload payload = Payload.of(at.find("payload").map(Cursor::value).orElse(JsonObject.EMPTY));
        Optional<String> dedupe = at.find("dedupe").flatMap(Cursor::text);
        Duration kept = at.find("keep").flatMap(Cursor::duration).orElse(KEPT);
        return Optional.of(Ask.of(value, at, (_, stage) -> {
            RunId channel = Aggregates.channel(stage.tenant(), type.get(), key.get());
            return new Ask.Asked(
                    channel,
                    new Command.SendSignal(
                            stage.tenant(), channel, type.get(), key.get(), payload, dedupe, broadcast, kept));
        }));
    }

    static Optional<Step> setVariables(Cursor value) {
        Members at = Ask.members(value, "values", "reason");
        Map<String, JsonValue> values = new HashMap<>();
        at.need("values")
                .ifPresent(it -> it.anyMembers().all().forEach((name, variable) -> values.put(name, variable.value())));
        String reason = PeopleSteps.reason(at);
        return Optional.of(Ask.of(value, at, Ask.ofRun(_ -> new DataCommand.SetVariables(values, reason))));
    }

    /** A document has a new version, of a run that was bound to none when it started. */
    static Optional<Step> subject(Cursor value) {
        Members at = Ask.members(value, "version", "byThisRun");
        Optional<Long> version = at.need("version").flatMap(Cursor::whole);
        boolean own = at.find("byThisRun").flatMap(Cursor::flag).orElse(false);
        return version.map(it -> Ask.of(value, at, Ask.ofRun(run -> {
            if (run.state().flatMap(RunState::subject).isPresent()) {
                throw new StepException(
                        "what the run is about is changed with 'edit: {sets: {…}}', which raises its version");
            }
            return new DataCommand.SubjectChanged(it, own);
        })));
    }
}
