package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who stands where another one stood just now doesn't ask the database again. */
final class SharedFeedTest {
    private static final RunKey RUN = new RunKey(new TenantId("acme"), RunId.of(Instant.EPOCH, new Slot(1), 7));

    private final List<String> reads = new ArrayList<>();
    private int last = 3;
    private int parts = 1;

    private final SharedFeed feed = new SharedFeed(new Feed() {
        @Override
        public List<FeedRow> read(int stream, long after, int limit) {
            reads.add(stream + ":" + after);
            List<FeedRow> rows = new ArrayList<>();
            for (long number = after + 1; number <= last; number++) {
                List<Moved> moved = new ArrayList<>();
                for (int i = 0; i < parts; i++) {
                    moved.add(new Moved(RUN, number, number));
                }
                rows.add(new FeedRow(stream, number, moved));
            }
            return rows;
        }

        @Override
        public Map<Integer, Long> last(Collection<Integer> streams) {
            return Map.of();
        }

        @Override
        public Map<Integer, Long> first(Collection<Integer> streams) {
            return Map.of();
        }
    });

    private int rows(int stream, long after) throws JournalException {
        return feed.read(stream, after, 256).size();
    }

    @Test
    void rowsAreReadOnceForAllWhoStandThere() throws Exception {
        assertEquals(1, rows(7, 2));
        last = 4;
        assertEquals(1, rows(7, 2), "there is more, but that is true");
        assertEquals(1, rows(7, 3));
        assertEquals(2, rows(8, 2), "another stream");

        assertEquals(List.of("7:2", "7:3", "8:2"), reads);
    }

    @Test
    void neitherNothingNorMuchIsRemembered() throws Exception {
        assertEquals(0, rows(7, 3));
        last = 4;
        assertEquals(1, rows(7, 3));
        parts = 1_000;
        assertEquals(2, rows(7, 2));
        assertEquals(2, rows(7, 2));

        assertEquals(List.of("7:3", "7:3", "7:2", "7:2"), reads);
    }
}
