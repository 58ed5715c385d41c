package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.ownership.Member;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SilentNodesTest {
    private static final Member ONE = new Member("one", "one:1", "1");
    private static final Member TWO = new Member("two", "two:1", "1");

    @Test
    void oneIsSilentForAWhileAndNobodyElseIs() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
        SilentNodes silent = new SilentNodes(now::get);
        assertFalse(silent.contains(ONE));
        silent.add(ONE);
        now.addAndGet(TimeUnit.SECONDS.toNanos(4));
        assertTrue(silent.contains(ONE));
        assertFalse(silent.contains(TWO));
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertFalse(silent.contains(ONE), "it is asked again");
    }
}
