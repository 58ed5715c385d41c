package dev.flowstone.security.token;

import static dev.flowstone.testkit.token.Issuer.claims;
import static dev.flowstone.testkit.token.Issuer.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.token.Issuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When an issuer is asked for its keys, and what holds when it doesn't answer. */
final class JwkSourceTest {
    private static final Issuer OLD = new Issuer();
    private static final Issuer NEW = new Issuer();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile String answer = OLD.jwks();

    private final JwkSource source = new JwkSource(this::load, nanos::get, JwkSource.Timing.DEFAULT);
    private final TokenVerifier verifier =
            new TokenVerifier(Verifiers.rules().build(), source, InstantSource.fixed(Issuer.NOW));

    private byte[] load() throws IOException {
        asked.incrementAndGet();
        if (answer.isEmpty()) {
            throw new IOException("away");
        }
        return utf8(answer);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static String signed(Issuer issuer, String kid) {
        return Issuer.token("{\"alg\":\"RS256\",\"kid\":\"" + kid + "\"}", claims(), issuer::rs256);
    }

    private Class<?> verdict(String token) throws InterruptedException {
        return verifier.verify(token).getClass();
    }

    /** Waits until it was asked so often. */
    private void awaitAsked(int times) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (asked.get() < times) {
            assertTrue(System.nanoTime() < end, "asked " + asked.get() + " times");
            Thread.onSpinWait();
        }
    }

