package dev.flowstone.bench.workload;

import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.HumanTaskReader;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.program.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends suspended runs input that waits: variables first, and at last the decision that ends them. */
final class BufferedInput {
    private static final int AT_ONCE = 1_000;
    private static final Actor REVIEWER = new Actor("user", "reviewer");

    private final Engine engine;
    private final HumanTaskReader tasks;
    private final Bench bench;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final AtomicReference<@Nullable CallAnswer> refused = new AtomicReference<>();

    BufferedInput(Engine engine, HumanTaskReader tasks, Bench bench) {
        this.engine = engine;
        this.tasks = tasks;
        this.bench = bench;
    }

    /** So many for each run, in rounds, so that one run's come in their order. */
    void send(List<RunKey> runs, int each) throws JournalException, InterruptedException {
        ActivationId review = tasks.tasks(
                        Rig.TENANT, HumanTaskFilter.ALL.ofRun(runs.getFirst().run()), Optional.empty(), 1)
                .getFirst()
                .task()
                .activation();
        for (int round = 1; round <= each; round++) {
            bench.tell("buffering input " + round + " of " + each + " for " + runs.size() + " runs");
            Command command = round == each ? decide(review) : variable(round);
            for (RunKey run : runs) {
                places.acquire();
                var _ = engine.call(request(run, command)).whenComplete((answer, failure) -> {
                    if (!(answer instanceof CallAnswer.Done done) || !done.buffered()) {
                        refused.set(answer);
                    }
                    places.release();
                });
            }
            places.acquire(AT_ONCE);
            places.release(AT_ONCE);
            if (refused.get() != null) {
                throw new IllegalStateException("an input wasn't buffered: " + refused.get());
            }
        }
    }

    private static Command decide(ActivationId review) {
        return new HumanCommand.Decide(
                review,
                new Outcome("approve"),
                Set.of("reviewer"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    private static Command variable(int value) {
        return new DataCommand.SetVariables(Map.of("seen", JsonNumber.of(value)), "measured");
    }

    private static CallRequest request(RunKey run, Command command) {
        return new CallRequest(
                run,
                command,
                List.of(),
                REVIEWER,
                Optional.empty(),
                Optional.empty(),
                Sha256.digest(run.toString().getBytes(StandardCharsets.UTF_8)),
                "bench");
    }
}
