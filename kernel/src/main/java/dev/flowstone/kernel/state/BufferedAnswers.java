package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a suspended run has heard of its attempts and will only decide when it is resumed (R25). */
final class BufferedAnswers {
    private static final Set<String> OF_ATTEMPTS = Set.of("CompleteTask", "HandOutTask");

    private BufferedAnswers() {}

    private record Named(ActivationId activation, int attempt) {}

    /** Those attempts of which nothing is in the buffer. */
    static List<Attempt> without(List<Attempt> open, LongMap<JsonObject> buffer) {
        if (open.isEmpty() || buffer.isEmpty()) {
            return open;
        }
        Set<Named> heard = new HashSet<>();
        for (JsonObject input : buffer.values()) {
            JsonCursor command = JsonCursor.of(input).member("command");
            if (OF_ATTEMPTS.contains(command.string("type"))) {
                heard.add(new Named(command.as("activation", ActivationId::parse), command.intValue("attempt")));
            }
        }
        return open.stream()
                .filter(attempt -> !heard.contains(new Named(attempt.activation(), attempt.attempt())))
                .toList();
    }
}
