package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** What stories of transactional tasks share (R17): a node whose database is played. */
abstract class TransactionStories {
    static final String HANDLER = "doc.post";

    final World world = new World();
    final AtomicInteger executed = new AtomicInteger();

    /** A database's part, as far as a shard sees it. */
    @FunctionalInterface
    interface Played extends Transactions {
        @Override
        default Optional<Outcome.Recorded> find(TransactionRequest request) {
            return Optional.empty();
        }

        @Override
        default Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.of();
        }
    }

    static Transactions.Outcome.Recorded done(TransactionRequest request, long version) {
        return recorded(request, request.attempt(), version, JsonNull.NULL);
    }

    static Transactions.Outcome.Recorded recorded(
            TransactionRequest request, int attempt, long version, JsonValue output) {
        TransactionMessage message =
                new TransactionMessage(request.activation(), attempt, new TaskResult.Ok(output), Optional.of(version));
        return new Transactions.Outcome.Recorded(new InboxMessage(
                TransactionRequest.key(request.run(), request.activation(), attempt),
                request.run().run(),
                TransactionMessage.KIND,
                message.content(),
                Instant.EPOCH));
    }

    SteppedNode node(Transactions transactions, Executor handlers) {
        return node(EngineConfig.of("one"), transactions, handlers);
    }

    SteppedNode node(EngineConfig config, Transactions transactions, Executor handlers) {
        SteppedNode node = unsettled(config, transactions, handlers);
        node.settleLoops();
        return node;
    }

    SteppedNode unsettled(EngineConfig config, Transactions transactions, Executor handlers) {
        Ports all = world.ports;
        Ports ports = new Ports(
                all.journal(),
                all.leases(),
                all.outbox(),
                all.inbox(),
                all.runs(),
                all.humanTasks(),
                all.feed(),
                all.workflows(),
                all.clock(),
                all.subjects(),
                transactions,
                all.settings(),
                all.policies());
        HandlerRegistry registry = HandlerRegistry.builder()
                .transactional(
                        new ActionDescription(new HandlerName(HANDLER), "For a test.", List.of()),
                        (call, transaction) -> TaskResult.ok(JsonNull.NULL))
                .build();
        return new SteppedNode(
                world.clock, config, EngineParts.of(ports, new ScriptExpressions(), registry), _ -> handlers);
    }

    RunId start(SteppedNode node, Program program) {
        return start(node, program, "7");
    }

    RunId start(SteppedNode node, Program program, String document) {
        var answer = node.node()
                .start(world.publish(program).start().about(new SubjectBinding(new Subject("doc", document), 1, true)));
        node.settleLoops();
        return World.started(answer);
    }

    /** Tasks of the handler side by side. */
    static Program sideBySide(String... nodes) {
        ProgramBuilder program = ProgramBuilder.dag("sideBySide");
        for (String node : nodes) {
            program.task(node, HANDLER).edge("start", node);
        }
        return program.build();
    }

    void finish(SteppedNode node, ArrayDeque<Runnable> handlers) {
        int left = 50;
        while (!handlers.isEmpty()) {
            assertTrue(left-- > 0, "handlers are called without end");
            handlers.remove().run();
            node.settleLoops();
        }
    }

    static Program one() {
        return ProgramBuilder.sequence("post", 1, HANDLER);
    }

    static CallRequest note(RunId run) {
        return call(run, new DataCommand.SetVariables(Map.of("note", JsonNumber.of(1)), "for a test"));
    }

    static CallRequest call(RunId run, Command command) {
        return new CallRequest(
                new RunKey(World.TENANT, run),
                command,
                List.of(),
                new Actor("user", "tester"),
                Optional.empty(),
                Optional.empty(),
                Sha256.ZERO,
                "a correlation");
    }

    void forgetfully(CountDownLatch latch) {
        boolean open = false;
        while (!open) {
            try {
                latch.await();
                open = true;
            } catch (InterruptedException e) {
                // That is what makes it stuck.
            }
        }
    }

    /** Each transaction expects the version that the one before has made, or there were two at once. */
    SteppedNode versioned(List<String> versions, ArrayDeque<Runnable> handlers) {
        return node(
                (Played) (request, work) -> {
                    versions.add(request.activation().node() + " " + request.expectedVersion());
                    return done(request, request.expectedVersion() + 1);
                },
                handlers::add);
    }

    /** All that somebody left open is recorded. */
    static final class RecordedAlready implements Transactions {
        @Override
        public Optional<Outcome.Recorded> find(TransactionRequest request) {
            throw new AssertionError("it is done");
        }

        @Override
        public Outcome execute(TransactionRequest request, Work work) {
            throw new AssertionError("it is done");
        }

        @Override
        public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.copyOf(keys);
        }
    }
}
