package dev.flowstone.sdk.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.sdk.client.ServerSentEvents.Sent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ServerSentEventsTest {
    private static final List<Sent> SENT =
            List.of(new Sent("message", "ä\nb"), new Sent("end", "{}"), new Sent("message", " two"));
    private static final String TEXT =
            ": hello\r\n\r\ndata: ä\rdata:b\r\r\n\nid: 4\r\nevent: end\r\ndata: {}\r\n\r\ndata:  two\n\n";

    private static List<Sent> read(int most, byte[]... parts) throws Exception {
        Iterator<byte[]> all = List.of(parts).iterator();
        ServerSentEvents events = new ServerSentEvents(
                _ -> all.hasNext() ? Optional.of(all.next()) : Optional.empty(), Duration.ofMinutes(5), most);
        List<Sent> sent = new ArrayList<>();
        for (Optional<Sent> one = events.next(); one.isPresent(); one = events.next()) {
            sent.add(one.get());
        }
        return sent;
    }

    @Test
    void areTheSameWhereverTheBytesAreCut() throws Exception {
        byte[] whole = TEXT.getBytes(UTF_8);
        assertEquals(SENT, read(1_000, whole));
        for (int cut = 1; cut < whole.length; cut++) {
            assertEquals(
                    SENT,
                    read(1_000, Arrays.copyOf(whole, cut), Arrays.copyOfRange(whole, cut, whole.length)),
                    "cut at " + cut);
        }
    }

    @Test
    void oneThatIsCutShortIsNone() throws Exception {
        assertEquals(List.of(), read(1_000, "data: whole but for its end\n".getBytes(UTF_8)));
    }

    @Test
    void anEmptyLineEndsANameWithoutData() throws Exception {
        assertEquals(List.of(new Sent("message", "x")), read(1_000, "event: end\n\ndata: x\n\n".getBytes(UTF_8)));
    }

    @Test
    void neitherALineNorAnEventIsLongerThanIsTaken() {
        assertThrows(IOException.class, () -> read(10, "data: 12345678901".getBytes(UTF_8)));
        assertThrows(IOException.class, () -> read(10, "data:1234\ndata:1234\ndata:1234\n\n".getBytes(UTF_8)));
    }
}
