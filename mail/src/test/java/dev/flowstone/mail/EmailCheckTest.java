package dev.flowstone.mail;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.action.ParameterFault;
import dev.flowstone.mail.Email.Attachment;
import dev.flowstone.mail.Email.WhenUnsure;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anything is sent, with its place. */
final class EmailCheckTest {
    private static final String INJECTED = "x\r\nBcc: eve@evil.example";

    /** Their pointers, in order. */
    private static List<String> faults(Email email) {
        return EmailCheck.of(email).stream().map(ParameterFault::path).collect(toCollection(TreeSet::new)).stream()
                .toList();
    }

    private static Email headers(Map<String, String> headers) {
        return Emails.with(Emails.plain(), headers, Optional.empty(), WhenUnsure.REPEAT);
    }

    private static Email files(Attachment... files) {
        return Emails.saying("Hello", Optional.of("text"), Optional.empty(), files);
    }

    @Test
    void aLineBreakIsRefusedInWhateverStandsInAHeader() {
        assertEquals(
                List.of("/bcc/0", "/cc/1", "/replyTo/0", "/to/0"),
                faults(Emails.copied(
                        Emails.to("Ann\r\nBcc: eve@evil.example <ann@example.org>"),
                        List.of("bob@example.org", "bob@example.org\nX: y"),
                        List.of("\"a\rb\"@example.org"),
                        List.of("ann@example.org\r\n"))));
        for (String breaking :
                List.of(INJECTED, "a\nb", "a\rb", "a\u0000b", "a\u0085b", "a\u2028b", "a\u001bb", "a\ud800b")) {
            assertEquals(List.of("/subject"), faults(Emails.saying(breaking, Optional.of("text"), Optional.empty())));
            assertEquals(List.of("/headers/X-Order"), faults(headers(Map.of("X-Order", breaking))));
            assertEquals(List.of("/attachments/0/name"), faults(files(Emails.file(breaking, "text/csv", "YQ=="))));
            assertEquals(
                    List.of("/attachments/0/contentType"),
                    faults(files(Emails.file("a.csv", "text/csv; name=\"" + breaking + "\"", "YQ=="))));
        }
        assertEquals(List.of("/headers"), faults(headers(Map.of(INJECTED, "y"))));
        assertFalse(EmailCheck.of(headers(Map.of(INJECTED, "y"))).toString().contains("evil"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ann",
                "@example.org",
                "ann@",
                "ann@example..org",
                "ann@-example.org",
                "a..b@example.org",
                ".a@example.org",
                "ann@example.org, bob@example.org",
                "ann@example.org; bob@example.org",
                "ann@bob@example.org",
                "group: ann@example.org;",
                "<ann@example.org",
                "ann example.org",
                "ann@[127.0.0.1]",
                "änn@example.org",
                "\"ann lee\"@example.org",
                "<@relay.example:ann@example.org>",
                "ann@exa_mple.org",
            })
    void whatIsNoAddressIsRefused(String address) {
        assertEquals(List.of("/to/0"), faults(Emails.to(address)), address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann@example.org",
                "Ann Lee <ann@example.org>",
                "\"Lee, Ann\" <ann.lee+order-7@mail.example.org>",
                "Ünal Öz <u@example.org>",
                "root@localhost",
                "ann@bücher.example",
                "o'neil@example.org",
            })
    void whatIsAnAddressIsTaken(String address) {
        assertEquals(List.of(), faults(Emails.to(address)), address);
    }

    @Test
    void headersThatSayWhatAMessageIsAreNotForWorkflows() {
        for (String name : List.of(
                "From",
                "bcc",
                "SUBJECT",
                "Message-ID",
                "Content-Type",
                "content-foo",
                "X-Acting-User-Id",
                "X-Correlation-Id",
                "Resent-To",
                "DKIM-Signature",
                "Return-Path")) {
            assertEquals(List.of("/headers/" + name), faults(headers(Map.of(name, "x"))), name);
        }
        for (String name : List.of("", "a b", "a:b", "ä", "a/b", "-a", "a".repeat(77))) {
            assertEquals(List.of("/headers"), faults(headers(Map.of(name, "x"))), name);
        }
        assertEquals(List.of("/headers/X-A"), faults(headers(Map.of("X-A", "x".repeat(901)))));
        assertEquals(1, faults(headers(Map.of("X-A", "x", "x-a", "y"))).size(), "one of them would be lost");
        assertEquals(
                List.of(), faults(headers(Map.of("X-Order", "ünd so weiter", "List-Unsubscribe", "<mailto:u@x.org>"))));
    }

    @Test
    void attachmentsAreFiles() {
        assertEquals(
                List.of(
                        "/attachments/0",
                        "/attachments/1",
                        "/attachments/2/base64",
                        "/attachments/3/name",
                        "/attachments/4/name",
                        "/attachments/5/contentType",
                        "/attachments/6/contentType",
                        "/attachments/7/name"),
                faults(files(
                        new Attachment("0", Optional.empty(), Optional.empty(), Optional.empty()),
                        new Attachment("1", Optional.empty(), Optional.of("YQ=="), Optional.of("a")),
                        Emails.file("2", "text/csv", "no base64"),
                        Emails.file("../3", "text/csv", "YQ=="),
                        Emails.file(" ", "text/csv", "YQ=="),
                        Emails.file("5", "csv", "YQ=="),
                        Emails.file("6", "multipart/mixed; boundary=x", "YQ=="),
                        Emails.file("2", "text/csv", "YQ=="))));
    }

    @Test
    void thereIsABoundOnEverything() {
        String[] many = Collections.nCopies(101, "ann@example.org").toArray(String[]::new);
        assertEquals(List.of(""), faults(Emails.to(many)));
        assertEquals(
                List.of(),
                faults(Emails.to(Collections.nCopies(100, "a@example.org").toArray(String[]::new))));
        assertEquals(List.of("/to/0"), faults(Emails.to("a@" + "b.".repeat(100) + "org")));
        assertEquals(
                List.of("/subject"), faults(Emails.saying("x".repeat(501), Optional.of("text"), Optional.empty())));
        assertEquals(
                List.of(""), faults(Emails.saying("x", Optional.of("x".repeat((10 << 20) + 1)), Optional.empty())));
        assertEquals(
                List.of("/attachments"),
                faults(files(Collections.nCopies(21, Emails.file("a", "text/csv", "YQ=="))
                        .toArray(Attachment[]::new))));
        assertEquals(List.of(""), faults(Emails.saying("nothing", Optional.empty(), Optional.empty())));
        assertEquals(List.of("/html", "/text"), faults(Emails.saying("x", Optional.of("a\0b"), Optional.of("a\0b"))));
        assertTrue(faults(headers(Collections.emptyMap())).isEmpty());
    }
}
