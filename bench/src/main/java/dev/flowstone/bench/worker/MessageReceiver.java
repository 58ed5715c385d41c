package dev.flowstone.bench.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The other side of webhooks: it recomputes their signatures as Standard Webhooks says, turns some of them away for a while, and has
 * written down on disk what came before it answers. Each line of its ledger is {@code millis id name genuine|forged taken|refused}.
 */
final class MessageReceiver implements AutoCloseable {
    /** Of so many deliveries one is told to come again. */
    private static final int REFUSES_ONE_IN = 10;

    private static final int TAKEN = 204;
    private static final int AGAIN = 503;
    private static final String SECRET_PREFIX = "whsec_";
    private static final String VERSION = "v1,";

    private final HttpServer server;
    private final FileOutputStream ledger;
    private final byte[] secret;
    private final JsonMapper json = JsonMapper.shared();

    private MessageReceiver(HttpServer server, FileOutputStream ledger, byte[] secret) {
        this.server = requireNonNull(server);
        this.ledger = requireNonNull(ledger);
        this.secret = secret.clone();
    }

    /** Listens on that port of the loopback interface, and goes on with a ledger that is there. */
    static MessageReceiver start(Path file, int port, String secret) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        MessageReceiver receiver = new MessageReceiver(
                server,
                new FileOutputStream(file.toFile(), true),
                Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length())));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", receiver::receive);
        server.start();
        return receiver;
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Headers headers = exchange.getRequestHeaders();
            boolean takes = ThreadLocalRandom.current().nextInt(REFUSES_ONE_IN) > 0;
            write(word(headers, "webhook-id") + " " + name(body) + " "
                    + (isGenuine(headers, body) ? "genuine" : "forged") + " " + (takes ? "taken" : "refused"));
            exchange.sendResponseHeaders(takes ? TAKEN : AGAIN, -1);
        }
    }

    private synchronized void write(String what) throws IOException {
        ledger.write((System.currentTimeMillis() + " " + what + "\n").getBytes(UTF_8));
        ledger.getFD().sync();
    }

    /** One word for the ledger, whatever it is. */
    private static String word(Headers headers, String header) {
        String value = headers.getFirst(header);
        return value == null || value.isBlank() ? "-" : value.replaceAll("\\s", "_");
    }

    private String name(byte[] body) {
        try {
            String name = json.readTree(body).path("data").path("name").asString("");
            return name.isBlank() ? "-" : name.replaceAll("\\s", "_");
        } catch (JacksonException e) {
            return "-";
        }
    }

    private boolean isGenuine(Headers headers, byte[] body) {
        List<String> signatures = headers.getOrDefault("webhook-signature", List.of());
        String head = headers.getFirst("webhook-id") + "." + headers.getFirst("webhook-timestamp") + ".";
        byte[] expected = hmac(head.getBytes(UTF_8), body);
        return signatures.size() == 1
                && Arrays.stream(signatures.getFirst().split(" ", -1))
                        .filter(one -> one.startsWith(VERSION))
                        .anyMatch(one -> MessageDigest.isEqual(
                                one.substring(VERSION.length()).getBytes(UTF_8),
                                Base64.getEncoder().encode(expected)));
    }

    private byte[] hmac(byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(head);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA256", e);
        }
    }

    @Override
    public void close() throws IOException {
        server.stop(1);
        ledger.close();
    }
}