    @Test
    void keysAreAskedForOnceAndKept() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertEquals(Verdict.Accepted.class, verdict(signed(OLD, "rsa")));
        }
        assertEquals(1, asked.get());
    }

    @Test
    void aNewKeyIsFoundAndUnknownOnesAreAskedForOnceInHalfAMinute() throws Exception {
        assertEquals(Verdict.Accepted.class, verdict(signed(OLD, "rsa")));
        answer = Issuer.set(Issuer.jwk(NEW.rsa(), ",\"kid\":\"new\""));
        assertEquals(Verdict.Refused.class, verdict(signed(NEW, "new")), "it was asked just now");

        pass(Duration.ofSeconds(30));
        assertEquals(Verdict.Accepted.class, verdict(signed(NEW, "new")));
        assertEquals(Verdict.Refused.class, verdict(signed(OLD, "rsa")), "it is the issuer's no more");
        assertEquals(2, asked.get());

        for (int i = 0; i < 100; i++) {
            assertEquals(Verdict.Refused.class, verdict(signed(NEW, "unknown" + i)));
        }
        assertEquals(2, asked.get());
        pass(Duration.ofSeconds(31));
        assertEquals(Verdict.Refused.class, verdict(signed(NEW, "unknown")));
        assertEquals(3, asked.get());
    }

    @Test
    void callersTogetherAskOnce() throws Exception {
        verdict(signed(OLD, "rsa"));
        pass(Duration.ofMinutes(1));
        CountDownLatch together = new CountDownLatch(1);
        String unknown = signed(NEW, "unknown");
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Class<?>>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(callers.submit(() -> {
                    together.await();
                    return verdict(unknown);
                }));
            }
            together.countDown();
            for (Future<Class<?>> one : all) {
                assertEquals(Verdict.Refused.class, one.get());
            }
        }
        assertEquals(2, asked.get());
    }

    @Test
    void olderKeysAreRenewedInTheBackground() throws Exception {
        verdict(signed(OLD, "rsa"));
        answer = NEW.jwks();
        pass(Duration.ofMinutes(6));

        assertEquals(Verdict.Accepted.class, verdict(signed(OLD, "rsa")), "nobody waits");
        awaitAsked(2);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (verdict(signed(NEW, "rsa")) != Verdict.Accepted.class) {
            assertTrue(System.nanoTime() < end);
        }
        assertEquals(Verdict.Refused.class, verdict(signed(OLD, "rsa")));
    }

    @Test
    void whoComesAfterALongPauseWaitsForTheNewOnes() throws Exception {
        verdict(signed(OLD, "rsa"));
        answer = NEW.jwks();
        pass(Duration.ofMinutes(16));

        assertEquals(Verdict.Refused.class, verdict(signed(OLD, "rsa")));
        assertEquals(2, asked.get());
    }

    @Test
    void keysServeADayWhileTheIssuerIsAwayAndNotLonger() throws Exception {
        verdict(signed(OLD, "rsa"));
        answer = "";
        pass(Duration.ofHours(23));
        assertEquals(Verdict.Accepted.class, verdict(signed(OLD, "rsa")));
        awaitAsked(2);

        pass(Duration.ofHours(2));
        assertEquals(Verdict.Undecided.class, verdict(signed(OLD, "rsa")));
        answer = OLD.jwks();
        assertEquals(Verdict.Undecided.class, verdict(signed(OLD, "rsa")), "it was asked just now");
        pass(Duration.ofSeconds(30));
        assertEquals(Verdict.Accepted.class, verdict(signed(OLD, "rsa")));
    }

    @Test
    void whatIsNoSetReplacesNone() throws Exception {
        verdict(signed(OLD, "rsa"));
        answer = "<html>";
        pass(Duration.ofMinutes(1));

        assertEquals(Verdict.Refused.class, verdict(signed(NEW, "unknown")));
        assertEquals(Verdict.Accepted.class, verdict(signed(OLD, "rsa")));
        assertThrows(KeySetException.class, source::load);
    }

    /** Whoever takes all keys away means it. */
    @Test
    void aSetOfNoneThatCanBeUsedReplacesTheOldOne() throws Exception {
        for (String none : List.of("{\"keys\":[]}", "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"}]}")) {
            answer = OLD.jwks();
            pass(Duration.ofHours(25));
            assertEquals(Verdict.Accepted.class, verdict(signed(OLD, "rsa")));

            answer = none;
            pass(Duration.ofMinutes(16));
            assertEquals(Verdict.Refused.class, verdict(signed(OLD, "rsa")), none);
            assertTrue(String.valueOf(
                            assertThrows(KeySetException.class, source::load).getMessage())
                    .startsWith("no key of the set can be used"));
        }
    }

    @Test
    void aKeyThatTookTheNameOfAnotherIsFound() throws Exception {
        verdict(signed(OLD, "rsa"));
        answer = NEW.jwks();
        assertEquals(Verdict.Refused.class, verdict(signed(NEW, "rsa")), "it was asked just now");

        pass(Duration.ofSeconds(30));
        assertEquals(Verdict.Accepted.class, verdict(signed(NEW, "rsa")));
        for (int i = 0; i < 100; i++) {
            assertEquals(Verdict.Refused.class, verdict(signed(OLD, "rsa")));
        }
        assertEquals(2, asked.get());
    }

    @Test
    void aNewKeyWithoutANameIsFound() throws Exception {
        String unnamed = Issuer.token("{\"alg\":\"RS256\"}", claims(), NEW::rs256);
        verdict(signed(OLD, "rsa"));
        answer = NEW.jwks();
        pass(Duration.ofSeconds(30));

        assertEquals(Verdict.Accepted.class, verdict(unnamed));
        assertEquals(2, asked.get());
    }

    /** Else a flood of tokens with bad signatures would wait in one line, whatever there is to wait for. */
    @Test
    void whoComesTooEarlyToAskWaitsForNobody() throws Exception {
        verdict(signed(OLD, "rsa"));
        Thread.currentThread().interrupt();
        // To take the lock is to be interrupted.
        assertEquals(Verdict.Refused.class, verdict(signed(NEW, "unknown")));
        assertTrue(Thread.interrupted());
    }

    @Test
    void whoComesWhileItIsAskedWaitsForTheAnswer() throws Exception {
        CountDownLatch within = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        JwkSource slow = new JwkSource(
                () -> {
                    within.countDown();
                    goOn.await();
                    return utf8(OLD.jwks());
                },
                nanos::get,
                JwkSource.Timing.DEFAULT);
        TokenVerifier waiting = new TokenVerifier(Verifiers.rules().build(), slow, InstantSource.fixed(Issuer.NOW));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> loading = callers.submit(slow::load);
            within.await();
            Future<Verdict> verdict = callers.submit(() -> waiting.verify(signed(OLD, "rsa")));
            goOn.countDown();

            assertEquals(3, loading.get());
            assertEquals(Verdict.Accepted.class, verdict.get().getClass());
        }
    }

    /** Else of two calls together with a key that was taken away one would be let in. */
    @Test
    void whoComesWhileOldOnesAreRenewedWaitsForTheNewOnes() throws Exception {
        CountDownLatch within = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger loads = new AtomicInteger();
        JwkSource slow = new JwkSource(
                () -> {
                    if (loads.incrementAndGet() == 1) {
                        return utf8(OLD.jwks());
                    }
                    within.countDown();
                    goOn.await();
                    return utf8(NEW.jwks());
                },
                nanos::get,
                JwkSource.Timing.DEFAULT);
        TokenVerifier waiting = new TokenVerifier(Verifiers.rules().build(), slow, InstantSource.fixed(Issuer.NOW));
        String taken = signed(OLD, "rsa");
        assertEquals(Verdict.Accepted.class, waiting.verify(taken).getClass());
        pass(Duration.ofMinutes(16));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Verdict> first = callers.submit(() -> waiting.verify(taken));
            within.await();
            CompletableFuture<Thread> asking = new CompletableFuture<>();
            Future<Verdict> second = callers.submit(() -> {
                asking.complete(Thread.currentThread());
                return waiting.verify(taken);
            });
            Thread thread = asking.get();
            while (!second.isDone() && thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            boolean early = second.isDone();
            goOn.countDown();

            assertFalse(early, "it was told by keys that nobody knows to be good");
            assertEquals(Verdict.Refused.class, first.get().getClass());
            assertEquals(Verdict.Refused.class, second.get().getClass());
            assertEquals(2, loads.get());
        }
    }

    /** Else strangers would take all places of a server whose issuer doesn't answer. */
    @Test
    void noMoreThanSomeWaitForKeysThatMayNotCome() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger loads = new AtomicInteger();
        JwkSource slow = new JwkSource(
                () -> {
                    if (loads.incrementAndGet() > 1) {
                        goOn.await();
                    }
                    return utf8(OLD.jwks());
                },
                nanos::get,
                JwkSource.Timing.DEFAULT);
        TokenVerifier waiting = new TokenVerifier(Verifiers.rules().build(), slow, InstantSource.fixed(Issuer.NOW));
        assertEquals(Verdict.Accepted.class, waiting.verify(signed(OLD, "rsa")).getClass());
        pass(Duration.ofMinutes(1));
        String rubbish = signed(NEW, "rubbish");
        List<Future<Verdict>> all = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i <= JwkSource.MOST_SEEKING; i++) {
                all.add(callers.submit(() -> waiting.verify(rubbish)));
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (all.stream().noneMatch(Future::isDone) && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            long done = all.stream().filter(Future::isDone).count();
            Verdict good = waiting.verify(signed(OLD, "rsa"));
            goOn.countDown();

            assertEquals(1, done, "told at once");
            assertEquals(Verdict.Accepted.class, good.getClass());
            for (Future<Verdict> one : all) {
                assertEquals(Verdict.Refused.class, one.get().getClass());
            }
            assertEquals(2, loads.get());
        }
    }

    @Test
    void aFileIsReadAndNotBeyondItsBound(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys.json");
        KeyFile keys = new KeyFile(file);
        assertTrue(String.valueOf(assertThrows(IOException.class, keys::load).getMessage())
                .contains("there is no file"));

        Files.writeString(file, OLD.jwks());
        assertEquals(3, JwkSource.of(keys).load());
        Files.writeString(file, " ".repeat(1 << 20));
        assertEquals(KeySet.MOST_BYTES + 1, keys.load().length);
    }
}
