package dev.flowstone.testkit.simulation.world;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.shard.DecisionRule;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that exists in one seed. Belongs to one thread; equal steps give equal worlds. */
public final class World {
    /** Whose runs they all are. */
    public static final TenantId TENANT = new TenantId("sim");

    static final Expressions EXPRESSIONS = new ScriptExpressions();

    private final long seed;
    private final Sizes settings;
    private final Tampering tampering;
    private final Trace trace;
    private final Coverage coverage = new Coverage();
    private final VirtualClock clock = VirtualClock.start();
    private final Instant beginning = clock.now();
    private final InMemoryDatabase database;
    private final Ledger ledger = new Ledger();
    private final Poison poison = new Poison();
    private final Clients clients = new Clients(coverage);
    private final Network network;
    private final Handlers handlers = new Handlers(this);
    private final Epochs epochs = new Epochs(this);
    private final SubjectBook subjects = new SubjectBook(this);
    private final Mutations mutations = new Mutations(this);
    private final DecisionRule kernel;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<RemoteWorker> workers = List.of(new RemoteWorker(this, 1), new RemoteWorker(this, 2));
    private final Repertoire repertoire;
    private final Chronicle chronicle;
    private final Suspensions suspensions;
    private final PolicyBook policies;
    private @Nullable Violation violation;

    /**
     * A world at its beginning: nothing runs yet.
     *
     * @param programs that its runs follow
     */
    public World(long seed, Collection<Program> programs, Tampering tampering, Trace trace) {
        this.seed = seed;
        this.settings = Sizes.of(seed);
        this.tampering = requireNonNull(tampering);
        this.trace = requireNonNull(trace);
        this.database = new InMemoryDatabase(clock, settings.shards());
        this.network = new Network(database.ports().inbox());
        this.kernel = tampering.rule(DecisionRule.KERNEL);
        this.repertoire = new Repertoire(database.ports().workflows(), programs, clock.now());
        this.chronicle = new Chronicle(this, database.ports().runs(), repertoire);
        this.suspensions = new Suspensions(this, database.ports().settings());
        this.policies = new PolicyBook(this, database.ports().policies());
        for (int i = 1; i <= settings.nodes(); i++) {
            nodes.add(new SimulatedNode(this, i));
        }
    }

    /**
     * Publishes the next version of a workflow: calls that name no version start it, and runs may be moved to it, and back.
     *
     * @param names new names of nodes by those of its first version
     */
    public void publish(Program next, Map<NodeId, NodeId> names) {
        repertoire.publish(next, names, clock.now());
    }

    /** From which program to which runs may be moved. */
    public List<Move> moves() {
        return repertoire.moves();
    }

    public long seed() {
        return seed;
    }

    Sizes settings() {
        return settings;
    }

    /** How long request ids are remembered. */
    public Duration receiptLifetime() {
        return settings.shard().receiptLifetime();
    }

    /** How many starts a second a node takes; 0 if any number. */
    public double startsPerSecond() {
        return settings.quotas().startsPerSecond();
    }

    Tampering tampering() {
        return tampering;
    }

    Handlers handlers() {
        return handlers;
    }

    Epochs epochs() {
        return epochs;
    }

    /** How a node decides: by the kernel, watched. */
    DecisionRule rule(SimulatedNode node) {
        return (env, state, stamp, command) -> {
            coverage.count(Coverage.Sort.COMMAND, command.getClass().getSimpleName());
            Decision decision = kernel.decide(env, state, stamp, command);
            switch (decision) {
                case Decision.Accepted accepted
                when accepted.entry().isPresent() -> {
                    coverage.count(Coverage.Sort.ACCEPTED, command.getClass().getSimpleName());
                    chronicle.remember(accepted.state());
                    policies.decided(node, accepted.events());
                    losesItsOwn(node, state, command).ifPresent(this::violate);
                }
                case Decision.Accepted _, Decision.Rejected _ -> {}
                case Decision.Needs needs -> policies.asked(node, needs.facts());
            }
            return decision;
        };
    }

    private static Optional<Violation> losesItsOwn(SimulatedNode node, RunState state, Command command) {
        return command instanceof Command.CompleteTask complete
                        && complete.answer() instanceof TaskAnswer.Lost
                        && node.worksOn(
                                new RunKey(state.tenant(), state.run()), complete.activation(), complete.attempt())
                ? Optional.of(new Violation(
                        "R11",
                        node.name() + " calls " + complete.activation() + ", attempt " + complete.attempt() + " of "
                                + state.correlation() + ", lost, and works on it itself"))
                : Optional.empty();
    }

