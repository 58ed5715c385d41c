package dev.flowstone.server.kill;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What {@code serve} serves, in a process of its own, with one more action: {@code test.ledger} writes to the ledger and
 * then takes up to 30 ms. Arguments: data directory, ledger, file for the port.
 */
final class LedgerServer {
    static final String ACTION = "test.ledger";

    private LedgerServer() {}

    static FlowstoneConfig config(Path data) throws Exception {
        return FlowstoneConfig.of(Sources.of(Map.of("database.data", data.toString()), Map.of(), Optional.empty()));
    }

    public static void main(String... arguments) throws Exception {
        FlowstoneConfig config = config(Path.of(arguments[0]));
        Ledger ledger = Ledger.append(Path.of(arguments[1]));
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(new ActionDescription(new HandlerName(ACTION), "Writes to the ledger.", List.of()), call -> {
                    ledger.called(call);
                    int micros = ThreadLocalRandom.current().nextInt(30_000);
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
                    return TaskResult.ok(call.input());
                })
                .build();
        Serving serving = Serving.start(
                InetAddress.getLoopbackAddress(), 0, config.http(), "test", () -> Flowstone.open(config, handlers));
        Runtime.getRuntime().addShutdownHook(new Thread(serving::close));
        Path port = Path.of(arguments[2]);
        Path draft = Files.writeString(port.resolveSibling(port.getFileName() + ".new"), "" + serving.port());
        Files.move(draft, port, StandardCopyOption.ATOMIC_MOVE);
        new CountDownLatch(1).await();
    }
}
