package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What this worker can do, by the names of actions. */
final class Registry {
    private final Map<String, Entry<?>> entries = new LinkedHashMap<>();

    private record Entry<I>(JavaType input, TaskHandler<I, ?> handler) {
        @Nullable
        Object call(JsonNode json, Task task, JsonMapper mapper) throws Exception {
            return handler.handle(read(json, mapper), task);
        }

        private I read(JsonNode json, JsonMapper mapper) throws TaskFailure {
            try {
                I read = mapper.<I>treeToValue(json, input);
                return requireNonNull(read, "the input is null");
            } catch (JacksonException e) {
                throw mismatch(e.getOriginalMessage());
            } catch (RuntimeException e) {
                // A record's constructor has refused it.
                throw mismatch(String.valueOf(e.getMessage()));
            }
        }

        private TaskFailure mismatch(String why) {
            return TaskFailure.permanent("INPUT_MISMATCH", "the input is no " + input.toCanonical() + ": " + why);
        }
    }

    <I> void add(String action, JavaType input, TaskHandler<I, ?> handler) {
        if (entries.putIfAbsent(requireNonNull(action), new Entry<>(input, requireNonNull(handler))) != null) {
            throw new IllegalArgumentException("two handlers for the action " + action);
        }
    }

    List<String> actions() {
        return List.copyOf(entries.keySet());
    }

    /** Calls the handler of the task's action, its input as the handler wants it. */
    @Nullable
    Object call(Held held, JsonMapper mapper) throws Exception {
        Entry<?> entry = entries.get(held.offer.action());
        if (entry == null) {
            throw TaskFailure.retryable("NOT_THIS_WORKER", "this worker has no handler for " + held.offer.action());
        }
        return entry.call(held.offer.input(), new Task(held, mapper), mapper);
    }
}
