package dev.flowstone.sdk.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client with certificates and a proxy of its own. */
final class OwnConnectionsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String LIVE = "{\"status\": \"live\"}";

    @TempDir
    private Path folder = Path.of("");

    /** Of a server that shows its certificate, and of a client that trusts it. */
    private SSLContext context() throws Exception {
        Path file = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
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
            store.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static HttpsServer server(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> PaperApi.answer(exchange, 200, LIVE));
        server.start();
        return server;
    }

    private static FlowstoneClient.Builder client(String host, HttpsServer server) {
        return FlowstoneClient.of(
                        URI.create("https://" + host + ":" + server.getAddress().getPort()))
                .attemptTimeout(Duration.ofSeconds(30));
    }

    @Test
    void itTrustsWhomItsContextTrustsAndNobodyElse() throws Exception {
        SSLContext context = context();
        HttpsServer server = server(context);
        try (FlowstoneClient trusting =
                        client("localhost", server).sslContext(context).build();
                FlowstoneClient usual = client("localhost", server).build();
                FlowstoneClient elsewhere =
                        client("127.0.0.1", server).sslContext(context).build()) {
            assertTrue(trusting.health().isLive());
            for (FlowstoneClient each : new FlowstoneClient[] {usual, elsewhere}) {
                RouteCall live = RouteCall.of("GET", "/health/live");
                assertEquals(
                        "NOT_TRUSTED",
                        assertThrows(UnreachableException.class, () -> each.call(live))
                                .code());
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    void itGoesByWayOfItsProxy() throws Exception {
        try (PaperApi proxy = new PaperApi();
                FlowstoneClient client = FlowstoneClient.of(URI.create("http://flowstone.invalid:8080"))
                        .proxy(ProxySelector.of(new InetSocketAddress(
                                InetAddress.getLoopbackAddress(),
                                proxy.address().getPort())))
                        .build()) {
            PaperApi _ = proxy.says(200, LIVE);

            assertTrue(client.health().isLive());
            assertTrue(
                    proxy.asked().getFirst().path().startsWith("http://flowstone.invalid:8080/"),
                    () -> proxy.asked().toString());
        }
    }
}
