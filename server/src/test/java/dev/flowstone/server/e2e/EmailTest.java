package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.node.CannotStartException;
import dev.flowstone.server.node.Flowstone;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that mails, over HTTP on PostgreSQL and a real SMTP server; docs/mail.md's configuration. */
final class EmailTest {
    private static final String PASSWORD = "smtp-hunter2/+password";
    private static final GreenMail MAIL = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

    private static final String DEFINITION = """
            {"id": "tell", "displayName": "Tell", "startNode": "tell", "nodes": [
              {"id": "tell", "actionType": "email.send", "policies": {"retry": {"maxAttempts": 1}}, "parameters": {
                "to": ["{{ trigger.to }}"], "subject": "Order {{ trigger.number }}", "text": "On its way, {{ trigger.name }}.",
                "attachments": [{"name": "größe.txt", "text": "{{ trigger.number }}"}],
                "reference": "order-{{ trigger.number }}"}}]}""";

    @TempDir
    static Path folder = Path.of("");

    private static House house;

    @BeforeAll
    static void open() throws Exception {
        MAIL.start();
        Object _ = MAIL.setUser("flowstone@example.org", "flowstone", PASSWORD);
        house = House.open(
                folder.resolve("data"),
                flags("house", """
                {"host": "127.0.0.1", "port": %d, "security": "none", "user": "flowstone", "tellsRequester": true,
                 "from": "Example <noreply@example.org>"}""".formatted(MAIL.getSmtp().getPort())),
                BuiltInActions.registry());
        house.publish(DEFINITION);
    }

    @AfterAll
    static void close() {
        house.close();
        MAIL.stop();
    }

    private static Map<String, String> flags(String name, String config) throws Exception {
        Path configs = Files.createDirectory(folder.resolve(name + "-configs"));
        Files.writeString(configs.resolve("email.json"), config);
        Path credentials = Files.createDirectory(folder.resolve(name + "-credentials"));
        Files.writeString(credentials.resolve("email"), PASSWORD + "\n");
        return Map.of("connector.config", configs.toString(), "connector.credentials", credentials.toString());
    }

    private static Answer ended(String trigger) throws Exception {
        RunId run = house.start(
                "tell",
                "{\"principal\": {\"userId\": \"U7\", \"displayName\": \"Jürgen\"}, \"trigger\": " + trigger + "}");
        house.await(run);
        return house.get("/executions/" + run + "?include=actions,resources").expect(200);
    }

    private static String at(Answer answer, String pointer) {
        return JsonPointer.parse(pointer)
                .find(answer.object())
                .map(CanonicalJson::exactText)
                .orElseGet(() -> "nothing at " + pointer + " of " + answer.text());
    }

    @Test
    void aRunMailsAndTellsNoSecret() throws Exception {
        String trigger = "{\"to\": \"Ann Lee <ann@example.org>\", \"number\": \"A-1\", \"name\": \"Änn\"}";

        Answer first = ended(trigger);

        assertEquals("\"Succeeded\"", at(first, "/status"), first::text);
        assertEquals("[\"ann@example.org\"]", at(first, "/actions/items/0/outputs/recipients"));
        assertEquals("\"email/message\"", at(first, "/resources/items/0/type"));
        assertEquals("\"order-A-1\"", at(first, "/resources/items/0/key"));
        assertFalse(first.text().contains("hunter2"), first::text);
        assertEquals(1, MAIL.getReceivedMessages().length);
        MimeMessage message = MAIL.getReceivedMessages()[0];
        assertEquals("Order A-1", message.getSubject());
        assertEquals("Example <noreply@example.org>", message.getHeader("From", null));
        assertEquals("U7", message.getHeader("X-Acting-User-Id", null));
        assertEquals("J%C3%BCrgen", message.getHeader("X-Acting-User-Name", null));
        assertEquals(at(first, "/correlationId"), "\"" + message.getHeader("X-Correlation-Id", null) + "\"");
        assertEquals(
                at(first, "/actions/items/0/outputs/messageId"),
                "\"" + message.getMessageID().replaceAll("[<>]", "") + "\"");
        assertNull(message.getHeader("Authorization"));
        MimeMultipart parts = (MimeMultipart) message.getContent();
        assertEquals("On its way, Änn.", parts.getBodyPart(0).getContent());
        assertEquals("größe.txt", parts.getBodyPart(1).getFileName());

        Answer second = ended(trigger);

        assertEquals("false", at(second, "/actions/items/0/outputs/isNew"), second::text);
        assertEquals(1, MAIL.getReceivedMessages().length, "once under its reference");
    }

    @Test
    void whatTemplatesFillInBreaksOutOfNoHeader() throws Exception {
        Answer ended = ended(
                "{\"to\": \"ann@example.org\\r\\nBcc: eve@evil.example\", \"number\": \"2\\r\\nX-Evil: y\", \"name\": \"x\"}");

        assertEquals("\"INVALID_PARAMETERS\"", at(ended, "/error/code"), ended::text);
        String message = at(ended, "/error/message");
        assertTrue(message.contains("/to/0: ") && message.contains("/subject: "), message);
        assertFalse(message.contains("evil"), message);
    }

    @Test
    void aConfigurationThatIsNoneKeepsTheNodeFromStarting() throws Exception {
        for (Map.Entry<String, String> each : Map.of(
                        "host", "{\"user\": \"x\"}",
                        "127.0.0.1", "{\"host\": \"smtp.example.org\", \"security\": \"none\", \"user\": \"x\"}",
                        "/port", "{\"host\": \"smtp.example.org\", \"port\": 0}",
                        "/password", "{\"host\": \"smtp.example.org\", \"password\": \"x\"}",
                        "/from", "{\"host\": \"smtp.example.org\", \"from\": \"x\"}")
                .entrySet()) {
            Map<String, String> flags = flags("bad" + each.getKey().hashCode(), each.getValue());
            CannotStartException refused = assertThrows(
                    CannotStartException.class,
                    () -> Flowstone.definitions(House.config(folder.resolve("unused"), flags)));
            String message = String.valueOf(refused.getMessage());
            for (String part : List.of("email.json", each.getKey())) {
                assertTrue(message.contains(part), message);
            }
        }
        Map<String, String> good = flags("good", """
                {
                  "host": "smtp.example.org",
                  "user": "flowstone",
                  "from": "Example <noreply@example.org>"
                }""");
        assertTrue(Files.readString(Path.of("..", "docs", "mail.md"))
                .contains(Files.readString(Path.of(good.get("connector.config"), "email.json"))));
        Flowstone.definitions(House.config(folder.resolve("unused"), good));
    }
}
