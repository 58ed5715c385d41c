package dev.flowstone.testkit.scenario;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.check.Difference;
import dev.flowstone.testkit.scenario.check.Expectation;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.file.Given;
import dev.flowstone.testkit.scenario.step.Edit;
import dev.flowstone.testkit.scenario.step.Stage;
import dev.flowstone.testkit.scenario.step.StepException;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One scenario's engine, database, clock and run: the production engine over memory, in virtual time, stepped on this
 * thread. Never runs without end: what it does is counted, and time is not let pass beyond a bound.
 */
final class ScenarioWorld implements Stage, AutoCloseable {
    private static final TenantId TENANT = new TenantId("scenario");
    private static final Actor PUBLISHER = new Actor("user", "scenario");

    /** Longer than any scenario, so that no lease runs out and nothing is looked at again in vain. */
    private static final Duration LONG = Duration.ofDays(4_000_000);

    private static final int MAX_STEPS = 300_000;
    private static final int MAX_LEAPS = 10_000;

    private final Program program;
    private final Given given;
    private final VirtualClock clock;
    private final Ports ports;
    private final HandlerThreads threads;
    private final ScenarioStubs stubs;
    private final SplittableRandom random;
    private final ScenarioPrograms programs;
    private final ScenarioRuns runs;
    private final List<Difference> differences = new ArrayList<>();
    private SteppedNode node;
    private final List<RunId> earlier = new ArrayList<>();
    private @Nullable RunId run;
    private Optional<Observed.Refusal> refusal = Optional.empty();
    private Optional<StalledException> stalled = Optional.empty();
    private int steps;
    private int leaps;

    ScenarioWorld(Program program, Given given) {
        this(program, given, clock -> new InMemoryDatabase(clock, 1).ports());
    }

    /**
     * The same over another database.
     *
     * @param database empty, of one shard, whose time is that clock's
     */
    ScenarioWorld(Program program, Given given, Function<Clock, Ports> database) {
        this.program = program;
        this.given = given;
        this.clock = new VirtualClock(given.now());
        Ports stored = database.apply(clock);
        this.threads = new HandlerThreads(clock);
        this.random = new SplittableRandom(given.seed());
        this.programs = new ScenarioPrograms(stored.workflows(), TENANT, program, given);
        this.stubs = new ScenarioStubs(stored, TENANT, programs, given, clock);
        this.ports = stubs.ports();
        this.runs = stubs.runs();
        given.policies().forEach(this::publish);
        this.node = newNode();
    }

    private SteppedNode newNode() {
        EngineConfig config = EngineConfig.of("scenario")
                .withLease(new LeaseConfig(LONG, Duration.ZERO))
                .withShard(ShardConfig.DEFAULT.withInboxPoll(LONG).withTimers(LONG, 1_000, 200_000));
        EngineParts parts = EngineParts.of(ports, new ScriptExpressions(), stubs.registry())
                .withSchedules(new CronSchedules())
                .withRandom(random.split());
        return new SteppedNode(clock, config, parts, threads::over);
    }

