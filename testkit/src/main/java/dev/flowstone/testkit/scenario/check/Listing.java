package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.OpenAwait;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.kernel.state.RunState;
import java.util.List;

/** What a run has open, as JSON. The first member is what an item is called by. */
enum Listing {
    /** What people are asked. */
    TASKS(List.of("node", "activation", "asked", "claimedBy", "decisions", "request")) {
        @Override
        List<JsonValue> of(Observed run) {
            return run.state().map(RunState::humanTasks).orElse(List.of()).stream()
                    .map(OpenHumanTask::task)
                    .<JsonValue>map(task -> task(task, run))
                    .toList();
        }
    },
    /** What waits for an operator. */
    INCIDENTS(List.of("code", "node", "message")) {
        @Override
        List<JsonValue> of(Observed run) {
            return run.incidents().stream()
                    .<JsonValue>map(it -> JsonObject.builder()
                            .put("code", it.code())
                            .putIfPresent(
                                    "node", it.activation().map(at -> at.node().value()))
                            .put("message", it.message())
                            .build())
                    .toList();
        }
    },
    /** What waits for signals and permits. */
    AWAITS(List.of("node", "activation", "name")) {
        @Override
        List<JsonValue> of(Observed run) {
            return run.state().map(RunState::awaits).orElse(List.of()).stream()
                    .<JsonValue>map(Listing::await)
                    .toList();
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // a list that List.of made
    private final List<String> members;

    Listing(List<String> members) {
        this.members = members;
    }

    List<String> members() {
        return members;
    }

    abstract List<JsonValue> of(Observed run);

    private static JsonObject task(HumanTaskState task, Observed run) {
        JsonObject.Builder out = JsonObject.builder()
                .put("node", task.activation().node().value())
                .put("activation", task.activation().toString())
                .put(
                        "asked",
                        new JsonArray(task.undecided().stream()
                                .<JsonValue>map(it -> new JsonString(it.party().toString()))
                                .toList()))
                .put("decisions", JsonNumber.of((long) task.decisions().size()))
                .put("request", run.surroundings().value(task.request()));
        if (task.claim() != null) {
            out.put("claimedBy", task.claim().by().toString());
        }
        return out.build();
    }

    private static JsonObject await(OpenAwait await) {
        return JsonObject.builder()
                .put("node", await.activation().node().value())
                .put("activation", await.activation().toString())
                .put("name", await.name())
                .build();
    }
}
