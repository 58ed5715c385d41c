package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.help.Explanation;
import dev.flowstone.server.help.Explanations;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a code means, told without a server; and who is refused is told how to ask. */
final class ExplainCommandTest {
    @Test
    void aCodeIsExplained() {
        Said said = Cli.here("explain", "RUN_DEADLINE");

        assertEquals(0, said.exit(), said::err);
        assertTrue(said.out().startsWith("RUN_DEADLINE   What fails in a run"), said::out);
        assertTrue(said.out().contains("The run did not end within its deadline. Not tried again."), said::out);
        assertTrue(said.out().contains("What to do: "), said::out);
        assertFalse(said.out().contains("**"), said::out);
    }

    @Test
    void refusalsFaultsLintsAndStatusesAreExplainedToo() {
        for (String code : new String[] {"WFENG002", "STATES-NO-WAY-ON", "LINT-DEADLOCK", "CYCLE", "HTTP_404"}) {
            Said said = Cli.here("explain", code);
            assertEquals(0, said.exit(), said::err);
            assertTrue(said.out().startsWith(code + "   "), said::out);
        }
        assertEquals(Cli.here("explain", "WFENG002"), Cli.here("explain", "wfeng002"));
    }

    @Test
    void oneOfTwoGroupsIsExplainedInBoth() {
        String out = Cli.here("explain", "UNKNOWN_NAME").out();

        assertTrue(out.contains("UNKNOWN_NAME   Expressions"), out);
        assertTrue(out.contains("UNKNOWN_NAME   Faults of JSON DAGs"), out);
    }

    @Test
    void allAreListedALineEach() {
        Said said = Cli.here("explain");

        assertEquals(0, said.exit(), said::err);
        for (Explanation each : Explanations.known().all()) {
            assertTrue(said.out().lines().anyMatch(line -> line.startsWith("  " + each.code() + " ")), each.code());
        }
    }

    @Test
    void anUnknownOneNamesWhatIsNear() {
        Said near = Cli.here("explain", "HANDLER_TREW");
        assertEquals(2, near.exit());
        assertEquals("", near.out());
        assertTrue(near.err().contains("did you mean 'HANDLER_THREW'?"), near::err);

        Said far = Cli.here("explain", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
        assertEquals(2, far.exit());
        assertTrue(far.err().contains("explain` lists them all"), far::err);
    }

    @Test
    void helpSaysWhatIsExplained() {
        Said said = Cli.here("explain", "--help");

        assertEquals(0, said.exit(), said::err);
        assertTrue(said.out().contains("flowstone explain WFENG002"), said::out);
        assertTrue(said.out().contains("Exit codes: 0 explained, 2 there is no such code."), said::out);
    }

    @Test
    void whoIsRefusedIsToldLastHowToAskWhatItMeans() {
        String err = refused("WFENG002", 409);
        assertTrue(err.endsWith("What it means: ./flowstone explain WFENG002\n"), err);
        assertTrue(refused("UNAUTHENTICATED", 401).endsWith(" explain UNAUTHENTICATED\n"));
        assertFalse(refused("OF_A_LATER_RELEASE", 409).contains("explain"));
        assertFalse(refused("", 502).contains("explain"));
    }

    @Test
    void aCodeOfAnActionsOwnIsNotOfferedToBeExplained() {
        assertEquals("./flowstone explain TIMEOUT", ExplainCommand.of("TIMEOUT").orElseThrow());
        assertTrue(ExplainCommand.of("CARD_EXPIRED").isEmpty());
    }

    private static String refused(String code, int status) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false);
        JsonObject problem =
                JsonObject.builder().put("code", code).put("detail", "no").build();
        int _ = new AnswerText(terminal, Verb.get("x", "x", "/x", new Report.Change(), "x"), Map.of(), false)
                .tell(new ServerAnswer.Refused(status, problem));
        terminal.err().flush();
        terminal.out().flush();
        assertEquals("", out.toString());
        return err.toString();
    }
}