    @Override
    public void publish(PolicyName policy, JsonObject bundle) {
        try {
            ports.policies().publish(TENANT, policy, bundle, PUBLISHER, clock.now());
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String edit(Edit edit) throws StepException {
        StubbedSubject edited = stubs.subject()
                .orElseThrow(() -> new StepException("the run is about nothing; say what in given.subject"));
        settle();
        String refusal = edited.edit(edit.sets(), edit.seen(), edit.tighten());
        settle();
        return refusal;
    }

    @Override
    public void hold(SettingRequest request) {
        settle();
        try {
            node.node().control().change(request);
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
        settle();
    }

    /** Starts the run, or learns why it may not start. */
    void start() {
        List<Fault> faults = DagDialect.checkTrigger(program, given.input());
        if (!faults.isEmpty()) {
            refusal = Optional.of(new Observed.Refusal(
                    faults.getFirst().code().id(),
                    faults.stream().map(it -> it.pointer() + " " + it.message()).collect(Collectors.joining("; "))));
            return;
        }
        settle();
        StartRequest request =
                programs.first().start(Optional.empty(), Map.of("trigger", given.input(), "spec", given.spec()));
        CompletableFuture<StartAnswer> answer = node.node()
                .start(given.subject().map(it -> request.about(it.binding())).orElse(request));
        settle();
        switch (answer.getNow(new StartAnswer.Refused("NO_ANSWER", "the engine did not answer"))) {
            case StartAnswer.Started started -> run = started.run();
            case StartAnswer.Refused refused ->
                refusal = Optional.of(new Observed.Refusal(refused.code(), refused.reason()));
            case StartAnswer.OverQuota over ->
                refusal = Optional.of(new Observed.Refusal("QUOTA_EXCEEDED", over.reason()));
            case StartAnswer.Busy busy -> refusal = Optional.of(new Observed.Refusal("BUSY", busy.reason()));
            case StartAnswer.Existing _, StartAnswer.OtherWorkflow _ ->
                throw new IllegalStateException("the only start met another one");
        }
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public void advanceTo(Instant end) {
        settle();
        while (stalled.isEmpty() && !next().isAfter(end)) {
            leap();
        }
        if (stalled.isEmpty()) {
            clock.set(end);
            settle();
        }
    }

    /** Lets time pass until the run is over. */
    void runOn(Duration atMost) {
        Instant end = clock.now().plus(atMost);
        settle();
        while (stalled.isEmpty() && !isOver()) {
            if (next().isAfter(end)) {
                stall("it is not over, and nothing will happen until " + end);
            } else {
                leap();
            }
        }
    }

    @Override
    public void expect(Expectation expectation) {
        differences.addAll(expectation.differences(observed()));
    }

    @Override
    public void replaceNode() {
        node = newNode();
        threads.close();
        settle();
    }

    List<Difference> differences() {
        return List.copyOf(differences);
    }

    /** What stubs don't say, or can't. */
    List<String> unstubbed() {
        return stubs.faults();
    }

    /** Why it came to no end, if it didn't. */
    Optional<StalledException> stalled() {
        return stalled;
    }

    @Override
    public TenantId tenant() {
        return TENANT;
    }

    @Override
    public CallAnswer call(RunId asked, Command command, Actor by, Optional<String> once, JsonValue said) {
        settle();
        CompletableFuture<CallAnswer> answer = node.node()
                .call(new CallRequest(
                        new RunKey(TENANT, asked),
                        command,
                        List.of(),
                        by,
                        Optional.empty(),
                        once,
                        Sha256.digest(CanonicalJson.exact(said)),
                        "a scenario"));
        settle();
        return answer.getNow(
                new CallAnswer.Refused(
                        "NO_ANSWER",
                        "the engine did not answer yet; while a task of the run is in a transaction, what is asked of it waits"));
    }

    @Override
    public String reset(long sequence, Actor by, Optional<String> once) {
        settle();
        RunId from = requireNonNull(run, "only a run that was started has points");
        CompletableFuture<StartAnswer> answer =
                node.node().reset(new ResetRequest(TENANT, from, sequence, once, by, "a scenario"));
        settle();
        return switch (answer.getNow(new StartAnswer.Refused("NO_ANSWER", "the engine did not answer"))) {
            case StartAnswer.Started started -> goOnWith(from, started.run());
            case StartAnswer.Existing existing -> goOnWith(from, existing.run());
            case StartAnswer.Refused refused -> refused.code() + ": " + refused.reason();
            case StartAnswer.OverQuota over -> "QUOTA_EXCEEDED: " + over.reason();
            case StartAnswer.Busy busy -> "BUSY: " + busy.reason();
            case StartAnswer.OtherWorkflow _ -> throw new IllegalStateException("a reset met another workflow's start");
        };
    }

    private String goOnWith(RunId left, RunId now) {
        earlier.add(left);
        run = now;
        return "";
    }

    /** The runs that the scenario has left for others that began at points of them, in that order. */
    List<Observed> earlier() {
        return earlier.stream().map(it -> runs.observed(it).orElseThrow()).toList();
    }

    Observed observed() {
        return run == null ? runs.unborn(refusal) : runs.observed(run).orElseThrow();
    }

    @Override
    public Observed observed(List<String> calls) throws StepException {
        Observed at = observed();
        for (String call : calls) {
            at = at.all(MessageEvent.ChildStarted.class)
                    .filter(it -> it.activation().node().value().equals(call))
                    .reduce((_, newest) -> newest)
                    .flatMap(it -> runs.observed(it.child()))
                    .orElseThrow(() -> new StepException("no child of '" + call + "' has begun"));
        }
        return at;
    }

    @Override
    public void close() {
        threads.close();
    }

    private void leap() {
        Instant next = next();
        if (++leaps > MAX_LEAPS) {
            stall("so many things came due one after another (" + MAX_LEAPS + ") that it is not followed further");
            return;
        }
        // What is due now and was not done is a matter of the clock's grain.
        clock.set(next.isAfter(clock.now()) ? next : clock.now().plusMillis(1));
        settle();
    }

    private void settle() {
        while (stalled.isEmpty()) {
            if (stubs.subject().map(StubbedSubject::takeWord).orElse(false)) {
                // It is looked at rarely: nothing else is ever left there.
                node.node().loops().forEach(ShardLoop::lookAtInbox);
            }
            boolean more = node.stepLoops();
            more |= node.runHandler();
            more |= threads.resumeOne();
            if (!more) {
                return;
            }
            if (++steps > MAX_STEPS) {
                stall("it never comes to rest (" + MAX_STEPS + " steps)");
            }
        }
    }

    private void stall(String reason) {
        List<String> waits = observed().waits();
        stalled = Optional.of(new StalledException(
                reason + (waits.isEmpty() ? "" : "; still waiting for: " + String.join(", ", waits))));
    }

    private Instant next() {
        Instant engine = node.nextWake();
        return engine.isBefore(threads.next()) ? engine : threads.next();
    }

    private boolean isOver() {
        if (run == null) {
            return true;
        }
        try {
            return ports.runs().run(TENANT, run).orElseThrow().status().isFinal();
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }
}
