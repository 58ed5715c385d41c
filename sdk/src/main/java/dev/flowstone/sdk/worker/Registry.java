package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What this worker can do, by the names of actions. */
final class Registry {
    private final Map<String, Handler> handlers = new LinkedHashMap<>();

    /** Does a task of one action. */
    @FunctionalInterface
    interface Handler {
        @Nullable
        Object call(JsonNode input, Task task, JsonMapper mapper) throws Exception;
    }

    void add(String action, Handler handler) {
        if (action.isBlank()) {
            throw new IllegalArgumentException("an action has a name");
        }
        if (handlers.putIfAbsent(action, requireNonNull(handler)) != null) {
            throw new IllegalArgumentException("two handlers for the action " + action);
        }
    }

    List<String> actions() {
        return List.copyOf(handlers.keySet());
    }

    /** Calls the handler of the task's action, its input as the handler wants it. */
    @Nullable
    Object call(Held held, JsonMapper mapper) throws Exception {
        Handler handler = handlers.get(held.offer.action());
        if (handler == null) {
            throw TaskFailure.retryable("NOT_THIS_WORKER", "this worker has no handler for " + held.offer.action());
        }
        return handler.call(held.offer.input(), new Task(held, mapper), mapper);
    }
}
