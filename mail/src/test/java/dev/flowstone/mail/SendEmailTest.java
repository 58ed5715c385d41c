package dev.flowstone.mail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.Requester;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.action.TestContext;
import dev.flowstone.mail.Email.Attachment;
import dev.flowstone.mail.Email.WhenUnsure;
import jakarta.mail.BodyPart;
import jakarta.mail.Message;
import jakarta.mail.Part;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real SMTP server gets. */
final class SendEmailTest {
    private static final GreenMail SERVER = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

    @BeforeAll
    static void start() {
        SERVER.start();
        Object _ = SERVER.setUser("house@example.org", "house", Emails.PASSWORD);
    }

    @AfterAll
    static void stop() {
        SERVER.stop();
    }

    @BeforeEach
    void empty() throws Exception {
        SERVER.purgeEmailFromAllMailboxes();
    }

    private static TestContext context() {
        return Emails.context(SERVER.getSmtp().getPort(), Optional.empty());
    }

    private static MimeMessage received(Email email) throws Exception {
        assertTrue(Emails.sent(Emails.send(email, context())).isNew());
        MimeMessage[] all = SERVER.getReceivedMessages();
        assertTrue(all.length > 0);
        return all[0];
    }

    private static String header(Part part, String name) throws Exception {
        String[] values = part.getHeader(name);
        assertNotNull(values, name);
        assertEquals(1, values.length, name);
        return values[0];
    }

    @Test
    void aText() throws Exception {
        MimeMessage message =
                received(Emails.saying("Grüße, 世界 🎉", Optional.of("Täg\nlich\r\n.\n..x\n"), Optional.empty()));

        assertEquals("Grüße, 世界 🎉", message.getSubject());
        assertEquals("Täg\r\nlich\r\n.\r\n..x", message.getContent().toString().strip());
        assertTrue(message.isMimeType("text/plain"));
        assertEquals("The House <house@example.org>", InternetAddress.toString(message.getFrom()));
        assertNotNull(message.getSentDate());
        assertEquals("1.0", header(message, "MIME-Version"));
    }

    @Test
    void htmlAndBothAsAlternatives() throws Exception {
        String html = "<p>Hällo</p>";
        assertEquals(
                html,
                received(Emails.saying("x", Optional.empty(), Optional.of(html)))
                        .getContent()
                        .toString()
                        .strip());
        empty();
        MimeMessage both = received(Emails.saying("x", Optional.of("Hällo"), Optional.of(html)));
        assertTrue(both.isMimeType("multipart/alternative"));
        MimeMultipart parts = (MimeMultipart) both.getContent();
        assertEquals("Hällo", parts.getBodyPart(0).getContent());
        assertEquals(html, parts.getBodyPart(1).getContent());
        assertTrue(parts.getBodyPart(1).isMimeType("text/html"));
    }

    @Test
    void attachmentsComeAsTheyAre() throws Exception {
        byte[] bytes = new byte[100_000];
        new Random(7).nextBytes(bytes);
        MimeMessage message = received(Emails.saying(
                "x",
                Optional.of("see there"),
                Optional.of("<b>see there</b>"),
                Emails.file(
                        "Rechnung für März; \"2026\".pdf",
                        "application/pdf",
                        Base64.getEncoder().encodeToString(bytes)),
                new Attachment("zahlen.csv", Optional.of("text/csv"), Optional.empty(), Optional.of("ä;ö\n1;2\n")),
                new Attachment("plain", Optional.empty(), Optional.empty(), Optional.of("世界"))));

        assertTrue(message.isMimeType("multipart/mixed"));
        MimeMultipart parts = (MimeMultipart) message.getContent();
        assertEquals(4, parts.getCount());
        assertTrue(parts.getBodyPart(0).isMimeType("multipart/alternative"));
        BodyPart pdf = parts.getBodyPart(1);
        assertEquals("Rechnung für März; \"2026\".pdf", pdf.getFileName());
        assertEquals(Part.ATTACHMENT, pdf.getDisposition());
        assertTrue(pdf.isMimeType("application/pdf"));
        assertArrayEquals(bytes, pdf.getInputStream().readAllBytes());
        BodyPart csv = parts.getBodyPart(2);
        assertTrue(csv.getContentType().startsWith("text/csv; charset=utf-8"), csv.getContentType());
        assertEquals("ä;ö\n1;2\n", new String(csv.getInputStream().readAllBytes(), UTF_8));
        assertEquals("世界", parts.getBodyPart(3).getContent());
    }

    @Test
    void everybodyGetsItOnceAndBlindCopiesStandNowhere() throws Exception {
        Email email = Emails.copied(
                Emails.to("Ünal Öz <ann@example.org>", "Ann@Example.org"),
                List.of("bob@bücher.example"),
                List.of("secret@example.org", "ann@example.org"),
                List.of("desk@example.org", "Desk Two <two@example.org>"));

        Sent sent = Emails.sent(Emails.send(email, context()));

        assertEquals(List.of("ann@example.org", "bob@xn--bcher-kva.example", "secret@example.org"), sent.recipients());
        assertTrue(sent.reply().orElse("").startsWith("250"), sent::toString);
        MimeMessage[] all = SERVER.getReceivedMessages();
        assertEquals(3, all.length, "one for each mailbox");
        assertEquals("Ünal Öz", ((InternetAddress) all[0].getRecipients(Message.RecipientType.TO)[0]).getPersonal());
        assertEquals("bob@xn--bcher-kva.example", header(all[0], "Cc"));
        assertEquals(2, all[0].getReplyTo().length);
        for (MimeMessage each : all) {
            assertNull(each.getHeader("Bcc"));
            assertEquals("<" + sent.messageId() + ">", each.getMessageID());
        }
    }

