package dev.flowstone.testkit.scenario;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.file.Given;
import dev.flowstone.testkit.scenario.file.Stub;
import dev.flowstone.testkit.scenario.program.Handlers;
import dev.flowstone.testkit.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whatever a scenario has in place of what is real where workflows are run: handlers, and what its run is about. */
final class ScenarioStubs {
    private final ScenarioPrograms programs;
    private final Given given;
    private final StubbedHandler handler;
    private final Optional<StubbedSubject> subject;
    private final Optional<StubbedTransactions> transactions;
    private final Ports database;
    private final ScenarioRuns runs;

    ScenarioStubs(Ports database, TenantId tenant, ScenarioPrograms programs, Given given, VirtualClock clock) {
        this.database = database;
        this.programs = programs;
        this.given = given;
        this.handler = new StubbedHandler(given, clock);
        this.runs = new ScenarioRuns(database, tenant, programs, given, this, clock);
        this.subject = given.subject().map(it -> new StubbedSubject(database, tenant, it, transactional()));
        this.transactions =
                subject.map(it -> new StubbedTransactions(database.transactions(), it, this::answer, clock));
    }

    /** The database's own, but for what stubs say of transactions. */
    Ports ports() {
        return transactions.map(this::with).orElse(database);
    }

    private Ports with(Transactions stubbed) {
        return new Ports(
                database.journal(),
                database.leases(),
                database.outbox(),
                database.inbox(),
                database.runs(),
                database.humanTasks(),
                database.feed(),
                database.workflows(),
                database.clock(),
                database.subjects(),
                stubbed,
                database.settings(),
                database.policies());
    }

    /** Every action that the scenario's programs call. */
    HandlerRegistry registry() {
        HandlerRegistry.Builder actions = HandlerRegistry.builder();
        Set<HandlerName> transactional = transactional();
        for (HandlerName name : called()) {
            ActionDescription description = new ActionDescription(name, "stubbed", List.of());
            if (transactional.contains(name)) {
                // Without a subject the engine doesn't get as far as a handler.
                actions.transactional(
                        description,
                        subject.map(handler::on)
                                .orElse((_, _) -> TaskResult.permanent("NO_SUBJECT", "the run is about nothing")));
            } else {
                actions.action(description, handler);
            }
        }
        return actions.build();
    }

    private Set<HandlerName> called() {
        return programs.all().stream()
                .flatMap(it -> Handlers.of(it).stream())
                .collect(Collectors.toCollection(TreeSet<HandlerName>::new));
    }

    private Set<HandlerName> transactional() {
        return called().stream()
                .filter(it -> given.isTransactional(it, programs.all()))
                .collect(Collectors.toSet());
    }

    /** What is said of an attempt that is under way. */
    private Optional<Stub.Answer> answer(TransactionRequest request) {
        Optional<RunState> run = runs.observed(request.run().run()).flatMap(Observed::state);
        return run.flatMap(it -> it.openAttempt(request.activation()))
                .flatMap(it ->
                        given.stub(it.handler().value(), it.activation().node().value()))
                .map(it -> it.answer(request.attempt()));
    }

    /** The scenario's runs, and what is beside them. */
    ScenarioRuns runs() {
        return runs;
    }

    /** What the scenario's run is about, if it is about something. */
    Optional<StubbedSubject> subject() {
        return subject;
    }

    /** In order. */
    List<Observed.Call> calls() {
        return handler.calls();
    }

    /** What stubs don't say, or can't. */
    List<String> faults() {
        List<String> lines = new ArrayList<>(handler.unstubbed());
        transactions.ifPresent(it -> lines.addAll(it.impossible()));
        return lines;
    }
}
