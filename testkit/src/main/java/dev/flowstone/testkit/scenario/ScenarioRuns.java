package dev.flowstone.testkit.scenario;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.aggregate.Aggregates.Kind;
import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.check.ObservedSubject;
import dev.flowstone.testkit.scenario.check.Surroundings;
import dev.flowstone.testkit.scenario.file.Given;
import dev.flowstone.testkit.time.VirtualClock;
import java.util.List;
import java.util.Optional;

/** What a scenario's database tells of runs and of what is beside them: folded from their events alone. */
final class ScenarioRuns implements Surroundings {
    private final Ports ports;
    private final TenantId tenant;
    private final ScenarioPrograms programs;
    private final Given given;
    private final ScenarioStubs stubs;
    private final VirtualClock clock;

    ScenarioRuns(
            Ports ports,
            TenantId tenant,
            ScenarioPrograms programs,
            Given given,
            ScenarioStubs stubs,
            VirtualClock clock) {
        this.ports = ports;
        this.tenant = tenant;
        this.programs = programs;
        this.given = given;
        this.stubs = stubs;
        this.clock = clock;
    }

    /** The scenario's own run before it begins, or if it may not begin. */
    Observed unborn(Optional<Observed.Refusal> refusal) {
        return new Observed(
                programs.first().program(),
                refusal,
                Optional.empty(),
                List.of(),
                stubs.calls(),
                given.now(),
                clock.now(),
                this);
    }

    /** A run, if it began, by the program that its first event names. */
    Optional<Observed> observed(RunId of) {
        List<Event> events = History.of(ports.runs(), tenant, of).events();
        if (events.isEmpty()) {
            return Optional.empty();
        }
        Published follows = programs.of(events.getFirst().header().workflow());
        RunState folded = Kernel.initial(programs::known, follows.program(), follows.hash());
        for (Event event : events) {
            folded = folded.apply(event);
        }
        return Optional.of(new Observed(
                folded.program(),
                Optional.empty(),
                Optional.of(folded),
                events,
                stubs.calls(),
                events.getFirst().header().eventTime(),
                clock.now(),
                this));
    }

    @Override
    public JsonValue value(Payload payload) {
        try {
            return new PayloadReader(ports.journal()).resolve(tenant, payload);
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<Program> programs() {
        return programs.all();
    }

    @Override
    public Optional<Sha256> version(WorkflowId workflow, int version) {
        return programs.version(workflow, version);
    }

    @Override
    public Optional<ChannelState> channel(String type, String key) {
        RunState folded = Kernel.initial(Kind.CHANNEL.program(), Kind.CHANNEL.hash());
        for (Event event : History.of(ports.runs(), tenant, Aggregates.channel(tenant, type, key))
                .events()) {
            folded = folded.apply(event);
        }
        return folded.lastSequence() > 0 && folded instanceof ChannelState channel
                ? Optional.of(channel)
                : Optional.empty();
    }

    @Override
    public Optional<ObservedSubject> subject() {
        return stubs.subject().map(StubbedSubject::observed);
    }

    @Override
    public Optional<Observed> run(RunId of) {
        return observed(of);
    }
}
