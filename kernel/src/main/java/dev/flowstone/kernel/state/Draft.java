package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.kernel.program.Topology;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A state that one decision is still adding events to: its own copy of the fields, over maps that never change. Only
 * appliers write; {@link #freeze} makes it a {@link RunState}, after which nobody touches it again. Not thread-safe.
 */
public final class Draft {
    final Programs programs;
    Program program;
    Topology topology;
    Sha256 programHash;

    @Nullable
    TenantId tenant;

    @Nullable
    RunId run;

    int version;
    String correlation = "";
    Map<String, Payload> input = Map.of();
    RunStatus status = RunStatus.RUNNING;
    Ending ending = Ending.NONE;

    @Nullable
    Failure failure;

    @Nullable
    Payload output;

    long lastSequence;
    Sha256 lastHash = Sha256.ZERO;
    Instant lastEventTime = Instant.EPOCH;

    LongMap<NodeState> nodes = LongMap.empty();
    LongMap<WorkItem> queue = LongMap.empty();
    long nextItem;
    SortedTree<ActivationId, Attempt> attempts = SortedTree.empty();
    SortedTree<TimerId, TimerState> timers = SortedTree.empty();
    LongMap<Incident> incidents = LongMap.empty();

    /** Visits made under names that no node has now: by moves to other programs. */
    SortedTree<NodeId, Integer> used = SortedTree.empty();

    /** Indexes over the above: keys of queued work, numbers of nested scopes, sequences of incidents by scope. */
    ByScope queued = ByScope.EMPTY;

    ByScope parked = ByScope.EMPTY;

    /** Nodes at which a path of the root scope ended in success, by number. */
    LongMap<NodeId> terminals = LongMap.empty();

    final DraftTree tree;
    final DraftPeople people;
    final DraftPost post;
    final DraftData data;

    /** What operators have done. */
    Controls control = Controls.NONE;

    /** What can be and what is being undone. */
    Undoing undoing = Undoing.NONE;

    /** Where recurring timers stand on their grids. */
    SortedTree<TickPlace, Tick> ticks = SortedTree.empty();

    /** How often the run has waited for somebody. */
    long waits;

    long weight;

    /** Of the input and the newest results of nodes; counted by appliers, not part of the snapshot. */
    long contextBytes;

    /** Who speaks in the rest of an entry, since buffered input was taken in it; not part of the snapshot. */
    @Nullable
    Speaker speaker;

    Draft(Programs programs, Program program, Sha256 programHash) {
        this.programs = programs;
        this.program = program;
        this.topology = program.topology();
        this.programHash = programHash;
        this.tree = new DraftTree();
        this.people = new DraftPeople();
        this.post = new DraftPost();
        this.data = new DraftData();
    }

    Draft(Draft other) {
        this.programs = other.programs;
        this.program = other.program;
        this.topology = other.topology;
        this.programHash = other.programHash;
        this.tenant = other.tenant;
        this.run = other.run;
        this.version = other.version;
        this.correlation = other.correlation;
        this.input = other.input;
        this.status = other.status;
        this.ending = other.ending;
        this.failure = other.failure;
        this.output = other.output;
        this.lastSequence = other.lastSequence;
        this.lastHash = other.lastHash;
        this.lastEventTime = other.lastEventTime;
        this.nodes = other.nodes;
        this.queue = other.queue;
        this.nextItem = other.nextItem;
        this.attempts = other.attempts;
        this.timers = other.timers;
        this.incidents = other.incidents;
        this.used = other.used;
        this.queued = other.queued;
        this.parked = other.parked;
        this.terminals = other.terminals;
        this.tree = new DraftTree(other.tree);
        this.people = new DraftPeople(other.people);
        this.post = new DraftPost(other.post);
        this.data = new DraftData(other.data);
        this.control = other.control;
        this.undoing = other.undoing;
        this.speaker = other.speaker;
        this.ticks = other.ticks;
        this.waits = other.waits;
        this.weight = other.weight;
        this.contextBytes = other.contextBytes;
    }

    /** The state after one more event. */
    public void apply(Event event) {
        Appliers.apply(this, event);
    }

    public PersistentRunState freeze() {
        return new PersistentRunState(this);
    }

    public Program program() {
        return program;
    }

    public Topology topology() {
        return topology;
    }

    public DraftTree tree() {
        return tree;
    }

    public DraftPeople people() {
        return people;
    }

    public DraftPost post() {
        return post;
    }

    public DraftData data() {
        return data;
    }

    public Optional<RunId> run() {
        return Optional.ofNullable(run);
    }

    public Optional<TenantId> tenant() {
        return Optional.ofNullable(tenant);
    }

    public String correlation() {
        return correlation;
    }

    public Optional<Payload> output() {
        return Optional.ofNullable(output);
    }

    public RunStatus status() {
        return status;
    }

    public Ending ending() {
        return ending;
    }

    public Optional<Failure> failure() {
        return Optional.ofNullable(failure);
    }

    public Map<String, Payload> input() {
        return input;
    }

    public long lastSequence() {
        return lastSequence;
    }

    public Instant lastEventTime() {
        return lastEventTime;
    }

    /** What is known about a node, also if it was never visited. */
    public NodeState node(Place place) {
        NodeState known = nodes.get(place.number());
        return known == null ? NodeState.UNVISITED : known;
    }

    /** By number of the node. */
    public LongMap<NodeState> nodes() {
        return nodes;
    }

    /** Visits made under a name that no node has now, by name. */
    public Map<NodeId, Integer> used() {
        Map<NodeId, Integer> all = new HashMap<>();
        used.forEach(all::put);
        return all;
    }

    /** Null if it never was, or is forgotten. */
    public @Nullable Activation activation(ActivationId id) {
        Place place = topology.find(id.node().value());
        return place == null ? null : node(place).activations().get(id.visit());
    }

    /** Null if it has an answer already. */
    public @Nullable Attempt attempt(ActivationId id) {
        return attempts.get(id);
    }

    /** Those that have no answer yet, of canceled activations as well. */
    public Iterable<Attempt> openAttempts() {
        return attempts.values();
    }

    public boolean hasOpenAttempts() {
        return !attempts.isEmpty();
    }

    /** Null if it isn't set. */
    public @Nullable TimerState timer(TimerId id) {
        return timers.get(id);
    }

    /** Where a recurring timer stands on its grid, in the activation's scope instance; null before its first visit there. */
    public @Nullable Tick tick(Activation activation) {
        return ticks.get(TickApplier.place(activation));
    }

    /** How often the run has waited for somebody (R4). */
    public long waits() {
        return waits;
    }

    /** Bytes of the run's input and of its nodes' newest results, in canonical form. */
    public long contextBytes() {
        return contextBytes;
    }

    /** The oldest piece of work, or null if there is none. */
    public @Nullable WorkItem head() {
        return queue.isEmpty() ? null : queue.get(queue.firstKey());
    }

    /** The oldest piece of work after the first that belongs to a scope instance, or null. */
    public @Nullable WorkItem queuedIn(int scope) {
        long key = Queue.firstBehindHead(this, scope);
        return key < 0 ? null : queue.get(key);
    }

    /** Number of the innermost scope instance that an exit does not leave. */
    public int landing(WorkItem.Exit exit) {
        return Scopes.landing(this, exit);
    }

    /** The nodes where the run goes on sooner or later: cost linear in what is alive, for those who only look. */
    public Set<NodeId> aliveAt() {
        return Alive.at(this);
    }

    /** What has failed and is still to choose its edges, or to be left to a person. */
    public Optional<ActivationId> failing() {
        return Alive.failing(this);
    }

    /** The oldest incident of a nested scope instance, or null. */
    public @Nullable Incident firstIncident(int scope) {
        long sequence = parked.next(scope, -1);
        return sequence < 0 ? null : incidents.get(sequence);
    }

    /** The newest result of a node as seen from a scope instance: that of its own branch, if it has one there. */
    public @Nullable Payload result(Place place, int scope) {
        for (LongMap<Payload> own : tree.branchResults(scope)) {
            Payload result = own.get(place.number());
            if (result != null) {
                return result;
            }
        }
        return node(place).result();
    }

    /** Whether anything is left to decide without anybody's doing; nothing is while the run is suspended. */
    public boolean hasWork() {
        return control.hold() != Hold.SUSPENDED
                && (!queue.isEmpty()
                        || hasInput()
                        || !people.voided.isEmpty()
                        || (ending == Ending.NONE ? !people.drifting.isEmpty() : tree.firstLive() != null));
    }

    /** Whether buffered input may be decided now. */
    public boolean hasInput() {
        return control.hold() != Hold.SUSPENDED && !control.buffer().isEmpty();
    }

    /** Whether nothing in the run is alive (R7); attempts of canceled activations don't count. */
    public boolean isOver() {
        ScopeInstance root = tree.scopes.get(ScopeInstance.ROOT);
        return root != null && root.alive() == 0;
    }

    public LongMap<NodeId> terminals() {
        return terminals;
    }

    public Controls control() {
        return control;
    }

    public Hold hold() {
        return control.hold();
    }

    /** Whether what is set for a scope concerns the run: nothing holds up one that is over, canceled or terminated. */
    public boolean heeds() {
        return !status.isFinal() && ending != Ending.CANCELING && ending != Ending.KILLED;
    }

    public Undoing undoing() {
        return undoing;
    }

    /** By number of the event that raised them. */
    public LongMap<Incident> incidents() {
        return incidents;
    }

    /** In the order of their ids. */
    public List<TimerState> timers() {
        return timers.values();
    }

    /** The scope instance on whose stack an effect of this activation stands: its own, or the root's if it is closed. */
    public int owner(Activation activation) {
        return tree.scopes.get(activation.scope()) == null ? ScopeInstance.ROOT : activation.scope();
    }

    /** Whether an attempt is open that is none of an undoing. */
    public boolean hasForwardAttempts() {
        return attempts.size() > undoing.attempts();
    }

    /** Programs by hash, for a run that changes to another one. */
    public Programs programs() {
        return programs;
    }

    public Sha256 programHash() {
        return programHash;
    }

    /**
     * From now on the state is one of a run of that program.
     *
     * @throws UnknownProgramException if nobody knows it: such a history can't be read here
     */
    void follow(Sha256 hash) {
        if (!hash.equals(programHash)) {
            Program found = programs.find(hash).orElseThrow(() -> new UnknownProgramException(hash));
            program = found;
            topology = found.topology();
            programHash = hash;
        }
    }

    /** What a gate may use of a human task's decisions, or null. */
    public @Nullable Verdict verdict(NodeId human, Activation gate) {
        return Verdicts.find(this, human, gate);
    }
}
