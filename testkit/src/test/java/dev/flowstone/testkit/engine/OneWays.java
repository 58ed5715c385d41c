package dev.flowstone.testkit.engine;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.OneWayAction;
import dev.flowstone.engine.task.OneWayAction.Posting;
import dev.flowstone.engine.task.OneWayCall;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import java.util.List;
import java.util.Optional;

/** A one-way action, {@code test.tell}, as nodes know it, and a program that uses it. */
final class OneWays {
    private OneWays() {}

    static HandlerRegistry handlers(OneWayAction action) {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .oneWay(new ActionDescription(new HandlerName("test.tell"), "For a test.", List.of()), action)
                .build();
    }

    static Posting tell(OneWayCall call) {
        return call.input() instanceof JsonObject input && input.get("text") instanceof JsonString text
                ? new Posting.Message(
                        "mail",
                        JsonObject.builder()
                                .put("text", text)
                                .put("at", call.at().toString())
                                .build())
                : new Posting.Invalid("INVALID_PARAMETER", "/text", "text is a text");
    }

    /** As a node does that knows no destination. */
    static Posting unknown(OneWayCall call) {
        return new Posting.Invalid("UNKNOWN_ENDPOINT", "/endpoint", "there is nobody to tell of " + call.activation());
    }

    static Program telling(String text) {
        return ProgramBuilder.dag("telling")
                .retry(SmallPrograms.attempts(3))
                .task("t", "test.tell", JsonObject.builder().put("text", text).build())
                .edge("start", "t")
                .build();
    }

    static List<OutboxControl.Entry> messages(World world) throws JournalException {
        return world.ports.outbox().control().list(World.TENANT, OutboxControl.Filter.ALL, Optional.empty(), 100);
    }

    static String output(History history) {
        return ((Payload.Inline)
                        history.all(EventBody.TaskCompleted.class).getFirst().output())
                .value()
                .toString();
    }
}
