package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.expression.ExpressionError;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CompileCacheTest {
    private final AtomicInteger compilations = new AtomicInteger();

    @Test
    void remembersAlsoWhatWasRefused() {
        CompileCache cache = new CompileCache(100, 1 << 20);
        Compilation first = cache.get("a", this::compile);
        assertSame(first, cache.get(new String("a".toCharArray()), this::compile));
        assertEquals(1, compilations.get());
    }

    @Test
    void staysWithinItsCount() {
        CompileCache cache = new CompileCache(100, 1 << 30);
        for (int i = 0; i < 10_000; i++) {
            cache.get("source " + i, this::compile);
            assertTrue(cache.size() <= 100);
        }
    }

    @Test
    void staysWithinItsBytes() {
        CompileCache cache = new CompileCache(1 << 20, 1 << 20);
        for (int i = 0; i < 1_000; i++) {
            cache.get("x".repeat(1_000) + i, this::compile);
            assertTrue(cache.size() <= 16);
        }
    }

    @Test
    void whatIsUsedStays() {
        CompileCache cache = new CompileCache(100, 1 << 30);
        for (int i = 0; i < 1_000; i++) {
            cache.get("often", this::compile);
            cache.get("source " + i, this::compile);
        }
        assertEquals(1_001, compilations.get());
    }

    @Test
    void whatWouldFillItIsNotKept() {
        CompileCache cache = new CompileCache(100, 1 << 20);
        cache.get("x".repeat(10_000), this::compile);
        assertEquals(0, cache.size());
    }

    private Compilation compile(String source) {
        compilations.incrementAndGet();
        return new Compilation.Refused(new ExpressionError("SYNTAX", source, 0));
    }
}
