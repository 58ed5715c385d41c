package dev.flowstone.server.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.connectors.catalog.Offers;
import dev.flowstone.connectors.core.CoreConnector;
import dev.flowstone.connectors.core.EngineActions;
import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.testkit.memory.InMemoryCatalog;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A node tells the catalog what it has as soon as it can, and heeds what others turn off. */
final class CatalogWatchTest {
    private static final Actor ANN = new Actor("user", "ann");

    private final InMemoryCatalog shared = new InMemoryCatalog(Clock.SYSTEM);
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();

    /** Calls that fail, and calls whose answer doesn't come until it may {@link #go}. */
    private volatile Optional<String> fails = Optional.empty();

    private volatile Optional<String> hangs = Optional.empty();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    /** The shared one behind a line that may be cut. */
    private Catalog reached() {
        return (Catalog) Proxy.newProxyInstance(
                CatalogWatchTest.class.getClassLoader(), new Class<?>[] {Catalog.class}, (_, method, arguments) -> {
                    String name = method.getName();
                    if (away.get() || fails.equals(Optional.of(name))) {
                        failures.incrementAndGet();
                        throw new JournalException.Unavailable("it is away, as is meant");
                    }
                    try {
                        Object answer = method.invoke(shared, arguments);
                        if (hangs.equals(Optional.of(name))) {
                            hanging.countDown();
                            assertTrue(go.await(30, TimeUnit.SECONDS));
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Offer offer() throws Exception {
        ConnectorRegistry registry =
                ConnectorRegistry.of(List.of(CoreConnector.found()), Map.of(), _ -> Optional.empty());
        return Offers.of(registry, EngineActions.described(), CoreConnector.registry());
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "never as it should be");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private boolean isRegistered() {
        return shared.action("core.echo").filter(it -> it.registered()).isPresent();
    }

    private void watched(ActionSwitches switches, Told told) throws Exception {
        CatalogWatch watch = CatalogWatch.start(switches);
        try {
            told.with(watch);
        } finally {
            watch.end();
            watch.await(Duration.ofSeconds(30));
        }
    }

    /** What happens while a node is there. */
    @FunctionalInterface
    private interface Told {
        void with(CatalogWatch watch) throws Exception;
    }

    /** Ends when it is told. */
    private Thread telling(CatalogWatch watch) throws Exception {
        Offer offer = offer();
        return Thread.ofVirtual().start(() -> watch.tell(reached(), "one", offer));
    }

    private void turn(boolean on) {
        Catalog.Turned _ = shared.turn(Subject.connector("core"), on, Optional.empty(), OptionalLong.empty(), ANN);
    }

    @Test
    void whatCanNotBeToldNowIsToldLater() throws Exception {
        away.set(true);
        watched(new ActionSwitches(reached()), watch -> {
            Thread telling = telling(watch);
            until(() -> failures.get() > 1);
            assertFalse(isRegistered());
            away.set(false);
            telling.join();
            until(this::isRegistered);
        });
        assertFalse(isRegistered(), "it has gone in good order");
    }

    @Test
    void whatAnotherNodeWasToldIsHeededBeforeThisOneTellsAnything() throws Exception {
        shared.register("other", offer());
        ActionSwitches switches = new ActionSwitches(reached());
        watched(switches, _ -> {
            assertTrue(switches.areAllOn());
            turn(false);
            until(() -> switches.refusal("core.echo").isPresent());
            away.set(true);
            int failed = failures.get();
            until(() -> failures.get() >= failed + 2);
            assertTrue(
                    switches.refusal("core.http").orElseThrow().contains("connector 'core'"), "the last answer counts");
            assertEquals(Optional.empty(), switches.refusal("corel.http"));
            away.set(false);
            turn(true);
            until(switches::areAllOn);
        });
    }

    @Test
    void whatIsTurnedOffIsHeededWhileTellingHangs() throws Exception {
        shared.register("other", offer());
        ActionSwitches switches = new ActionSwitches(reached());
        watched(switches, watch -> {
            hangs = Optional.of("register");
            Thread telling = telling(watch);
            try {
                until(() -> hanging.getCount() == 0);
                turn(false);
                until(() -> switches.refusal("core.echo").isPresent());
            } finally {
                go.countDown();
                telling.join();
            }
        });
        shared.leave("other");
        assertFalse(isRegistered(), "what was being told when it ended is taken back");
    }

    @Test
    void whoLookedBeforeAChangeDoesNotHideIt() throws Exception {
        shared.register("other", offer());
        ActionSwitches switches = new ActionSwitches(reached());
        hangs = Optional.of("off");
        Thread early = Thread.ofVirtual().start(() -> {
            try {
                switches.refresh();
            } catch (JournalException e) {
                throw new AssertionError(e);
            }
        });
        until(() -> hanging.getCount() == 0);
        hangs = Optional.empty();
        ActionDesk desk = new ActionDesk(reached(), switches, offer());
        Catalog.Turned _ = desk.turn(Subject.connector("core"), false, Optional.empty(), OptionalLong.empty(), ANN);
        assertTrue(switches.refusal("core.echo").isPresent());
        go.countDown();
        early.join();
        assertTrue(switches.refusal("core.echo").isPresent(), "it knows of nothing that is off");
    }

    @Test
    void aChangeThatIsMadeIsNoFailureThoughItCanNotBeReadAtOnce() throws Exception {
        shared.register("other", offer());
        ActionSwitches switches = new ActionSwitches(reached());
        ActionDesk desk = new ActionDesk(reached(), switches, offer());
        fails = Optional.of("off");
        assertInstanceOf(
                Catalog.Turned.Done.class,
                desk.turn(Subject.connector("core"), false, Optional.empty(), OptionalLong.empty(), ANN));
        assertTrue(switches.areAllOn());
        fails = Optional.empty();
        watched(switches, _ -> until(() -> switches.refusal("core.echo").isPresent()));
    }

    @Test
    void theLogSaysOnceThatItFailsAndOnceThatItWorksAgain() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger(Rounds.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                said.add(entry.getMessage());
            }

            @Override
            public void flush() {
                // Nothing is kept back.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        log.addHandler(handler);
        try {
            AtomicInteger made = new AtomicInteger();
            Rounds rounds = new Rounds("it", Duration.ofMillis(1), () -> {
                int count = made.incrementAndGet();
                if (count < 20) {
                    throw new JournalException.Unavailable("it is away, as is meant");
                }
                if (count > 30) {
                    throw new IllegalStateException("a bug, as is meant");
                }
            });
            Thread thread = Thread.ofVirtual().start(rounds::run);
            until(() -> made.get() > 50);
            rounds.end();
            thread.join();
        } finally {
            log.removeHandler(handler);
        }
        assertEquals(List.of("it fails: it is away, as is meant", "it works again", "it fails"), said);
    }
}
