package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.client.ServerAnswer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a change in batches asks of the server, whose current version changes meanwhile. */
final class BatchesTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Terminal terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false);
    private final List<Optional<JsonValue>> asked = new ArrayList<>();

    /** A server on which each batch finds the version after the last one to be current, and that fails in its third batch. */
    private ServerAnswer answer(JsonObject body) {
        asked.add(body.find("version"));
        int batch = asked.size();
        if (batch == 3) {
            return new ServerAnswer.Silent("nobody answers");
        }
        return new ServerAnswer.Done(JsonObject.builder()
                .put("toVersion", body.find("version").orElse(JsonNumber.of(batch + 1)))
                .put("moved", 1)
                .put("next", "run-" + batch)
                .build());
    }

    private void run(JsonObject body) throws InterruptedException {
        Verb verb = WorkflowVerbs.all().getFirst();
        AnswerText answers = new AnswerText(terminal, verb, Map.of("id", "order"), false);
        new Batches(terminal, answers, false, new Report.Batches("batches")).run(body, this::answer);
    }

    @Test
    void allBatchesMoveToTheVersionThatTheFirstOneMovedTo() throws Exception {
        run(JsonObject.EMPTY);

        Optional<JsonValue> second = Optional.of(JsonNumber.of(2));
        assertEquals(List.of(Optional.empty(), second, second), asked);
        assertTrue(out.toString().contains("on with --after run-1 --version 2"), out::toString);
        assertTrue(err.toString().contains("go on with --after run-2 --version 2"), err::toString);
    }

    @Test
    void whoIsNotKnownIsToldWhereTheTokenGoes() {
        JsonObject problem = JsonObject.builder()
                .put("code", "UNAUTHENTICATED")
                .put("detail", "this server asks for a token")
                .build();

        int exit = new AnswerText(terminal, WorkflowVerbs.all().getFirst(), Map.of("id", "order"), false)
                .tell(new ServerAnswer.Refused(401, problem));

        assertEquals(Exit.FAILED, exit);
        assertTrue(err.toString().contains("FLOWSTONE_TOKEN"), err::toString);
    }

    @Test
    void aVersionThatWasAskedForIsNotRepeatedToWhoAskedForIt() throws Exception {
        run(JsonObject.builder().put("version", 7).build());

        assertEquals(
                List.of(7L, 7L, 7L),
                asked.stream()
                        .map(it -> ((JsonNumber) it.orElseThrow()).longValue())
                        .toList());
        assertTrue(out.toString().contains("on with --after run-1\n"), out::toString);
    }
}
