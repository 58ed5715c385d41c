package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.effect.Receiver;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of three nodes one is asked that doesn't have the run: what operators and workers want is done where it is. */
final class CompanyControlTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String RESTING = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "resting", "name": "R", "start": "rest",
             "states": {"rest": {"timer": {"after": "P30D"}, "next": "done"}, "done": {"end": {}}}}""";
    private static final String TELLS = """
            {"id": "tells", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.webhook",
               "parameters": {"endpoint": "shop", "type": "paid", "data": {"n": 1}}}]}""";

    @TempDir
    static Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static Receiver receiver;

    @SuppressWarnings("NullAway.Init")
    private static Company company;

    private static int door;

    @BeforeAll
    static void open() throws Exception {
        receiver = new Receiver();
        company = new Company(folder);
        Map<String, String> settings = Map.of(
                "worker.actions",
                "company.slow",
                "webhook.shop.url",
                receiver.url(),
                "webhook.shop.secret",
                WebhookSecret.generate().text());
        for (String name : List.of("one", "two", "three")) {
            door = company.join(name, settings);
        }
        company.untilEachHasItsPart();
        company.any(0).publish(RESTING);
        company.any(0).publish(TELLS);
    }

    @AfterAll
    static void close() {
        company.close();
        receiver.close();
    }

    /** One that rests, as soon as its timer stands in the database. */
    private static RunId resting(int number) throws Exception {
        RunId run = company.any(number).start("resting", "{}");
        Company.until("it rests", () -> timers(run, "SELECT count(*)") == 1);
        return run;
    }

    private static int timers(RunId run, String verb) throws Exception {
        try (Connection superuser = company.superuser();
                Statement statement = superuser.createStatement()) {
            String sql = verb + " FROM flowstone.timers WHERE run_id = '" + run + "'";
            if (!verb.startsWith("SELECT")) {
                return statement.executeUpdate(sql);
            }
            try (var row = statement.executeQuery(sql)) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static House.Answer act(RunId run, String act) throws Exception {
        House stranger = company.stranger(run);
        return stranger.post(
                "/executions/" + run + "/" + act, "{\"reason\": \"for a test\"}", "Flowstone-Principal", "user:ann");
    }

    @Test
    void aRunIsRebuilt() throws Exception {
        for (int i = 0; i < 3; i++) {
            RunId run = resting(i);
            assertEquals(1, timers(run, "DELETE"));

            House.Answer mended = act(run, "rebuild").expect(200);

            assertEquals(JsonNumber.of(1), mended.object().get("mended"), mended::text);
            assertTrue(mended.text().contains("timer rest#1"), mended::text);
            assertEquals(1, timers(run, "SELECT count(*)"));
        }
    }

    @Test
    void aRunIsTakenUpAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            RunId run = resting(i);

            House.Answer taken = act(run, "reenqueue").expect(200);

            assertEquals(JsonNumber.of(0), taken.object().get("attemptsHandedOut"), taken::text);
        }
    }

    @Test
    void aRunIsFailed() throws Exception {
        for (int i = 0; i < 3; i++) {
            RunId run = resting(i);

            assertTrue(act(run, "force-fail").expect(200).text().contains("RunFailing"));

            for (House house : company.houses()) {
                House.Answer told =
                        house.get("/executions/" + run + "?include=events").expect(200);
                assertEquals("Failed", told.text("status"));
                assertTrue(told.text().contains("user:ann") && told.text().contains("for a test"), told::text);
            }
            assertEquals("WFENG002", act(run, "force-fail").expect(409).text("code"));
        }
    }

    @Test
    void aDeadLetterIsPutBackAndItsNodeDeliversIt() throws Exception {
        receiver.answering(_ -> 410);
        for (int i = 0; i < 3; i++) {
            RunId run = company.any(i).start("tells", "{}");
            String key = receiver.next().header("webhook-id");
            assertTrue(key.startsWith(run.toString()), key);
            House stranger = company.stranger(run);
            Company.until("it is dead", () -> state(stranger, key).equals("dead"));

            receiver.answering(_ -> 204);
            stranger.post("/outbox/" + key + "/requeue", "{\"reason\": \"it is up\"}")
                    .expect(200);

            assertEquals(key, receiver.next().header("webhook-id"));
            Company.until("it has left", () -> state(stranger, key).equals("gone"));
            receiver.answering(_ -> 410);
        }
    }

    private static String state(House house, String message) throws Exception {
        return house.get("/outbox/" + message).expect(200).text("state");
    }

    /** cases.md 24, each worker at another node than most of its tasks. */
    @Test
    void ofASlowWorkerAndItsRescuerOneCountsAndTheOtherIsTold() throws Exception {
        company.any(0).publish(RemoteWorkerTest.single("slow", "company.slow", "{\"n\": 1}", 3));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 18; i++) {
            runs.add(company.any(i).start("slow", "{\"requestId\": \"slow-" + i + "\"}"));
        }

        new SlowWorkers("company.slow", company.any(0), company.any(1)).play(runs);
    }

    private static int knock(NodeCertificates shown) throws Exception {
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(showing(shown))
                .connectTimeout(Duration.ofSeconds(10))
                .build()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + door + "/api/v1/workflows"))
                                    .build(),
                            BodyHandlers.ofString())
                    .statusCode();
        }
    }

    /** Of the same form, and trusting ours: but another authority has signed it. */
    @Test
    void aCertificateOfAnotherAuthorityOpensNoPortOfNodes() throws Exception {
        NodeCertificates foreign = NodeCertificates.in(folder.resolve("foreign"));

        assertThrows(IOException.class, () -> knock(foreign));
        assertTrue(knock(company.certificates()) > 0, "ours does");
    }

    private static SSLContext showing(NodeCertificates shown) throws Exception {
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(shown.key().resolveSibling("keys.p12"))) {
            made.load(in, PASSWORD);
        }
        Key key = made.getKey("node", PASSWORD);
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry("node", key, PASSWORD, new Certificate[] {read(shown.certificate()), read(shown.authority())});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", read(company.certificates().authority()));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static Certificate read(Path pem) throws Exception {
        try (InputStream in = Files.newInputStream(pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
