import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Takes events that Flowstone sends to a webhook: checks the signature, drops what it has seen, prints the rest. Started as
 * docs/events-out.md says: {@code java Receiver.java SECRET [PORT]}. A real one keeps the ids where it keeps what it makes of the events.
 */
public final class Receiver {
    private static final Duration OLDEST = Duration.ofMinutes(5);

    private final byte[] secret;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private Receiver(String secret) {
        this.secret = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    }

    public static void main(String... arguments) throws IOException {
        int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9090;
        Receiver receiver = new Receiver(arguments[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", receiver::take);
        server.start();
    }

    private void take(HttpExchange call) throws IOException {
        try (call) {
            byte[] body = call.getRequestBody().readAllBytes();
            call.sendResponseHeaders(status(call, body), -1);
        }
    }

    /** 2xx only when it is done: what isn't acknowledged comes again. */
    private int status(HttpExchange call, byte[] body) {
        String id = header(call, "webhook-id");
        if (!isGenuine(id, header(call, "webhook-timestamp"), body, header(call, "webhook-signature"))) {
            return 401;
        }
        if (seen.add(id)) {
            System.out.println(new String(body, StandardCharsets.UTF_8));
        }
        return 204;
    }

    private static String header(HttpExchange call, String name) {
        String value = call.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    /** As Standard Webhooks says: one of the signatures is ours, and young. */
    private boolean isGenuine(String id, String timestamp, byte[] body, String signatures) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            byte[] ours = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
            Instant sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
            boolean young = Duration.between(sent, Instant.now()).abs().compareTo(OLDEST) < 0;
            boolean found = false;
            for (String one : signatures.split(" ")) {
                found |= MessageDigest.isEqual(ours, one.getBytes(StandardCharsets.UTF_8));
            }
            return young && found;
        } catch (GeneralSecurityException | NumberFormatException e) {
            return false;
        }
    }
}
