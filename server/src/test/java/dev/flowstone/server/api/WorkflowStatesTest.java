package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.server.api.RestFixture.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every transition of a workflow answers in every state (dataflow.md §3.0, §13.3). */
final class WorkflowStatesTest {
    private static final String ROOT = "/api/v1/workflows";
    private static final String MISSING = "404 WORKFLOW_NOT_FOUND";
    private static final String STATE = "409 WORKFLOW_STATE";
    private static final String FIXED = "400 IMMUTABLE";

    /** Staged: a draft whose version is made and not active. Drafting, shelved: active, archived, with the next draft beside. */
    private static final List<String> STATES =
            List.of("none", "draft", "staged", "active", "drafting", "archived", "shelved");

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
                row("save", "201", "200", "200", FIXED, "200", FIXED, FIXED),
                row("open-draft", MISSING, "200", "200", "201", "200", STATE, STATE),
                row("next-draft", MISSING, "200", "200", "201", "200", STATE, STATE),
                row("discard", MISSING, STATE, STATE, STATE, "200", STATE, "200"),
                row("publish", MISSING, "200", "200", "200", "200", STATE, STATE),
                row("stage", MISSING, "200", "200", "200", "200", STATE, STATE),
                row("archive", MISSING, STATE, STATE, "200", "200", "200", "200"),
                row("reactivate", MISSING, STATE, STATE, "200", "200", "200", "200"),
                row("delete", MISSING, "204", "204", STATE, STATE, STATE, STATE));
    }

    private static Arguments row(String transition, String... answers) {
        return Arguments.of(transition, List.of(answers));
    }

    @ParameterizedTest
    @MethodSource("transitions")
    void everyTransitionInEveryStateAnswersItsCode(String transition, List<String> answers) throws Exception {
        for (int i = 0; i < STATES.size(); i++) {
            String id = transition + "-" + STATES.get(i);
            bring(id, STATES.get(i));

            Answer answer = ask(id, transition);

            String told = answer.status() < 300 ? "" : " " + answer.text("/code");
            assertEquals(answers.get(i), answer.status() + told, id + ": " + answer);
        }
    }

    private static void bring(String id, String state) throws Exception {
        switch (state) {
            case "none" -> {}
            case "draft" -> save(id);
            case "staged" -> {
                save(id);
                done(ask(id, "stage"));
            }
            case "active" -> rest.publish(Samples.echo(id));
            case "drafting" -> {
                rest.publish(Samples.echo(id));
                done(ask(id, "next-draft"));
            }
            case "archived" -> {
                rest.publish(Samples.echo(id));
                done(ask(id, "archive"));
            }
            case "shelved" -> {
                bring(id, "drafting");
                done(ask(id, "archive"));
            }
            default -> throw new IllegalArgumentException(state);
        }
    }

    private static void save(String id) throws Exception {
        done(rest.post(ROOT, Samples.echo(id)));
    }

    private static void done(Answer answer) {
        assertEquals(2, answer.status() / 100, answer::toString);
    }

    private static Answer ask(String id, String transition) throws Exception {
        String one = ROOT + "/" + id;
        return switch (transition) {
            case "save" -> rest.post(ROOT, Samples.echo(id, "saved"));
            case "open-draft" -> rest.post(one + "/draft", "");
            case "next-draft" -> rest.post(one + "/draft", Samples.echo(id, "next"));
            case "discard" -> rest.delete(one + "/draft");
            case "stage" -> rest.post(one + "/publish?autoActivate=false", "");
            case "delete" -> rest.delete(one);
            case "publish", "archive", "reactivate" -> rest.post(one + "/" + transition, "");
            default -> throw new IllegalArgumentException(transition);
        };
    }
}
