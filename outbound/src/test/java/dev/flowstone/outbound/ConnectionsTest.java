package dev.flowstone.outbound;

import static dev.flowstone.outbound.Clients.CONFIG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that are kept, and for how long. */
@Timeout(60)
final class ConnectionsTest {
    @Test
    void aConnectionThatNobodyUsesIsClosed() throws Exception {
        TimeValue idle = TimeValue.ofMilliseconds(100);
        try (RawPeer peer = new RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK", "");
                CloseableHttpClient http = Connections.open(CONFIG, OutboundClient.systemTls(), idle)) {
            Target target = assertInstanceOf(TargetReader.Read.class, TargetReader.read(peer.url()))
                    .target();

            Outcome outcome = new Exchange(http, CONFIG, () -> Clients.NOW)
                    .send(
                            OutboundRequest.get(peer.url()),
                            target,
                            List.of(InetAddress.ofLiteral("127.0.0.1")),
                            0,
                            new Call(Deadline.in(Duration.ofSeconds(20))));

            assertEquals(200, Clients.answer(outcome).status());
            assertTrue(peer.hungUp.await(30, TimeUnit.SECONDS), "by nobody but the pool");
        }
    }
}