    @Test
    void headersSayForWhomItIsOnlyWhereThatIsConfigured() throws Exception {
        String value = "ünd ".repeat(100).strip();
        ActionResult<Sent> result = Emails.send(
                Emails.with(
                        Emails.plain(), Map.of("X-Order", "A-1", "X-Long", value), Optional.empty(), WhenUnsure.REPEAT),
                asked(new TestContext("email")
                        .config(Emails.config(SERVER.getSmtp().getPort())
                                .put("security", "none")
                                .put("tellsRequester", true))));

        assertTrue(Emails.sent(result).isNew());
        MimeMessage message = SERVER.getReceivedMessages()[0];
        assertEquals("A-1", header(message, "X-Order"));
        assertEquals(value, MimeUtility.decodeText(MimeUtility.unfold(header(message, "X-Long"))));
        assertEquals("U1%0D%0AX: y", header(message, "X-Acting-User-Id"));
        assertEquals("u1@example.org", header(message, "X-Acting-User-Email"));
        assertEquals("J%C3%BCrgen", header(message, "X-Acting-User-Name"));
        assertEquals("correlation", header(message, "X-Correlation-Id"));
        assertNull(message.getHeader("X"));
        assertNull(message.getHeader("Authorization"));
        empty();

        assertTrue(Emails.sent(Emails.send(Emails.plain(), asked(context()))).isNew());
        MimeMessage silent = SERVER.getReceivedMessages()[0];
        assertEquals("correlation", header(silent, "X-Correlation-Id"));
        for (String name : List.of("Id", "Email", "Name")) {
            assertNull(silent.getHeader("X-Acting-User-" + name), name);
        }
    }

    private static TestContext asked(TestContext context) {
        return context.requester(new Requester("U1\r\nX: y", Optional.of("u1@example.org"), Optional.of("Jürgen")));
    }

    @Test
    void aUserLogsInWithTheCredential() throws Exception {
        int port = SERVER.getSmtp().getPort();
        assertTrue(Emails.sent(Emails.send(Emails.plain(), Emails.context(port, Optional.of("house"))))
                .isNew());

        ActionResult.Failed<Sent> stranger =
                Emails.failed(Emails.send(Emails.plain(), Emails.context(port, Optional.of("stranger"))));
        assertEquals("EMAIL_LOGIN_REFUSED", stranger.code());
        assertFalse(stranger.toString().contains("hunter2"), stranger::toString);

        TestContext without = new TestContext("email")
                .config(Emails.config(port).put("security", "none").put("user", "house"));
        ActionFailure none = assertThrows(ActionFailure.class, () -> Emails.send(Emails.plain(), without));
        assertEquals("NO_CREDENTIAL", none.result().code());
    }

    @Test
    void whatWasSentUnderAReferenceIsNotSentAgain() throws Exception {
        Email email = Emails.with(Emails.plain(), Map.of(), Optional.of("invoice 7"), WhenUnsure.REPEAT);
        ActionResult<Sent> first = Emails.send(email, context());
        assertTrue(Emails.sent(first).isNew());
        ResourceLink link = ((ActionResult.Succeeded<Sent>) first).links().getFirst();
        assertEquals("email/message/invoice 7", link.system() + "/" + link.type() + "/" + link.key());
        assertEquals(Emails.sent(first).messageId(), link.id());

        Sent second = Emails.sent(Emails.send(email, context().linked(link)));

        assertEquals(new Sent(link.id(), List.of(), false, Optional.empty()), second);
        assertEquals(1, SERVER.getReceivedMessages().length);
        assertNotEquals(
                link.id(), Emails.sent(Emails.send(Emails.plain(), context())).messageId());
    }

    @Test
    void withoutAServerOrASenderNothingIsSent() throws Exception {
        assertEquals(
                "EMAIL_NOT_CONFIGURED",
                Emails.failed(Emails.send(Emails.plain(), new TestContext("email")))
                        .code());
        Email nobodys = new Email(
                Optional.empty(),
                List.of("ann@example.org"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "x",
                Optional.of("x"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        assertEquals(
                "EMAIL_NO_SENDER",
                Emails.failed(Emails.send(nobodys, context())).code());
        TestContext configured = new TestContext("email")
                .config(Emails.config(SERVER.getSmtp().getPort())
                        .put("security", "none")
                        .put("from", "Desk <desk@example.org>"));
        assertTrue(Emails.sent(Emails.send(nobodys, configured)).messageId().endsWith("@example.org"));
        assertEquals("Desk <desk@example.org>", header(SERVER.getReceivedMessages()[0], "From"));
    }
}
