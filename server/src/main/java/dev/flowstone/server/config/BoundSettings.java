package dev.flowstone.server.config;

import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.ControlBounds;
import dev.flowstone.kernel.decision.ForkBounds;
import dev.flowstone.kernel.decision.HumanBounds;
import dev.flowstone.kernel.decision.MessageBounds;

/** The {@code engine.*} settings as the kernel takes them. */
final class BoundSettings {
    private BoundSettings() {}

    static Bounds of(Sources sources) throws ConfigException {
        return new Bounds(
                sources.value(Settings.WORK),
                sources.value(Settings.VISITS),
                sources.value(Settings.EVENT_BYTES),
                sources.value(Settings.INLINE_BYTES),
                sources.value(Settings.EXPRESSION_STEPS),
                sources.value(Settings.EXPRESSION_BYTES),
                sources.value(Settings.PAYLOAD_BYTES),
                sources.value(Settings.CONTEXT_BYTES),
                sources.value(Settings.VARIABLE_BYTES),
                new ForkBounds(
                        sources.value(Settings.LIVE_ACTIVATIONS),
                        sources.value(Settings.BRANCHES),
                        sources.value(Settings.BRANCH_NESTING),
                        sources.value(Settings.JOIN_BYTES)),
                new MessageBounds(
                        sources.value(Settings.SIGNAL_BUFFER),
                        sources.value(Settings.SIGNAL_LIFE),
                        sources.value(Settings.DEDUPE_LIFE),
                        sources.value(Settings.CALL_DEPTH),
                        sources.value(Settings.RECURSION)),
                new ControlBounds(sources.value(Settings.BUFFERED_INPUTS), sources.value(Settings.INPUTS_PER_DECISION)),
                new HumanBounds(sources.value(Settings.ASSIGNEES), sources.value(Settings.DECISIONS)));
    }
}