    public InMemoryDatabase database() {
        return database;
    }

    public Coverage coverage() {
        return coverage;
    }

    public Trace trace() {
        return trace;
    }

    public Ledger ledger() {
        return ledger;
    }

    public Poison poison() {
        return poison;
    }

    public Clients clients() {
        return clients;
    }

    public Network network() {
        return network;
    }

    /** What runs are about. */
    public SubjectBook subjects() {
        return subjects;
    }

    /** What transactional tasks have done. */
    public Mutations mutations() {
        return mutations;
    }

    /** What stands still, and who knows it. */
    Suspensions suspensions() {
        return suspensions;
    }

    /** What is published of policies. */
    public PolicyBook policies() {
        return policies;
    }

    /** What may be started. */
    public List<Published> workflows() {
        return repertoire.workflows();
    }

    public List<SimulatedNode> nodes() {
        return nodes;
    }

    /** Who makes attempts in other processes. */
    public List<RemoteWorker> workers() {
        return workers;
    }

    /** The nodes that have a process. */
    public List<SimulatedNode> upNodes() {
        return nodes.stream().filter(SimulatedNode::isUp).toList();
    }

    /** Every run that the database holds, as far as it has been read. */
    public Map<RunKey, RunLog> logs() {
        return chronicle.logs();
    }

    /** One that has been read. */
    public RunLog log(RunKey run) {
        return chronicle.log(run);
    }

    /** Runs among them: no channels and the like. */
    public List<RunLog> runs() {
        return logs().values().stream().filter(log -> !log.isAggregate()).toList();
    }

    /** The database's time. */
    public Instant now() {
        return clock.now();
    }

    public void advance(Duration by) {
        clock.advance(by);
        nodes.forEach(SimulatedNode::follow);
    }

    /** When something happens by itself. */
    public Instant next() {
        Instant next = network.next();
        for (SimulatedNode node : nodes) {
            Instant own = node.next();
            next = own.isBefore(next) ? own : next;
        }
        for (RemoteWorker worker : workers) {
            Instant own = worker.next();
            next = own.isBefore(next) ? own : next;
        }
        return next;
    }

    /** Lets one message arrive that is due. */
    public boolean deliver() {
        return network.deliver(now());
    }

    /**
     * Whether a node may take one more shard. Where nodes don't see to that themselves: not while it has one and another node that
     * is up has none.
     */
    boolean mayHave(SimulatedNode asking) {
        boolean hasOne = !settings.shares() && owns(asking);
        return !hasOne || nodes.stream().noneMatch(other -> other != asking && other.runs() && !owns(other));
    }

    private static boolean owns(SimulatedNode node) {
        return node.engine().map(up -> !up.node().loops().isEmpty()).orElse(false);
    }

    /** Faults are over: what is broken is mended, clocks are right, every node is up. */
    public void heal() {
        nodes.forEach(SimulatedNode::heal);
    }

    /** A fault struck. */
    public void struck(String fault) {
        coverage.count(Coverage.Sort.FAULT, fault);
        say(() -> fault + " strikes");
    }

    public void say(Supplier<String> line) {
        trace.say(Trace.since(beginning, now()), line);
    }

    void touch(RunKey run) {
        chronicle.touch(run);
    }

    /** The state that a node had in mind when it decided the event with this hash. */
    public Optional<RunState> decided(Sha256 lastHash) {
        return chronicle.decided(lastHash);
    }

    /** Notes the first rule that was seen broken; for observers whom the engine's own code calls. */
    void violate(Violation seen) {
        if (violation == null) {
            violation = seen;
        }
    }

    /** Runs that moved since the last look, with what is new in their logs. */
    public Map<RunLog, List<Event>> observe() {
        clients.listen();
        if (violation != null) {
            throw violation;
        }
        return chronicle.observe();
    }

    /** A commit is durable. What is wrong about it is told with the next look, for the engine would take it for its own. */
    void stored(Commit commit, Committed committed) {
        try {
            for (RunMove move : commit.moves()) {
                if (committed.moved().contains(move.key())) {
                    subjects.stored(move);
                    suspensions.stored(commit.lease(), move.key());
                }
            }
        } catch (Violation seen) {
            violate(seen);
        }
    }

    /** Reads on what is stored of a run, and answers with what is new; the next look tells it too. */
    List<Event> catchUp(RunKey key) {
        return chronicle.catchUp(key);
    }

    /** Whether a suspension that refuses input was ever set for the workflow's runs. */
    public boolean mayRefuseStarts(WorkflowId workflow) {
        return suspensions.mayRefuseStarts(workflow);
    }
}
