package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SilentTest {
    @Test
    void oneIsSilentForAWhileAndNobodyElseIs() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
        Silent<String> silent = new Silent<>(now::get);
        assertFalse(silent.contains("one"));
        silent.add("one");
        now.addAndGet(TimeUnit.SECONDS.toNanos(4));
        assertTrue(silent.contains("one"));
        assertFalse(silent.contains("two"));
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertFalse(silent.contains("one"), "it is asked again");
    }
}
