package dev.flowstone.server.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A node tells the catalog what it has as soon as it can, and heeds what others turn off. */
final class CatalogWatchTest {
    private static final Actor ANN = new Actor("user", "ann");

    private final InMemoryCatalog shared = new InMemoryCatalog(Clock.SYSTEM);
    private final AtomicBoolean away = new AtomicBoolean();

    /** The shared one behind a line that may be cut. */
    private Catalog reached() {
        return (Catalog) Proxy.newProxyInstance(
                CatalogWatchTest.class.getClassLoader(), new Class<?>[] {Catalog.class}, (_, method, arguments) -> {
                    if (away.get()) {
                        throw new JournalException.Unavailable("it is away, as is meant");
                    }
                    try {
                        return method.invoke(shared, arguments);
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

    @Test
    void whatCanNotBeToldNowIsToldLater() throws Exception {
        ActionDesk desk = new ActionDesk(reached(), new ActionSwitches(reached()));
        away.set(true);
        try (CatalogWatch _ = CatalogWatch.start(desk, "one", Optional.of(offer()))) {
            assertFalse(isRegistered());
            away.set(false);
            until(this::isRegistered);
        }
        assertFalse(isRegistered(), "it has gone in good order");
    }

    @Test
    void whatAnotherNodeWasToldIsHeeded() throws Exception {
        ActionSwitches switches = new ActionSwitches(reached());
        try (CatalogWatch _ = CatalogWatch.start(new ActionDesk(reached(), switches), "one", Optional.of(offer()))) {
            assertTrue(switches.areAllOn());
            Catalog.Turned _ =
                    shared.turn(Subject.connector("core"), false, Optional.empty(), OptionalLong.empty(), ANN);
            until(() -> switches.refusal("core.echo").isPresent());
            away.set(true);
            assertTrue(switches.refusal("core.http").orElseThrow().contains("connector 'core'"));
            assertEquals(Optional.empty(), switches.refusal("corel.http"));
        }
    }
}
