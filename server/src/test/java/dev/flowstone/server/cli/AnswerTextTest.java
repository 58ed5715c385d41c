package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.client.ServerAnswer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What whoever isn't let in is told to do. */
final class AnswerTextTest {
    private static String told(String detail) {
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), false);
        JsonObject problem = JsonObject.builder()
                .put("code", "UNAUTHENTICATED")
                .put("detail", detail)
                .build();
        int _ = new AnswerText(terminal, Verb.get("x", "x", "/x", new Report.Change(), "x"), Map.of(), false)
                .tell(new ServerAnswer.Refused(401, problem));
        terminal.err().flush();
        return err.toString();
    }

    @Test
    void aTokenThatIsOverIsReplacedByANewOne() {
        String text = told("TOKEN_EXPIRED: the token sent as Authorization is refused: it was good until then");
        assertTrue(text.contains("get a new token from the issuer"), text);
        assertFalse(text.contains("the server's token"), text);
    }

    @Test
    void oneThatIsNotYetGoodIsWaitedForAndAnotherIsReplaced() {
        assertTrue(told("TOKEN_NOT_YET_VALID: x").contains("wait"));
        assertFalse(told("TOKEN_NOT_YET_VALID: x").contains("variable"));
        assertTrue(told("TOKEN_WRONG_AUDIENCE: x").contains("of the kind that the server takes"));
        assertTrue(told("this server asks for a token").contains("put the server's token into the variable"));
    }
}
