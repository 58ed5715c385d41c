package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is asked of an execution in every state: where it isn't possible, 409 {@code WFENG002} says so (dataflow.md §20). */
final class ExecutionStatesTest {
    private static final String ROOT = "/api/v1/executions/";
    private static final String TENANT = "states";
    private static final String STATE = "409 WFENG002";
    private static final List<String> STATES = List.of("running", "suspended", "succeeded", "failed", "cancelled");

    private static final Program WAITS = ProgramBuilder.dag("waits")
            .timer("pause", Duration.ofHours(2))
            .edge("start", "pause")
            .build();

    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    static Stream<Arguments> transitions() {
        return Stream.of(
                row("suspend", "200", "200", STATE, STATE, STATE),
                row("resume", "200", "200", STATE, STATE, STATE),
                row("drain", "200", STATE, STATE, STATE, STATE),
                row("cancel", "200", "200", STATE, STATE, STATE),
                row("terminate", "200", "200", STATE, STATE, STATE),
                row("force-fail", "200", "409 SUSPENDED", STATE, STATE, STATE),
                row("reenqueue", "200", "200", STATE, STATE, STATE),
                row("variables", "200", "200", STATE, STATE, STATE));
    }

    private static Arguments row(String transition, String... answers) {
        return Arguments.of(transition, List.of(answers));
    }

    @ParameterizedTest
    @MethodSource("transitions")
    void whatIsNotPossibleInAStateIsToldUnderOneCode(String transition, List<String> answers) throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < STATES.size(); i++) {
            String run = bring(STATES.get(i));

            Answer answer = ask(run, transition);

            String told = answer.status() < 300 ? "" : " " + answer.text("/code");
            all.append(answer.status()).append(told).append(i < STATES.size() - 1 ? ", " : "");
        }
        assertEquals(String.join(", ", answers), all.toString(), transition);
    }

    @Test
    void aCancelNeedsNoBodyAndSaysThatItGaveNoReason() throws Exception {
        for (String body : List.of("", "{}")) {
            String run = bring("running");

            Answer canceled = rest.post(ROOT + run + "/cancel", body, LoopbackCallers.TENANT, TENANT);

            assertEquals(200, canceled.status(), canceled::toString);
            Answer done = over(run, "Cancelled");
            assertTrue(done.response().body().contains("\"" + ControlRoutes.NO_REASON + "\""), done::toString);
        }
    }

    private static String bring(String state) throws Exception {
        String run = rest.start(WAITS, TENANT);
        rest.until(
                ROOT + run + "/timers",
                answer -> ((JsonArray) answer.at("/items")).items().size() == 1,
                LoopbackCallers.TENANT,
                TENANT);
        switch (state) {
            case "running" -> {}
            case "suspended" -> ask(run, "suspend");
            case "succeeded" -> {
                rest.post(ROOT + run + "/timers/pause%231/fire", "", LoopbackCallers.TENANT, TENANT);
                over(run, "Succeeded");
            }
            case "failed" -> {
                ask(run, "force-fail");
                over(run, "Failed");
            }
            case "cancelled" -> {
                ask(run, "cancel");
                over(run, "Cancelled");
            }
            default -> throw new IllegalArgumentException(state);
        }
        return run;
    }

    private static Answer over(String run, String status) throws Exception {
        return rest.until(
                ROOT + run + "?include=events",
                answer -> answer.text("/status").equals(status),
                LoopbackCallers.TENANT,
                TENANT);
    }

    private static Answer ask(String run, String transition) throws Exception {
        if (transition.equals("variables")) {
            return rest.call(
                    "PATCH",
                    ROOT + run + "/variables",
                    Optional.of("{\"variables\":{\"a\":1},\"reason\":\"x\"}"),
                    LoopbackCallers.TENANT,
                    TENANT);
        }
        return rest.post(ROOT + run + "/" + transition, "{\"reason\":\"x\"}", LoopbackCallers.TENANT, TENANT);
    }
}
