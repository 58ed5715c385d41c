package dev.flowstone.mail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.Credential;
import dev.flowstone.action.TestContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Nothing is said in the clear that was to be protected, and to nobody else than the server that is configured. */
final class SmtpTlsTest {
    private static final char[] STORE_PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext tls;

    @SuppressWarnings("NullAway.Init")
    private static Path authority;

    @BeforeAll
    static void makeACertificate() throws Exception {
        Path file = folder.resolve("peer.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "peer",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertTrue(keytool.waitFor(60, TimeUnit.SECONDS) && keytool.exitValue() == 0);
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, STORE_PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, STORE_PASSWORD);
        tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        authority = Files.writeString(
                folder.resolve("authority.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(store.getCertificate("peer").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
    }

    private static ObjectNode config(SmtpPeer peer, String security) {
        return Emails.config(peer.port())
                .put("host", "localhost")
                .put("security", security)
                .put("user", "house")
                .put("certificates", authority.toString());
    }

    private static ActionResult<Sent> send(ObjectNode config) throws Exception {
        return Emails.send(
                Emails.plain(), new TestContext("email").config(config).credential(new Credential(Emails.PASSWORD)));
    }

    @Test
    void theLoginAndTheMessageGoOverTls() throws Exception {
        try (SmtpPeer starting = SmtpPeer.withStartTls(tls);
                SmtpPeer whole = SmtpPeer.overTls(tls)) {
            assertTrue(Emails.sent(send(config(starting, "starttls"))).isNew());
            assertEquals("STARTTLS", starting.lines().get(1));
            assertTrue(
                    starting.lines().get(2).startsWith("EHLO"),
                    () -> starting.lines().toString());
            assertEquals(1, starting.taken());

            assertTrue(Emails.sent(send(config(whole, "tls"))).isNew());
            assertEquals(1, whole.taken());
        }
    }

    @Test
    void aServerWithoutStartTlsIsToldNothing() throws Exception {
        try (SmtpPeer peer = SmtpPeer.plain()) {
            ActionResult.Failed<Sent> failed = Emails.failed(send(config(peer, "starttls")));

            assertEquals("EMAIL_TLS PERMANENT", failed.code() + " " + failed.kind(), failed::toString);
            assertTrue(
                    peer.lines().stream().noneMatch(line -> line.startsWith("AUTH") || line.startsWith("MAIL")),
                    () -> peer.lines().toString());
        }
    }

    /** Of the words alone it couldn't be told from one that wants TLS. */
    @Test
    void aLoginThatIsWantedOverTlsIsALogin() throws Exception {
        try (SmtpPeer peer = SmtpPeer.withStartTls(tls)) {
            SmtpPeer _ = peer.answering(line ->
                    line.startsWith("MAIL") ? "530 5.7.1 Authentication required, use SSL/TLS on port 465" : null);
            ActionResult.Failed<Sent> failed = Emails.failed(send(config(peer, "starttls")));

            assertEquals("EMAIL_LOGIN_REFUSED POLICY_DENIED", failed.code() + " " + failed.kind(), failed::toString);
        }
    }

    @Test
    void aServerThatCannotStartTlsNowIsTriedAgain() throws Exception {
        try (SmtpPeer peer = SmtpPeer.withStartTls(tls)) {
            SmtpPeer _ = peer.answering(line -> line.equals("STARTTLS") ? "454 4.7.0 not now" : null);
            ActionResult.Failed<Sent> failed = Emails.failed(send(config(peer, "starttls")));

            assertEquals("EMAIL_DEFERRED RETRIABLE", failed.code() + " " + failed.kind(), failed::toString);
        }
    }

    @Test
    void aCertificateThatNobodyTrustsOrThatIsAnothersEndsIt() throws Exception {
        try (SmtpPeer peer = SmtpPeer.overTls(tls)) {
            ObjectNode trustingTheJdk = config(peer, "tls");
            Object _ = trustingTheJdk.remove("certificates");
            SmtpPeer _ = peer.answering(_ -> null);
            ActionResult.Failed<Sent> untrusted = Emails.failed(send(trustingTheJdk));
            assertEquals("EMAIL_TLS PERMANENT", untrusted.code() + " " + untrusted.kind(), untrusted::toString);

            ActionResult.Failed<Sent> another =
                    Emails.failed(send(config(peer, "tls").put("host", "127.0.0.1")));
            assertEquals("EMAIL_TLS PERMANENT", another.code() + " " + another.kind(), another::toString);
            assertEquals(2, peer.connections(), "who isn't trusted is asked once, by the configured certificates");
            assertEquals(0, peer.taken());
            assertFalse(
                    peer.lines().toString().contains("AUTH"), () -> peer.lines().toString());
        }
    }

    @Test
    void whoSpeaksNoTlsThatIsUnderstoodIsNotAskedAgain() throws Exception {
        try (SmtpPeer clear = SmtpPeer.plain()) {
            ActionResult.Failed<Sent> failed = Emails.failed(send(config(clear, "tls")));

            assertEquals("EMAIL_TLS PERMANENT", failed.code() + " " + failed.kind(), failed::toString);
            assertEquals(0, clear.taken());
        }
    }

    @Test
    void aConnectionThatBreaksWhileTheTwoAgreeIsTriedAgain() throws Exception {
        try (ServerSocket hangingUp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread peer = Thread.ofVirtual().start(() -> {
                try (Socket client = hangingUp.accept()) {
                    int _ = client.getInputStream().read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            ObjectNode config = Emails.config(hangingUp.getLocalPort())
                    .put("host", "localhost")
                    .put("security", "tls");
            ActionResult.Failed<Sent> failed = Emails.failed(send(config));

            assertEquals("EMAIL_UNREACHABLE RETRIABLE", failed.code() + " " + failed.kind(), failed::toString);
            assertTrue(peer.join(Duration.ofSeconds(30)));
        }
    }

    @Test
    void certificatesThatCannotBeReadAreTold() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        Path broken = Files.writeString(folder.resolve("broken.pem"), "-----BEGIN CERTIFICATE-----\nnone\n");
        try (SmtpPeer peer = SmtpPeer.overTls(tls)) {
            for (Path each : List.of(folder.resolve("none.pem"), empty, broken)) {
                ActionFailure told = assertThrows(
                        ActionFailure.class, () -> send(config(peer, "tls").put("certificates", each.toString())));
                assertEquals("EMAIL_TLS", told.result().code());
                assertTrue(told.result().message().contains(each.toString()), told::toString);
            }
        }
    }
}
