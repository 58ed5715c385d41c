package dev.flowstone.server.e2e;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.junit.TempDirsInMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands tests one {@link House} for all classes: a start costs seconds, and nothing that they do may harm another. Its
 * limits of nodes are raised; {@code remote.*} and {@code orders.*} are left to workers; {@code test.large} answers a text of so many {@code bytes}, {@code test.verbose-error} fails
 * and {@code test.verbose-throw} throws with a message as long.
 */
final class SharedHouse implements ParameterResolver {
    static final Map<String, String> RAISED = Map.of(
            "dag.maxNodesPerWorkflow",
            "20000",
            "dag.maxEdgesPerWorkflow",
            "20000",
            "worker.actions",
            "remote.many, remote.typed, remote.killed, remote.restart, remote.stopped, remote.linking, remote.raw, remote.parallel, remote.slow, remote.limited, orders.reserve, orders.ship",
            "limit.atOnce",
            "remote.limited=1");

    /** Lets a handler of {@code test.outside} answer after all. */
    static final Semaphore OUTSIDE = new Semaphore(0);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == House.class;
    }

    @Override
    public House resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedHouse.class))
                .computeIfAbsent(House.class, _ -> new Opened(), Opened.class)
                .house;
    }

    /** What {@code test.large} answers beside its parameters. */
    static String large(int bytes) {
        return "0123456789abcdef".repeat(bytes / 16);
    }

    private static HandlerRegistry handlers() {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(
                        description("test.large"),
                        call -> TaskResult.ok(JsonObject.builder()
                                .put("text", large(bytes(call)))
                                .build()))
                .action(description("test.verbose-error"), call -> TaskResult.permanent("VERBOSE", large(bytes(call))))
                .action(description("test.outside"), call -> {
                    // Somebody else is to answer for it.
                    OUTSIDE.acquire();
                    return TaskResult.ok(
                            JsonObject.builder().put("by", "the handler").build());
                })
                .action(description("test.verbose-throw"), call -> {
                    throw new IOException(large(bytes(call)));
                })
                .build();
    }

    private static ActionDescription description(String name) {
        return new ActionDescription(new HandlerName(name), "For a test.", List.of());
    }

    private static int bytes(TaskCall call) {
        return ((JsonNumber) ((JsonObject) call.input()).find("bytes").orElseThrow())
                .decimalValue()
                .intValueExact();
    }

    /** Closed by JUnit when every test has run. */
    private static final class Opened implements AutoCloseable {
        private static final int LOOKS = 3_000;
        private static final Duration LOOK = Duration.ofMillis(20);

        private final Path data;
        private final House house;

        Opened() {
            try {
                data = TempDirsInMemory.directory("flowstone-e2e");
                house = House.open(data, RAISED, handlers());
                // It is open before its shards take commands.
                for (int looks = 0; house.health().status() != 200 && looks < LOOKS; looks++) {
                    LockSupport.parkNanos(LOOK.toNanos());
                }
                house.health().expect(200);
            } catch (Exception e) {
                throw new IllegalStateException("the shared house doesn't open", e);
            }
        }

        @Override
        public void close() {
            house.close();
            try (Stream<Path> below = Files.walk(data)) {
                below.sorted(Comparator.reverseOrder()).forEach(path -> {
                    boolean _ = path.toFile().delete();
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
