package dev.flowstone.server.config;

import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.ControlBounds;
import dev.flowstone.kernel.decision.ForkBounds;
import dev.flowstone.kernel.decision.HumanBounds;
import dev.flowstone.kernel.decision.MessageBounds;
import java.time.Duration;
import java.util.List;

/** The {@code engine.*} settings as the kernel takes them. */
final class BoundSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    private static final Bounds B = Bounds.DEFAULT;

    static final Setting<Integer> WORK = GROUP.add(Setting.number(
            "engine.workPerDecision", B.workPerDecision(), 1, "openings and routings before a run yields to others"));
    static final Setting<Integer> VISITS = GROUP.add(Setting.number(
            "engine.visitsWithoutWait", B.visitsWithoutWait(), 1, "of one node; beyond it is a runaway loop"));
    static final Setting<Integer> EVENT_BYTES =
            GROUP.add(Setting.number("engine.eventBytes", B.eventBytes(), 1_024, "longest stored event"));
    static final Setting<Integer> INLINE_BYTES = GROUP.add(Setting.number(
            "engine.inlineBytes", B.inlineBytes(), 64, "longest value in an event; others go to the payload store"));
    static final Setting<Integer> EXPRESSION_STEPS = GROUP.add(Setting.number(
            "engine.expressionStepsPerDecision",
            B.expressionStepsPerDecision(),
            1,
            "of conditions and templates before a run yields to others; also the most for one node's conditions"));
    static final Setting<Integer> EXPRESSION_BYTES = GROUP.add(Setting.number(
            "engine.expressionBytesPerDecision",
            B.expressionBytesPerDecision(),
            1,
            "that they produce before a run yields; also the most for one node's conditions"));
    static final Setting<Integer> PAYLOAD_BYTES = GROUP.add(Setting.number(
            "engine.payloadBytes", B.payloadBytes(), 1_024, "longest rendered input, and output of several ends"));
    static final Setting<Integer> CONTEXT_BYTES = GROUP.add(Setting.number(
            "engine.maxContextSizeBytes", B.contextBytes(), 64, "of a run's input and its nodes' results together"));
    static final Setting<Integer> VARIABLE_BYTES = GROUP.add(Setting.number(
            "engine.variableBytes", B.variableBytes(), 64, "of a run's variables together, names included"));
    static final Setting<Integer> LIVE_ACTIVATIONS = GROUP.add(Setting.number(
            "engine.liveActivations",
            B.forks().liveActivations(),
            1,
            "of a run that wait at once; beyond is an incident"));
    static final Setting<Integer> BRANCHES =
            GROUP.add(Setting.number("engine.forkBranches", B.forks().branches(), 1, "of one fork"));
    static final Setting<Integer> BRANCH_NESTING =
            GROUP.add(Setting.number("engine.forkNesting", B.forks().nesting(), 1, "scopes around a branch"));
    static final Setting<Long> JOIN_BYTES = GROUP.add(Setting.count(
            "engine.joinResultBytes",
            B.forks().resultBytes(),
            0,
            "of outputs in one join's result; further ones show as a note"));
    static final Setting<Integer> SIGNAL_BUFFER = GROUP.add(Setting.number(
            "engine.signalBuffer",
            B.messages().signalBuffer(),
            0,
            "signals that one channel keeps; further ones are refused"));
    static final Setting<Duration> SIGNAL_LIFE = GROUP.add(Setting.life(
            "engine.signalLife",
            B.messages().signalLife(),
            "longest that a signal is kept, whatever its sender asks for"));
    static final Setting<Duration> DEDUPE_LIFE = GROUP.add(Setting.life(
            "engine.dedupeLife", B.messages().dedupeLife(), "for how long a repetition of a named signal is dropped"));
    static final Setting<Integer> CALL_DEPTH = GROUP.add(Setting.number(
            "engine.callDepth",
            B.messages().depth(),
            0,
            500,
            "of runs that call runs; one that nobody called has depth 0"));
    static final Setting<Boolean> RECURSION = GROUP.add(Setting.flag(
            "engine.callRecursion", B.messages().recursion(), "whether a workflow may be called below itself"));
    static final Setting<Integer> BUFFERED_INPUTS = GROUP.add(Setting.number(
            "engine.bufferedInputs",
            B.control().bufferedInputs(),
            0,
            "that a suspended run holds; one more is refused"));
    static final Setting<Integer> INPUTS_PER_DECISION = GROUP.add(Setting.number(
            "engine.inputsPerDecision",
            B.control().inputsPerDecision(),
            1,
            "of those, decided at once after it is resumed"));
    static final Setting<Integer> ASSIGNEES = GROUP.add(
            Setting.number("engine.taskAssignees", B.humans().assignees(), 1, "whom one human task asks at once"));
    static final Setting<Integer> DECISIONS = GROUP.add(
            Setting.number("engine.taskDecisions", B.humans().decisions(), 1, "in one visit of a human task"));
    static final Setting<Integer> HANDLERS =
            GROUP.add(Setting.number("engine.handlerConcurrency", 1_000, 1, "handlers running at once"));

    private BoundSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static Bounds of(Sources sources) throws ConfigException {
        return new Bounds(
                sources.value(WORK),
                sources.value(VISITS),
                sources.value(EVENT_BYTES),
                sources.value(INLINE_BYTES),
                sources.value(EXPRESSION_STEPS),
                sources.value(EXPRESSION_BYTES),
                sources.value(PAYLOAD_BYTES),
                sources.value(CONTEXT_BYTES),
                sources.value(VARIABLE_BYTES),
                new ForkBounds(
                        sources.value(LIVE_ACTIVATIONS),
                        sources.value(BRANCHES),
                        sources.value(BRANCH_NESTING),
                        sources.value(JOIN_BYTES)),
                new MessageBounds(
                        sources.value(SIGNAL_BUFFER),
                        sources.value(SIGNAL_LIFE),
                        sources.value(DEDUPE_LIFE),
                        sources.value(CALL_DEPTH),
                        sources.value(RECURSION)),
                new ControlBounds(sources.value(BUFFERED_INPUTS), sources.value(INPUTS_PER_DECISION)),
                new HumanBounds(sources.value(ASSIGNEES), sources.value(DECISIONS)));
    }
}
