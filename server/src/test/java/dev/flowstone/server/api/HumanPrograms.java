package dev.flowstone.server.api;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Programs that no public dialect can say yet. */
final class HumanPrograms {
    private HumanPrograms() {}

    /** One review; what follows says how it came out. */
    static Program review(String workflow, Quorum quorum, String... parties) {
        return ProgramBuilder.dag(workflow)
                .human("review", list(parties), quorum)
                .task("yes", "core.echo")
                .task("no", "core.echo")
                .edge("start", "review")
                .edge("review", "yes", new Outcome("approved"), Optional.empty())
                .edge("review", "no", new Outcome("rejected"), Optional.empty())
                .build();
    }

    /** One review, whose people are reminded after a while. */
    static Program reminded(String workflow, Duration after, String... parties) {
        Reminder reminder = new Reminder("nudge", new JsonString(after.toString()), new Reminder.Action.Remind());
        return ProgramBuilder.dag(workflow)
                .human("review", list(parties), new Quorum.One(), reminder)
                .edge("start", "review")
                .build();
    }

    /** Waits for a signal, and hands its payload on. */
    static Program await(String workflow, String type, String key) {
        return ProgramBuilder.dag(workflow)
                .await("heard", type, key)
                .edge("start", "heard")
                .build();
    }

    /** Calls another workflow and waits. */
    static Program call(String workflow, String child) {
        return ProgramBuilder.dag(workflow)
                .call("other", child, Map.of())
                .edge("start", "other")
                .build();
    }

    /** {@code user:anna} as rules name her. */
    private static JsonArray list(String... parties) {
        return new JsonArray(Arrays.stream(parties)
                .map(party -> party.split(":", 2))
                .<JsonValue>map(
                        party -> JsonObject.builder().put(party[0], party[1]).build())
                .toList());
    }
}
