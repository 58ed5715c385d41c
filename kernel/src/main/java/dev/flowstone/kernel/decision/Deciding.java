package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.event.EntryWriter;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.Outgoing;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.kernel.payload.Content;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.PersistentRunState;
import dev.flowstone.kernel.state.UndoStack;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One decision while it is being made: what it may use, the events so far, and the state after them. Every event is
 * encoded, linked and applied as it is emitted, so that the next rule sees the state as a later fold will.
 */
final class Deciding {
    private final Env env;
    private Stamp stamp;
    private final Draft draft;
    private final EntryWriter entry;
    private final Instant now;
    private final List<EventBody> events = new ArrayList<>();
    private final List<Outgoing> messages = new ArrayList<>(0);
    private final List<Content> aside = new ArrayList<>(0);
    private int work;
    private long steps;
    private int inputs;
    private boolean buffered;
    private int scope;
    private long bytes;
    private int renewed;

    private Deciding(
            Env env,
            Stamp stamp,
            PersistentRunState state,
            TenantId tenant,
            RunId run,
            int version,
            String correlation) {
        this.env = env;
        this.stamp = stamp;
        this.draft = state.draft();
        Instant stamped = Times.storable(stamp.time());
        this.now = stamped.isAfter(state.lastEventTime()) ? stamped : state.lastEventTime();
        EventHeader header = new EventHeader(
                EventHeader.SCHEMA,
                tenant,
                state.program().workflow(),
                version,
                run,
                state.lastSequence() + 1,
                now,
                stamp.effective().map(Times::storable),
                stamp.actor(),
                stamp.authorization(),
                stamp.idempotencyKey(),
                stamp.causation(),
                correlation);
        this.entry = new EntryWriter(header, state.lastHash());
    }

    static Deciding start(Env env, Stamp stamp, PersistentRunState state, Command.StartRun command) {
        return new Deciding(env, stamp, state, command.tenant(), command.run(), command.version(), stamp.correlation());
    }

    /** A child begins: it inherits its parent's correlation (R22). */
    static Deciding child(Env env, Stamp stamp, PersistentRunState state, Command.Deliver command) {
        if (!(command.message() instanceof Message.StartChild child)) {
            throw new IllegalStateException("a run begins by being started, not by " + command.message());
        }
        return new Deciding(
                env, stamp, state, command.tenant(), command.receiver(), child.version(), child.correlation());
    }

    static Deciding start(Env env, Stamp stamp, PersistentRunState state, ControlCommand.StartFrom command) {
        return new Deciding(env, stamp, state, command.tenant(), command.run(), command.version(), stamp.correlation());
    }

    static Deciding resume(Env env, Stamp stamp, PersistentRunState state) {
        return new Deciding(env, stamp, state, state.tenant(), state.run(), state.version(), stamp.correlation());
    }

    Env env() {
        return env;
    }

    Bounds bounds() {
        return env.bounds();
    }

    Draft state() {
        return draft;
    }

    /** Who asks, and why: of the command that is being decided, also when it was buffered. */
    Stamp stamp() {
        return stamp;
    }

    /** Decides for another stamp from now on; returns the one before. The event time stays the decision's. */
    Stamp speakFor(Stamp other) {
        Stamp before = stamp;
        stamp = other;
        return before;
    }

    /** The command was recorded, to be decided later. */
    void buffered() {
        buffered = true;
    }

    /** Counts a buffered input that is decided now (R25). */
    void input() {
        inputs++;
    }

    /** Who caused it. */
    Actor actor() {
        return stamp.actor();
    }

    /** The decision's only randomness. */
    long random() {
        return stamp.random();
    }

    /** The event time of everything that is emitted (R2). */
    Instant now() {
        return now;
    }

    /**
     * Begins an activation once more. Timers that it sets have generations above all that it ever set, for each of those
     * took an event.
     */
    void renewing(Runnable begin) {
        renewed = (int) Math.min(draft.lastSequence(), Timers.GENERATIONS);
        begin.run();
        renewed = 0;
    }

    /** What generations of timers grow by while an activation begins once more. */
    int renewed() {
        return renewed;
    }

    /** From now on expressions see what is to be seen in this scope instance: a branch's own element and results. */
    void within(int scopeInstance) {
        scope = scopeInstance;
    }

    /** The same, in the scope instance that an activation lives in. */
    void within(ActivationId activation) {
        Activation known = draft.activation(activation);
        scope = known == null ? 0 : known.scope();
    }

    Rendering render(JsonValue template) {
        Rendering rendering = env.expressions().render(template, roots());
        used(rendering.steps(), rendering.bytes());
        return rendering;
    }

    /** What undoes an effect sees of the run: its own answer, and what its branches saw when they ended. */
    Rendering render(JsonValue template, UndoStack.Effect effect) {
        Rendering rendering = env.expressions().render(template, new RunRoots(env, draft, effect));
        used(rendering.steps(), rendering.bytes());
        return rendering;
    }

    /** What expressions may see at this moment. */
    Roots roots() {
        return new RunRoots(env, draft, scope);
    }

    int headerBytes() {
        return entry.headerBytes();
    }

    /** Emits an event whose size is bounded by what it is made of. */
    void emit(EventBody body) {
        if (!offer(body, Integer.MAX_VALUE)) {
            throw new IllegalStateException("an event of more than 2 GiB");
        }
    }

    /** Emits an event unless it is longer than the declared bound of one. */
    boolean offer(EventBody body) {
        return offer(body, env.bounds().eventBytes());
    }

    private boolean offer(EventBody body, int maxBytes) {
        if (body instanceof EventBody.ScopeClosed closed) {
            Permits.scopeCloses(this, closed.number());
        } else if (body.endsRun()) {
            Permits.runEnds(this);
        }
        Event event = entry.append(body, maxBytes);
        if (event == null) {
            return false;
        }
        draft.apply(event);
        events.add(body);
        if (body.endsRun()) {
            Reporting.ended(this);
        }
        return true;
    }

    /** Sends a message that the event emitted last has caused; one event causes at most one message to a receiver. */
    void send(RunId to, Message message) {
        Outgoings.add(messages, new Outgoing(to, draft.lastSequence(), message));
    }

    /**
     * A value on its way into an event, by hash if it is large; {@link #keep} it once the event is emitted.
     *
     * @throws Carried.TooLargeException if it is longer than the declared bound of one that is set aside
     */
    Carried carry(JsonValue value) throws Carried.TooLargeException {
        Bounds bounds = env.bounds();
        int inline = Math.min(bounds.inlineBytes(), bounds.eventBytes() / 2);
        return Carried.of(value, inline, bounds.payloadBytes());
    }

    /** Has the content stored with the events, if the value is not in its event. */
    void keep(Carried carried) {
        carried.content().ifPresent(aside::add);
    }

    /** Counts openings and routings (R4). */
    void work(int units) {
        work += units;
    }

    /** Counts what expressions used (R3). */
    void used(long expressionSteps, long expressionBytes) {
        steps += expressionSteps;
        bytes += expressionBytes;
    }

    boolean spent() {
        Bounds bounds = env.bounds();
        return work >= bounds.workPerDecision()
                || steps >= bounds.expressionStepsPerDecision()
                || bytes >= bounds.expressionBytesPerDecision()
                || inputs >= bounds.control().inputsPerDecision();
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    Decision.Accepted accepted() {
        return new Decision.Accepted(
                events,
                events.isEmpty() ? Optional.empty() : Optional.of(entry.finish()),
                draft.freeze(),
                aside,
                messages,
                buffered);
    }
}
