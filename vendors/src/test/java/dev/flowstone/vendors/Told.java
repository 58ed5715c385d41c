package dev.flowstone.vendors;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;

/** What a run is told. */
final class Told {
    private Told() {}

    static TaskResult.Ok ok(TaskResult result) {
        return assertInstanceOf(TaskResult.Ok.class, result, result::toString);
    }

    static TaskResult.Failed failed(TaskResult result) {
        return assertInstanceOf(TaskResult.Failed.class, result, result::toString);
    }

    static String code(TaskResult result) {
        return failed(result).error().code();
    }

    static String message(TaskResult result) {
        return failed(result).error().message();
    }

    /** Of an output, as text. */
    static String at(TaskResult result, String pointer) {
        JsonValue value = JsonPointer.parse(pointer)
                .find(ok(result).output())
                .orElseThrow(() -> new AssertionError("nothing at " + pointer + " of " + result));
        return value instanceof JsonString(String text) ? text : CanonicalJson.exactText(value);
    }

    /** Everything that it says, links too. */
    static String everything(TaskResult result) {
        return switch (result) {
            case TaskResult.Ok ok -> CanonicalJson.exactText(ok.output()) + ok.links();
            case TaskResult.Failed failed ->
                failed.error().code()
                        + failed.error().message()
                        + CanonicalJson.exactText(JsonObject.builder()
                                .put("details", failed.error().details())
                                .build());
            case TaskResult.Skipped skipped -> skipped.reason();
        };
    }
}
