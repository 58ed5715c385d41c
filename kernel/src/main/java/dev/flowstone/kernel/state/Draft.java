package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.kernel.program.Topology;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A state that one decision is still adding events to: its own copy of the fields, over maps that never change. Only
 * appliers write; {@link #freeze} makes it a {@link RunState}, after which nobody touches it again. Not thread-safe.
 */
public final class Draft {
    /** Sorts before every other activation. */
    private static final ActivationId FIRST = new ActivationId(new NodeId(" "), 1);

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
    LongMap<ScopeInstance> scopes = LongMap.empty();
    int nextScope;
    LongMap<WorkItem> queue = LongMap.empty();
    long nextItem;
    SortedTree<ActivationId, Attempt> attempts = SortedTree.empty();
    SortedTree<TimerId, TimerState> timers = SortedTree.empty();
    LongMap<Incident> incidents = LongMap.empty();

    /** Visits of forks whose join has not been entered. */
    SortedTree<ActivationId, ForkState> forks = SortedTree.empty();

    /** Indexes over the above: keys of queued work, numbers of nested scopes, sequences of incidents by scope. */
    ByScope queued = ByScope.EMPTY;

    ByScope nested = ByScope.EMPTY;
    ByScope parked = ByScope.EMPTY;

    /** Numbers of the scope instances in which an activation waits for its result. */
    LongMap<Boolean> waiting = LongMap.empty();

    /** How many activations wait for their result. */
    int live;

    /** Nodes at which a path of the root scope ended in success, by number. */
    LongMap<NodeId> terminals = LongMap.empty();

    /** The last message heard of each sender. */
    Heard heard = Heard.NOBODY;

    SortedTree<ActivationId, OpenAwait> awaits = SortedTree.empty();
    SortedTree<ActivationId, HeldPermit> permits = SortedTree.empty();
    SortedTree<PermitPlace, ActivationId> permitPlaces = SortedTree.empty();
    SortedTree<ActivationId, OpenChild> children = SortedTree.empty();
    int awaitedChildren;

    @Nullable
    Parentage parentage;

    /** Who started the run at the top of the tree; known only if this one may call others. */
    String principal = "";
    /** Those that are open. */
    SortedTree<ActivationId, HumanTaskState> humanTasks = SortedTree.empty();

    /** Those of them that the newest change of the subject is still to be dealt with for; only the keys count. */
    SortedTree<ActivationId, HumanTaskState> drifting = SortedTree.empty();

    SortedTree<Verdict.Key, Verdict> verdicts = SortedTree.empty();

    /** Void, which is still to be told. */
    SortedTree<Verdict.Key, Verdict> voided = SortedTree.empty();

    SortedTree<String, Attestation> attestations = SortedTree.empty();

    /** What the run was bound to at its start; of its versions only the first. */
    @Nullable
    SubjectBinding subject;

    @Nullable
    Long subjectVersion;

    SortedTree<String, Variable> variables = SortedTree.empty();
    long variableBytes;
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
        this.scopes = other.scopes;
        this.nextScope = other.nextScope;
        this.queue = other.queue;
        this.nextItem = other.nextItem;
        this.attempts = other.attempts;
        this.timers = other.timers;
        this.incidents = other.incidents;
        this.forks = other.forks;
        this.queued = other.queued;
        this.nested = other.nested;
        this.parked = other.parked;
        this.waiting = other.waiting;
        this.live = other.live;
        this.terminals = other.terminals;
        this.control = other.control;
        this.undoing = other.undoing;
        this.speaker = other.speaker;
        this.heard = other.heard;
        this.awaits = other.awaits;
        this.permits = other.permits;
        this.permitPlaces = other.permitPlaces;
        this.children = other.children;
        this.awaitedChildren = other.awaitedChildren;
        this.parentage = other.parentage;
        this.principal = other.principal;
        this.humanTasks = other.humanTasks;
        this.drifting = other.drifting;
        this.verdicts = other.verdicts;
        this.voided = other.voided;
        this.attestations = other.attestations;
        this.subject = other.subject;
        this.subjectVersion = other.subjectVersion;
        this.variables = other.variables;
        this.variableBytes = other.variableBytes;
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

    public Heard heard() {
        return heard;
    }

    /** Null if it waits for nothing, or no longer. */
    public @Nullable OpenAwait await(ActivationId id) {
        return awaits.get(id);
    }

    /** Null if the run doesn't hold any by this await. */
    public @Nullable HeldPermit permit(ActivationId id) {
        return permits.get(id);
    }

    /** Some permits that the run holds; null if it holds none. */
    public @Nullable HeldPermit anyPermit() {
        ActivationId first = permits.firstKey();
        return first == null ? null : permits.get(first);
    }

    /** All permits that the run holds. */
    public List<HeldPermit> permits() {
        return permits.values();
    }

    /** Some permits that are held in a scope instance; null if there are none. */
    public @Nullable HeldPermit permitIn(int scope) {
        PermitPlace place = permitPlaces.ceilingKey(new PermitPlace(scope, FIRST));
        return place == null || place.scope() != scope ? null : permits.get(place.activation());
    }

    /** Some permits that an await got in a scope instance; null if there are none. */
    public @Nullable HeldPermit permitIn(int scope, NodeId await) {
        PermitPlace place = permitPlaces.ceilingKey(new PermitPlace(scope, new ActivationId(await, 1)));
        return place == null
                        || place.scope() != scope
                        || !place.activation().node().equals(await)
                ? null
                : permits.get(place.activation());
    }

    /** The child that a call started, or null if it has ended, as far as is known. */
    public @Nullable OpenChild child(ActivationId call) {
        return children.get(call);
    }

    /** Children that haven't ended, as far as is known, by call. */
    public List<OpenChild> children() {
        return children.values();
    }

    /** Whether the run may not end before a child has. */
    public boolean awaitsChildren() {
        return awaitedChildren > 0;
    }

    /** Whose child this is; empty if nobody called it. */
    public Optional<Parentage> parentage() {
        return Optional.ofNullable(parentage);
    }

    /** Who started the run at the top of the tree; empty if this one calls nobody. */
    public String principal() {
        return principal;
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

    /** Null if it never was, or is forgotten. */
    public @Nullable Activation activation(ActivationId id) {
        Place place = topology.find(id.node().value());
        return place == null ? null : node(place).activations().get(id.visit());
    }

    /** Null if it has an answer already. */
    public @Nullable Attempt attempt(ActivationId id) {
        return attempts.get(id);
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

    /** Number of the next scope instance. */
    public int nextScope() {
        return nextScope;
    }

    /** Null if it is closed. */
    public @Nullable ScopeInstance scope(int number) {
        return scopes.get(number);
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
        Set<NodeId> nodes = new TreeSet<>();
        for (ScopeInstance scope : scopes.values()) {
            scope.live().values().forEach(activation -> nodes.add(activation.node()));
        }
        queue.values().stream().filter(item -> !Queue.isControl(item)).forEach(item -> nodes.add(nodeOf(item)));
        incidents.values().forEach(incident -> nodes.add(nodeOf(incident.parked())));
        return nodes;
    }

    private NodeId nodeOf(WorkItem item) {
        return switch (item) {
            case WorkItem.Enter enter -> topology.place(enter.node()).node().id();
            case WorkItem.Skip skip -> topology.place(skip.node()).node().id();
            case WorkItem.Route route -> route.activation().node();
            case WorkItem.Exit exit -> program.edge(exit.edge()).to();
            case WorkItem.Fan fan -> fan.fork().node();
            case WorkItem.Fire fire -> fire.fork().node();
            case WorkItem.Undo _, WorkItem.Release _ -> program.root().entry();
            case WorkItem.Settle settle -> {
                ScopeInstance scope = scopes.get(settle.scope());
                yield scope == null
                        ? program.root().entry()
                        : scope.scope().out().orElse(scope.scope().entry());
            }
        };
    }

    /** An activation that waits for its result, in any scope; innermost scopes first; null if there is none. */
    public @Nullable ActivationId firstLive() {
        ScopeInstance scope = waiting.isEmpty() ? null : scopes.get(waiting.lastKey());
        return scope == null ? null : scope.live().firstKey();
    }

    /** How many activations wait for their result, in all scopes. */
    public int liveActivations() {
        return live;
    }

    /** Null if its join has been entered, or if it was closed. */
    public @Nullable ForkState fork(ActivationId fork) {
        return forks.get(fork);
    }

    /** A scope instance that is open right inside this nested one, the oldest; null if there is none. */
    public @Nullable ScopeInstance firstInside(int scope) {
        long child = nested.next(scope, -1);
        return child < 0 ? null : scopes.get(child);
    }

    /** The oldest incident of a nested scope instance, or null. */
    public @Nullable Incident firstIncident(int scope) {
        long sequence = parked.next(scope, -1);
        return sequence < 0 ? null : incidents.get(sequence);
    }

    /** How many scopes lie around a scope instance. */
    public int depth(int scope) {
        int depth = 0;
        for (int at = scope; at != ScopeInstance.ROOT; at = Scopes.parent(this, at)) {
            depth++;
        }
        return depth;
    }

    /** What the branches around a scope instance remember of their nodes' results, innermost first. */
    public List<LongMap<Payload>> branchResults(int scope) {
        if (scope == ScopeInstance.ROOT) {
            return List.of();
        }
        List<LongMap<Payload>> results = new ArrayList<>();
        for (int at = scope; at > ScopeInstance.ROOT; at = Scopes.parent(this, at)) {
            ScopeInstance around = scopes.get(at);
            if (around != null && around.branch() != null) {
                results.add(around.branch().results());
            }
        }
        return results;
    }

    /** The newest result of a node as seen from a scope instance: that of its own branch, if it has one there. */
    public @Nullable Payload result(Place place, int scope) {
        for (LongMap<Payload> own : branchResults(scope)) {
            Payload result = own.get(place.number());
            if (result != null) {
                return result;
            }
        }
        return node(place).result();
    }

    /** The innermost branch around a scope instance that was opened for an element of a collection; null if none is. */
    public @Nullable BranchState itemAround(int scope) {
        for (int at = scope; at > ScopeInstance.ROOT; at = Scopes.parent(this, at)) {
            ScopeInstance around = scopes.get(at);
            if (around != null && around.branch() != null && around.branch().item() != null) {
                return around.branch();
            }
        }
        return null;
    }

    /** Whether anything is left to decide without anybody's doing; nothing is while the run is suspended. */
    public boolean hasWork() {
        return control.hold() != Hold.SUSPENDED
                && (!queue.isEmpty()
                        || hasInput()
                        || !voided.isEmpty()
                        || (ending == Ending.NONE ? !drifting.isEmpty() : firstLive() != null));
    }

    /** Whether buffered input may be decided now. */
    public boolean hasInput() {
        return control.hold() != Hold.SUSPENDED && !control.buffer().isEmpty();
    }

    /** Whether nothing in the run is alive (R7); attempts of canceled activations don't count. */
    public boolean isOver() {
        ScopeInstance root = scopes.get(ScopeInstance.ROOT);
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

    public Undoing undoing() {
        return undoing;
    }

    /** By number of the event that raised them. */
    public LongMap<Incident> incidents() {
        return incidents;
    }

    /** Those that are open, the oldest first. */
    public List<ScopeInstance> scopes() {
        return scopes.values();
    }

    /** In the order of their ids. */
    public List<TimerState> timers() {
        return timers.values();
    }

    /** The scope instance on whose stack an effect of this activation stands: its own, or the root's if it is closed. */
    public int owner(Activation activation) {
        return scopes.get(activation.scope()) == null ? ScopeInstance.ROOT : activation.scope();
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

    /** Null if nobody is asked, or not any more. */
    public @Nullable HumanTaskState humanTask(ActivationId id) {
        return humanTasks.get(id);
    }

    /** Whether the newest change of the subject is still to be dealt with for this task. */
    public boolean isDrifting(ActivationId id) {
        return drifting.get(id) != null;
    }

    /** A task that the newest change of the subject is still to be dealt with for, or null. */
    public @Nullable ActivationId firstDrifting() {
        return drifting.firstKey();
    }

    /** A decision that is void, which is still to be told, or null. */
    public @Nullable ActivationId firstVoided() {
        Verdict.Key first = voided.firstKey();
        Verdict verdict = first == null ? null : voided.get(first);
        return verdict == null ? null : verdict.decided();
    }

    /** Decisions that wait for a gate to use them. */
    public List<Verdict> verdicts() {
        return verdicts.values();
    }

    /** What a gate may use of a human task's decisions, or null. */
    public @Nullable Verdict verdict(NodeId human, Activation gate) {
        return Verdicts.find(this, human, gate);
    }

    /** Null if it is not open. */
    public @Nullable Attestation attestation(String id) {
        return attestations.get(id);
    }

    /** What the run was bound to at its start. */
    public Optional<SubjectBinding> subject() {
        return Optional.ofNullable(subject);
    }

    /** Of the subject, as far as the run knows; empty while it is not bound to one. */
    public Optional<Long> subjectVersion() {
        return Optional.ofNullable(subjectVersion);
    }

    /** By name. */
    public JsonObject variables() {
        return variables.isEmpty() ? JsonObject.EMPTY : JsonObject.view(new VariableView(variables));
    }

    /** Bytes of all variables if these were set. */
    public long variableBytesWith(Map<String, JsonValue> assigned) {
        long bytes = variableBytes;
        for (Map.Entry<String, JsonValue> one : assigned.entrySet()) {
            Variable before = variables.get(one.getKey());
            bytes += DataApplier.variable(one.getKey(), one.getValue()).bytes() - (before == null ? 0 : before.bytes());
        }
        return bytes;
    }
}
