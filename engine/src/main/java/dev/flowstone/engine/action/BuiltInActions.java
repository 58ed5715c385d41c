package dev.flowstone.engine.action;

import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.ActionDescription.Parameter;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.kernel.id.HandlerName;
import java.util.List;

/** The actions that every Flowstone has. */
public final class BuiltInActions {
    /** Compiled by dialects to a durable timer; no handler ever runs for it. */
    public static final HandlerName DELAY = new HandlerName("core.delay");

    private static final HandlerRegistry ALL = HandlerRegistry.builder()
            .action(
                    new ActionDescription(
                            new HandlerName("core.echo"), "Answers its parameters, as they were rendered.", List.of()),
                    new Echo())
            .action(
                    new ActionDescription(
                            new HandlerName("core.fail"),
                            "Fails, every time.",
                            List.of(
                                    new Parameter("code", false, "text, the error's code; default FAILED"),
                                    new Parameter("message", false, "text, the error's message"),
                                    new Parameter(
                                            "class",
                                            false,
                                            "retryable, permanent, policy_denied or external_limit; default permanent"),
                                    new Parameter(
                                            "retryAfterMs",
                                            false,
                                            "number, the least pause before the next attempt of an external_limit"))),
                    new Fail())
            .action(
                    new ActionDescription(
                            new HandlerName("core.sometimes-fails"),
                            "Fails its first attempts, then answers its parameters; which attempts fail is no chance.",
                            List.of(new Parameter(
                                    "failures", false, "number, how many attempts fail, retryable; default 1"))),
                    new SometimesFails())
            .described(new ActionDescription(
                    DELAY,
                    "Waits: a durable timer, not a sleeping thread.",
                    List.of(
                            new Parameter("durationMs", false, "number of milliseconds"),
                            new Parameter("duration", false, "ISO 8601 duration, such as PT90S"))))
            .build();

    private BuiltInActions() {}

    public static HandlerRegistry registry() {
        return ALL;
    }
}
