package dev.flowstone.outbound;

import static dev.flowstone.outbound.Clients.CONFIG;
import static dev.flowstone.outbound.Clients.LOOPBACK;
import static dev.flowstone.outbound.Clients.answer;
import static dev.flowstone.outbound.Clients.failure;
import static dev.flowstone.outbound.Clients.refused;
import static dev.flowstone.outbound.Clients.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connection goes to the address that was checked, and the certificate is that of the name. */
final class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext tls;

    @BeforeAll
    static void makeACertificate() throws Exception {
        Path store = folder.resolve("peer.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-genkeypair",
                        "-alias",
                        "peer",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "30",
                        "-dname",
                        "CN=peer.example",
                        "-ext",
                        "SAN=dns:peer.example",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0, TlsTest::log);
        tls = context(store);
    }

    private static String log() {
        try {
            return Files.readString(folder.resolve("keytool.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Both sides of it: the peer shows the certificate, and the client trusts it. */
    private static SSLContext context(Path store) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        shown.init(keys, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("peer", keys.getCertificate("peer"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static OutboundClient trusting() {
        Names names = new Names().with("peer.example", "127.0.0.1").with("other.example", "127.0.0.1");
        return new OutboundClient(CONFIG.withPolicy(LOOPBACK), tls, names, () -> Clients.NOW);
    }

    @Test
    void aTrustedCertificateOfThatNameIsTaken() throws Exception {
        try (Peer peer = Peer.secure(tls, got -> Peer.Reply.ok("secure"));
                OutboundClient client = trusting()) {
            assertEquals("secure", text(answer(client.send(OutboundRequest.get(peer.url("peer.example", "/"))))));
        }
    }

    @Test
    void aCertificateOfAnotherNameIsNot() throws Exception {
        try (Peer peer = Peer.secure(tls, got -> Peer.Reply.ok("secure"));
                OutboundClient client = trusting()) {
            Outcome.Failure failure = failure(client.send(OutboundRequest.get(peer.url("other.example", "/"))));

            assertEquals("OUTBOUND_TLS", failure.code(), failure::message);
            assertTrue(failure.unsent());
            assertTrue(peer.got.isEmpty());
        }
    }

    @Test
    void aCertificateThatNobodyVouchesForIsNot() throws Exception {
        Names names = new Names().with("peer.example", "127.0.0.1");
        try (Peer peer = Peer.secure(tls, got -> Peer.Reply.ok("secure"));
                OutboundClient client = Clients.client(CONFIG, names)) {
            Outcome.Failure failure = failure(client.send(OutboundRequest.get(peer.url("peer.example", "/"))));

            assertEquals("OUTBOUND_TLS", failure.code(), failure::message);
            assertTrue(peer.got.isEmpty());
        }
    }

    @Test
    void aRedirectFromHttpsToHttpIsRefused() throws Exception {
        try (Peer plain = Peer.plain(got -> Peer.Reply.ok("in the clear"));
                Peer secure = Peer.secure(tls, got -> Peer.Reply.redirect(302, plain.url("peer.example", "/")));
                OutboundClient client = trusting()) {
            Outcome outcome = client.send(OutboundRequest.get(secure.url("peer.example", "/")));

            assertEquals(Refusal.DOWNGRADE, refused(outcome).refusal());
            assertTrue(plain.got.isEmpty());
        }
    }
}
