package dev.flowstone.testkit.simulation.world;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.shard.DecisionRule;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that exists in one seed. Belongs to one thread; equal steps give equal worlds. */
public final class World {
    /** Whose runs they all are. */
    public static final TenantId TENANT = new TenantId("sim");

    static final Expressions EXPRESSIONS = new ScriptExpressions();
    private static final int ALL = Integer.MAX_VALUE;
    private static final int DECIDED = 500;

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
    private final Clients clients = new Clients();
    private final Network network;
    private final Handlers handlers = new Handlers(this);
    private final Epochs epochs = new Epochs(this);
    private final SubjectBook subjects = new SubjectBook(this);
    private final Mutations mutations = new Mutations(this);
    private final DecisionRule kernel;
    private final List<Published> workflows = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();
    private final Map<Sha256, Program> programs = new HashMap<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<RunKey, RunLog> logs = new TreeMap<>();
    private final NavigableSet<RunKey> touched = new TreeSet<>();
    private final Map<RunLog, List<Event>> moved = new LinkedHashMap<>();
    private final Map<Sha256, RunState> decided = new LinkedHashMap<>();
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
        for (Program program : programs) {
            workflows.add(Published.in(database.ports().workflows(), TENANT, program, clock.now()));
        }
        workflows.forEach(one -> this.programs.put(one.hash(), one.program()));
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
        Published first = workflows.stream()
                .filter(one -> one.program().workflow().equals(next.workflow()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such workflow: " + next));
        Published second = Published.next(database.ports().workflows(), TENANT, next, clock.now());
        programs.put(second.hash(), next);
        Map<NodeId, NodeId> back = new HashMap<>();
        names.forEach((old, now) -> back.put(now, old));
        moves.add(new Move(first, second, names));
        moves.add(new Move(second, first, back));
    }

    /** From which program to which runs may be moved. */
    public List<Move> moves() {
        return moves;
    }

    public long seed() {
        return seed;
    }

    Sizes settings() {
        return settings;
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
            if (decision instanceof Decision.Accepted accepted
                    && accepted.entry().isPresent()) {
                remember(accepted.state());
                if (command instanceof Command.CompleteTask complete
                        && complete.answer() instanceof TaskAnswer.Lost
                        && node.worksOn(
                                new RunKey(state.tenant(), state.run()), complete.activation(), complete.attempt())) {
                    violate(new Violation(
                            "R11",
                            node.name() + " calls " + complete.activation() + ", attempt " + complete.attempt() + " of "
                                    + state.correlation() + ", lost, and works on it itself"));
                }
            }
            return decision;
        };
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

    /** What may be started. */
    public List<Published> workflows() {
        return workflows;
    }

    public List<SimulatedNode> nodes() {
        return nodes;
    }

    /** The nodes that have a process. */
    public List<SimulatedNode> upNodes() {
        return nodes.stream().filter(SimulatedNode::isUp).toList();
    }

    /** Every run that the database holds, as far as it has been read. */
    public Map<RunKey, RunLog> logs() {
        return logs;
    }

    /** One that has been read. */
    public RunLog log(RunKey run) {
        return requireNonNull(logs.get(run), "a run that nobody has read");
    }

    /** Runs among them: no channels and the like. */
    public List<RunLog> runs() {
        return logs.values().stream().filter(log -> !log.isAggregate()).toList();
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
        return next;
    }

    /** Lets one message arrive that is due. */
    public boolean deliver() {
        return network.deliver(now());
    }

    /** Whether a node may take one more shard: not while it has one and another node that is up has none. */
    boolean mayHave(SimulatedNode asking) {
        boolean hasOne = owns(asking);
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
        touched.add(run);
    }

    private void remember(RunState state) {
        if (decided.size() >= DECIDED) {
            decided.remove(decided.keySet().iterator().next());
        }
        decided.put(state.lastHash(), state);
    }

    /** The state that a node had in mind when it decided the event with this hash. */
    public Optional<RunState> decided(Sha256 lastHash) {
        return Optional.ofNullable(decided.get(lastHash));
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
        for (RunKey key : List.copyOf(touched)) {
            catchUp(key);
        }
        touched.clear();
        Map<RunLog, List<Event>> seen = new LinkedHashMap<>(moved);
        moved.clear();
        return seen;
    }

    /** A commit is durable. What is wrong about it is told with the next look, for the engine would take it for its own. */
    void stored(Commit commit, Committed committed) {
        try {
            for (RunMove move : commit.moves()) {
                if (committed.moved().contains(move.key())) {
                    subjects.stored(move);
                }
            }
        } catch (Violation seen) {
            violate(seen);
        }
    }

    /** Reads on what is stored of a run, and answers with what is new; the next look tells it too. */
    List<Event> catchUp(RunKey key) {
        try {
            Optional<RunRow> row = database.ports().runs().run(key.tenant(), key.run());
            if (row.isEmpty()) {
                return List.of();
            }
            RunLog log = logs.computeIfAbsent(
                    key,
                    _ -> new RunLog(
                            key,
                            this::program,
                            from -> Optional.ofNullable(logs.get(new RunKey(key.tenant(), from))),
                            program(row.get()),
                            row.get().program()));
            List<StoredEntry> entries = database.ports()
                    .runs()
                    .entries(key.tenant(), key.run(), log.state().lastSequence() + 1, ALL);
            List<Event> fresh = log.follow(entries);
            if (!fresh.isEmpty()) {
                moved.computeIfAbsent(log, _ -> new ArrayList<>()).addAll(fresh);
                fresh.forEach(event -> count(log, event));
            }
            return fresh;
        } catch (JournalException e) {
            throw new IllegalStateException("the database in memory can't be read", e);
        }
    }

    private Optional<Program> program(Sha256 hash) {
        return Optional.ofNullable(programs.get(hash)).or(() -> Aggregates.program(hash));
    }

    private Program program(RunRow row) {
        return program(row.program())
                .orElseThrow(() -> new Violation("I2", "run " + row.key() + " follows an unknown program"));
    }

    private void count(RunLog log, Event event) {
        EventBody body = event.body();
        coverage.count(Coverage.Sort.EVENT, body.kind());
        if (body instanceof EventBody.ActivationOpened opened) {
            coverage.count(
                    Coverage.Sort.NODE,
                    log.programAt(event.sequence())
                            .node(opened.activation().node())
                            .getClass()
                            .getSimpleName());
        }
        say(() -> log.name() + " " + event.sequence() + " " + brief(body));
    }

    private static String brief(EventBody body) {
        String text = body.toString();
        return text.length() > 160 ? text.substring(0, 160) + "…" : text;
    }

    /** Whether a suspension that refuses input was ever set for the workflow's runs. */
    public boolean mayRefuseStarts(WorkflowId workflow) {
        try {
            return SettingLog.EMPTY
                    .with(database.ports().settings().after(0, Integer.MAX_VALUE))
                    .timeline(TENANT, workflow)
                    .stream()
                    .anyMatch(setting -> setting.mode() == Setting.Mode.SUSPEND
                            && setting.policy().input() == HoldPolicy.InputRule.REJECT);
        } catch (JournalException e) {
            throw new IllegalStateException("settings in memory can't fail", e);
        }
    }
}
