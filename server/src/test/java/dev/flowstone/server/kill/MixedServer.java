package dev.flowstone.server.kill;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import dev.flowstone.testkit.scenario.Published;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What {@code serve} serves, in a process of its own, with {@link MixedPrograms} and handlers that tell the {@link Witness}.
 * A call takes up to 40 ms, some of it before the effect and some after it, so that a kill may come between an effect and
 * its answer. Arguments: data directory, witness, file for the port.
 */
final class MixedServer {
    private static final int FAILURES = 2;

    private final Witness witness;

    private MixedServer(Witness witness) {
        this.witness = witness;
    }

    public static void main(String... arguments) throws Exception {
        FlowstoneConfig config = LedgerServer.config(Path.of(arguments[0]));
        MixedServer mixed = new MixedServer(Witness.in(Path.of(arguments[1])));
        Serving serving = Serving.start(InetAddress.getLoopbackAddress(), 0, config.http(), "test", () -> {
            Flowstone flowstone = Flowstone.open(config, mixed.handlers());
            publish(flowstone);
            return flowstone;
        });
        Runtime.getRuntime().addShutdownHook(new Thread(serving::close));
        Path port = Path.of(arguments[2]);
        Path draft = Files.writeString(port.resolveSibling(port.getFileName() + ".new"), "" + serving.port());
        Files.move(draft, port, StandardCopyOption.ATOMIC_MOVE);
        new CountDownLatch(1).await();
    }

    private static void publish(Flowstone flowstone) {
        try {
            for (Program program : MixedPrograms.all()) {
                Published.in(
                        flowstone.ports().workflows(),
                        LoopbackCallers.DEFAULT_TENANT,
                        program,
                        flowstone.ports().clock().now());
            }
            flowstone
                    .ports()
                    .policies()
                    .publish(
                            LoopbackCallers.DEFAULT_TENANT,
                            MixedPrograms.POLICY,
                            MixedPrograms.BUNDLE,
                            new Actor("user", "olga"),
                            flowstone.ports().clock().now());
        } catch (Exception e) {
            throw new IllegalStateException("the programs can't be published", e);
        }
    }

    private HandlerRegistry handlers() {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(named("test.effect"), this::effect)
                .action(named("test.flaky"), this::flaky)
                .action(named("test.refuse"), refuse())
                .action(named("test.mended"), this::mended)
                .transactional(named("test.post"), this::post)
                .build();
    }

    private static ActionDescription named(String action) {
        return new ActionDescription(new HandlerName(action), "For a test.", List.of());
    }

    private TaskResult effect(TaskCall call) throws IOException {
        work();
        witness.effect(call.key());
        work();
        return TaskResult.ok(call.input());
    }

    /** Fails before it has an effect, the first times. */
    private TaskResult flaky(TaskCall call) throws IOException {
        work();
        return call.attempt() <= FAILURES ? TaskResult.retryable("FLAKY", "not yet") : effect(call);
    }

    /** Fails for good until an operator gives it another input. */
    private TaskResult mended(TaskCall call) throws IOException {
        if (((JsonObject) call.input()).find("ok").orElseThrow().equals(JsonBoolean.TRUE)) {
            return effect(call);
        }
        work();
        return TaskResult.permanent("NO", "not like this");
    }

    /** Gives its subject the next version: one that was applied twice would leave a higher one. */
    private TaskResult post(TaskCall call, SubjectTransaction transaction) throws IOException {
        work();
        witness.effect(call.key());
        work();
        return TaskResult.ok(
                JsonObject.builder().put("version", transaction.newVersion()).build());
    }

    private static TaskHandler refuse() {
        return call -> {
            work();
            return TaskResult.permanent("NO", "no");
        };
    }

    private static void work() {
        LockSupport.parkNanos(
                TimeUnit.MICROSECONDS.toNanos(ThreadLocalRandom.current().nextInt(20_000)));
    }
}
