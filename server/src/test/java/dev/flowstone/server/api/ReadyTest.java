package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.server.api.RestFixture.Answer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is told of a node's parts, whether it takes commands or not; each answer is held against the document, too. */
final class ReadyTest {
    private final AtomicBoolean away = new AtomicBoolean();

    @Test
    void bothAnswersNameTheParts() throws Exception {
        try (RestFixture rest = new RestFixture(Map.of(), this::leaving)) {
            Answer ready = rest.until("/health/ready", it -> it.status() == 200);
            assertEquals("ok", ready.text("/database"));
            assertEquals("ok", ready.text("/queue"));
            assertEquals("ok", ready.text("/actions"));

            away.set(true);
            Answer not = rest.until("/health/ready", it -> it.status() == 503);

            assertEquals("UNAVAILABLE", not.text("/code"));
            assertEquals("down", not.text("/database"));
            assertEquals("ok", not.text("/actions"));
            assertEquals("1", not.header("Retry-After").orElseThrow());
        }
    }

    /** With a database that doesn't answer who asks for leases, once it is away. */
    private Ports leaving(Ports ports) {
        Leases leases = (Leases) Proxy.newProxyInstance(
                Leases.class.getClassLoader(), new Class<?>[] {Leases.class}, (_, method, args) -> {
                    if (away.get() && !method.getName().equals("shards")) {
                        throw new JournalException.Unavailable("it is away");
                    }
                    try {
                        return method.invoke(ports.leases(), args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new Ports(
                ports.journal(),
                leases,
                ports.outbox(),
                ports.inbox(),
                ports.runs(),
                ports.humanTasks(),
                ports.feed(),
                ports.workflows(),
                ports.clock(),
                ports.subjects(),
                ports.transactions(),
                ports.settings(),
                ports.policies(),
                ports.projections(),
                ports.deadLetters());
    }
}
