package dev.flowstone.mail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.action.ActionResult;
import dev.flowstone.action.FailureKind;
import dev.flowstone.action.TestContext;
import dev.flowstone.mail.Email.WhenUnsure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of a server that refuses, is slow, or goes away, at each step of a message. */
final class SmtpFaultsTest {
    @SuppressWarnings("NullAway.Init")
    private static SmtpPeer peer;

    @BeforeAll
    static void open() throws IOException {
        peer = SmtpPeer.plain();
    }

    @AfterAll
    static void close() throws IOException {
        peer.close();
    }

    private static TestContext context() {
        return Emails.context(peer.port(), Optional.of("house"));
    }

    private static ActionResult.Failed<Sent> failed(Email email) throws Exception {
        return Emails.failed(Emails.send(email, context()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CONNECT  | 554 5.7.1 not you                               | EMAIL_REFUSED              | PERMANENT",
                "CONNECT  | 421 4.3.2 going down                            | EMAIL_DEFERRED             | RETRIABLE",
                "CONNECT  | 421 4.7.0 too many connections from you         | EMAIL_LIMITED              | EXTERNAL_LIMIT",
                "CONNECT  | cut                                             | EMAIL_UNREACHABLE          | RETRIABLE",
                "EHLO     | cut                                             | EMAIL_UNREACHABLE          | RETRIABLE",
                "AUTH     | 535 5.7.8 wrong password                        | EMAIL_LOGIN_REFUSED        | POLICY_DENIED",
                "AUTH     | 534 5.7.9 mechanism too weak                    | EMAIL_LOGIN_REFUSED        | POLICY_DENIED",
                "AUTH     | 454 4.7.0 temporary authentication failure      | EMAIL_DEFERRED             | RETRIABLE",
                "AUTH     | cut                                             | EMAIL_UNREACHABLE          | RETRIABLE",
                "MAIL     | 530 5.7.0 log in first                          | EMAIL_LOGIN_REFUSED        | POLICY_DENIED",
                "MAIL     | 530 5.7.0 Must issue a STARTTLS command first   | EMAIL_TLS                  | PERMANENT",
                "AUTH     | 538 5.7.11 Encryption required for that         | EMAIL_TLS                  | PERMANENT",
                "MAIL     | 550 5.7.1 you don't send for example.org        | EMAIL_REFUSED              | PERMANENT",
                "MAIL     | 552 5.3.4 too large                             | EMAIL_REFUSED              | PERMANENT",
                "MAIL     | 451 4.3.0 try again later                       | EMAIL_DEFERRED             | RETRIABLE",
                "MAIL     | 450 4.7.1 rate limit of 10 a minute             | EMAIL_LIMITED              | EXTERNAL_LIMIT",
                "MAIL     | cut                                             | EMAIL_UNREACHABLE          | RETRIABLE",
                "RCPT     | 550 5.1.1 no such user                          | EMAIL_RECIPIENTS_REFUSED   | PERMANENT",
                "RCPT     | 553 5.1.3 no address                            | EMAIL_RECIPIENTS_REFUSED   | PERMANENT",
                "RCPT     | 450 4.2.0 greylisted, come again                | EMAIL_RECIPIENTS_DEFERRED  | RETRIABLE",
                "RCPT     | 452 4.5.3 too many recipients                   | EMAIL_LIMITED              | EXTERNAL_LIMIT",
                "RCPT     | 421 4.3.2 going down                            | EMAIL_RECIPIENTS_DEFERRED  | RETRIABLE",
                "RCPT     | cut                                             | EMAIL_UNREACHABLE          | RETRIABLE",
                "DATA     | 554 5.5.1 no valid recipients                   | EMAIL_REFUSED              | PERMANENT",
                "DATA     | 451 4.3.0 no disk                               | EMAIL_DEFERRED             | RETRIABLE",
                "DATA     | cut                                             | EMAIL_UNREACHABLE          | RETRIABLE",
                ".        | 554 5.7.1 spam                                  | EMAIL_REFUSED              | PERMANENT",
                ".        | 451 4.3.0 no disk                               | EMAIL_DEFERRED             | RETRIABLE",
                ".        | 452 4.3.1 quota of today used up                | EMAIL_LIMITED              | EXTERNAL_LIMIT",
                "MAIL     | 421 4.3.0 shutting down                         | EMAIL_DEFERRED             | RETRIABLE",
                ".        | 421 4.3.0 shutting down                         | EMAIL_DEFERRED             | RETRIABLE",
                ".        | cut                                             | EMAIL_UNSURE               | RETRIABLE",
            })
    void whatTheServerSaysHasAClass(String step, String answer, String code, FailureKind kind) throws Exception {
        SmtpPeer _ = peer.answering(line -> line.startsWith(step) ? answer : null);

        ActionResult.Failed<Sent> failed = failed(Emails.plain());

        assertEquals(code + " " + kind, failed.code() + " " + failed.kind(), failed::toString);
        assertTrue(failed.message().contains("127.0.0.1:" + peer.port()), failed::message);
        if (!answer.equals(SmtpPeer.CUT)) {
            assertTrue(failed.message().contains(answer), failed::message);
            assertEquals(
                    Integer.valueOf(answer.substring(0, 3)), failed.details().get("status"));
        }
        assertEquals(kind == FailureKind.EXTERNAL_LIMIT, failed.retryAfter().isPresent());
        assertFalse(failed.toString().contains("hunter2"), failed::toString);
    }

    @Test
    void aServerThatWantsALoginWhereNoneIsConfiguredIsToldAsThat() throws Exception {
        SmtpPeer _ = peer.answering(line -> line.startsWith("MAIL") ? "530 5.7.0 Authentication required" : null);

        ActionResult.Failed<Sent> failed =
                Emails.failed(Emails.send(Emails.plain(), Emails.context(peer.port(), Optional.empty())));

        assertEquals("EMAIL_LOGIN_REFUSED POLICY_DENIED", failed.code() + " " + failed.kind(), failed::toString);
        assertTrue(failed.message().contains("wants a login, and none is configured"), failed::message);
        assertEquals(530, failed.details().get("status"));
    }

    /** Where it is cut, half of a secret could stand that nobody finds. */
    @Test
    void whatTheServerSaysStaysWhole() throws Exception {
        String answer = "550 5.7.1 " + "x".repeat(310) + " hunter2";
        SmtpPeer _ = peer.answering(line -> line.startsWith("MAIL") ? answer : null);

        ActionResult.Failed<Sent> failed = failed(Emails.plain());

        assertTrue(failed.message().contains(answer), failed::message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MAIL | 550 5.7.1 not from there | EMAIL_REFUSED            | PERMANENT",
                "RCPT | 550 5.1.1 no such user   | EMAIL_RECIPIENTS_REFUSED | PERMANENT",
                ".    | 554 5.7.1 spam           | EMAIL_REFUSED            | PERMANENT",
                ".    | 451 4.3.0 no disk        | EMAIL_DEFERRED           | RETRIABLE",
            })
    void aRefusalCountsAlsoIfTheServerHangsUpAfterIt(String step, String answer, String code, FailureKind kind)
            throws Exception {
        SmtpPeer _ = peer.answering(line -> line.startsWith(step) ? answer + SmtpPeer.THEN_CUT : null);

        ActionResult.Failed<Sent> failed =
                failed(Emails.with(Emails.plain(), Map.of(), Optional.empty(), WhenUnsure.FAIL));

        assertEquals(code + " " + kind, failed.code() + " " + failed.kind(), failed::toString);
        assertTrue(failed.message().contains(answer), failed::message);
        assertEquals(Integer.valueOf(answer.substring(0, 3)), failed.details().get("status"));
    }

    @Test
    void aRecipientWhoIsRefusedIsToldAlsoIfTheServerHangsUpAtTheNext() throws Exception {
        SmtpPeer _ = peer.answering(
                line -> line.contains("bob@") ? "550 5.1.1 no bob" : line.contains("cy@") ? SmtpPeer.CUT : null);

        ActionResult.Failed<Sent> failed = failed(Emails.to("ann@example.org", "bob@example.org", "cy@example.org"));

        assertEquals("EMAIL_RECIPIENTS_REFUSED PERMANENT", failed.code() + " " + failed.kind());
        assertEquals(
                List.of(Map.of("address", "bob@example.org", "status", 550, "reply", "550 5.1.1 no bob")),
                failed.details().get("refused"));
    }

    @Test
    void ofManyRefusedRecipientsTheFirstAreTold() throws Exception {
        SmtpPeer _ = peer.answering(line -> line.startsWith("RCPT") ? "550 5.1.1 " + "no ".repeat(100) : null);
        String[] all = new String[100];
        Arrays.setAll(all, i -> "user" + i + "@example.org");

        ActionResult.Failed<Sent> failed = failed(Emails.to(all));

        assertEquals(100, failed.details().get("refusedCount"));
        assertTrue(failed.details().get("refused") instanceof List<?> told && told.size() == 10, failed::toString);
        assertTrue(failed.details().toString().length() < 2_000, failed::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"250-peer.example\r\n250 SIZE 1000000", "250-peer.example\r\n250 AUTH XOAUTH2 CRAM-MD5"})
    void whoIsToLogInSendsNothingAsNobody(String offer) throws Exception {
        SmtpPeer _ = peer.answering(line -> line.startsWith("EHLO") ? offer : null);

        ActionResult.Failed<Sent> failed = failed(Emails.plain());

        assertEquals("EMAIL_LOGIN_REFUSED POLICY_DENIED", failed.code() + " " + failed.kind(), failed::toString);
        assertTrue(failed.message().contains("PLAIN or LOGIN"), failed::message);
        assertTrue(
                peer.lines().stream().noneMatch(line -> line.startsWith("MAIL")),
                () -> peer.lines().toString());

        assertTrue(Emails.sent(Emails.send(Emails.plain(), Emails.context(peer.port(), Optional.empty())))
                .isNew());
    }

    @Test
    void aServerThatBreaksTheLoginOffHasRefusedIt() throws Exception {
        SmtpPeer _ = peer.answering(line -> line.startsWith("AUTH") ? "334 what" : null);

        ActionResult.Failed<Sent> failed = failed(Emails.plain());

        assertEquals("EMAIL_LOGIN_REFUSED POLICY_DENIED", failed.code() + " " + failed.kind(), failed::toString);
    }

    /** One whose link couldn't be kept would be sent again and again. */
    @ParameterizedTest
    @ValueSource(strings = {"\ud83c\udf89", "x\n"})
    void aReferenceThatNoLinkHasSendsNothing(String part) throws Exception {
        SmtpPeer _ = peer.answering(_ -> null);
        Email email = Emails.with(Emails.plain(), Map.of(), Optional.of(part.repeat(150)), WhenUnsure.REPEAT);

        assertEquals("/reference", new SendEmail().check(email).getFirst().path());
        assertThrows(
                IllegalArgumentException.class,
                () -> new SendEmail()
                        .run(
                                Emails.with(email, Map.of(), Optional.of(part.repeat(150)), WhenUnsure.REPEAT),
                                context()));
        assertEquals(0, peer.taken());
        assertTrue(new SendEmail()
                .check(Emails.with(email, Map.of(), Optional.of("\ud83c\udf89".repeat(100)), WhenUnsure.REPEAT))
                .isEmpty());
    }

    @Test
    void oneRecipientWhoIsRefusedKeepsTheMessageFromAll() throws Exception {
        SmtpPeer _ = peer.answering(
                line -> line.contains("bob@") ? "550 5.1.1 no bob" : line.contains("cy@") ? "450 4.2.0 later" : null);

        ActionResult.Failed<Sent> failed = failed(Emails.to("ann@example.org", "bob@example.org", "cy@example.org"));

        assertEquals("EMAIL_RECIPIENTS_REFUSED PERMANENT", failed.code() + " " + failed.kind());
        assertTrue(failed.message().contains("bob@example.org, 550 5.1.1 no bob"), failed::message);
        assertEquals(
                List.of(
                        Map.of("address", "bob@example.org", "status", 550, "reply", "550 5.1.1 no bob"),
                        Map.of("address", "cy@example.org", "status", 450, "reply", "450 4.2.0 later")),
                failed.details().get("refused"));
        assertEquals(0, peer.taken(), "nobody is sent what isn't sent to all");

        SmtpPeer _ = peer.answering(_ -> null);
        Sent again =
                Emails.sent(Emails.send(Emails.to("ann@example.org"), context().attempt(2)));
        assertEquals(List.of("ann@example.org"), again.recipients());
        assertEquals(1, peer.taken());
    }

    @Test
    void anAttemptThatIsMadeAgainHasTheSameMessageId() throws Exception {
        SmtpPeer _ = peer.answering(line -> line.equals(".") ? SmtpPeer.CUT : null);
        assertEquals("EMAIL_UNSURE", failed(Emails.plain()).code());
        String first = SmtpPeer.read(peer.next()).getMessageID();

        SmtpPeer _ = peer.answering(_ -> null);
        Sent sent = Emails.sent(Emails.send(Emails.plain(), context().attempt(2)));

        assertEquals(first, SmtpPeer.read(peer.next()).getMessageID());
        assertEquals(first, "<" + sent.messageId() + ">");
    }

    @Test
    void whoRatherSendsNeverThanTwiceSaysSo() throws Exception {
        SmtpPeer _ = peer.answering(line -> line.equals(".") ? SmtpPeer.CUT : null);

        ActionResult.Failed<Sent> failed =
                failed(Emails.with(Emails.plain(), Map.of(), Optional.empty(), WhenUnsure.FAIL));

        assertEquals("EMAIL_UNSURE PERMANENT", failed.code() + " " + failed.kind());

        SmtpPeer _ = peer.answering(line -> line.equals("DATA") ? SmtpPeer.CUT : null);
        assertEquals(
                FailureKind.RETRIABLE,
                failed(Emails.with(Emails.plain(), Map.of(), Optional.empty(), WhenUnsure.FAIL))
                        .kind(),
                "before it has all of it nothing is unsure");
    }

    @Test
    void aFarewellThatGoesWrongChangesNothing() throws Exception {
        SmtpPeer _ = peer.answering(line -> line.equals("QUIT") ? SmtpPeer.CUT : null);

        assertTrue(Emails.sent(Emails.send(Emails.plain(), context())).isNew());
    }

    @Test
    void nobodyListensOrAnswers() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        ActionResult.Failed<Sent> refused =
                Emails.failed(Emails.send(Emails.plain(), Emails.context(free, Optional.empty())));
        assertEquals("EMAIL_UNREACHABLE RETRIABLE", refused.code() + " " + refused.kind());

        SmtpPeer _ = peer.answering(line -> line.startsWith("MAIL") ? SmtpPeer.SILENT : null);
        TestContext impatient = new TestContext("email")
                .config(Emails.config(peer.port()).put("security", "none").put("replyTimeoutSeconds", 1));
        ActionResult.Failed<Sent> silent = Emails.failed(Emails.send(Emails.plain(), impatient));
        assertEquals("EMAIL_UNREACHABLE RETRIABLE", silent.code() + " " + silent.kind());
    }

    @Test
    void nobodyWaitsForItAnyMore() throws Exception {
        SmtpPeer _ = peer.answering(line -> line.startsWith("MAIL") ? SmtpPeer.SILENT : null);
        Thread[] running = new Thread[1];
        String[] ended = new String[1];
        running[0] = Thread.ofVirtual().start(() -> {
            try {
                ended[0] = String.valueOf(Emails.send(Emails.plain(), context()));
            } catch (InterruptedException e) {
                ended[0] = "interrupted";
            } catch (Exception e) {
                ended[0] = e.toString();
            }
        });
        long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (peer.lines().stream().noneMatch(line -> line.startsWith("MAIL")) && System.nanoTime() < patience) {
            Thread.onSpinWait();
        }
        running[0].interrupt();

        assertTrue(running[0].join(Duration.ofSeconds(30)));
        assertEquals("interrupted", ended[0]);
    }
}
