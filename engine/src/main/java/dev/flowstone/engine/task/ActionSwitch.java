package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.HandlerName;
import java.util.Optional;

/** Says which actions must not be run, whatever published workflows say. Asked before each attempt, on any thread: quick, without waiting. */
@FunctionalInterface
public interface ActionSwitch {
    /** The error of an attempt that isn't made; its class is policy_denied, so that it isn't tried again. */
    String CODE = "ACTION_DISABLED";

    /** All actions are run. */
    ActionSwitch ALL_ON = _ -> Optional.empty();

    /** Why the action isn't run, and what to do; empty if it is. */
    Optional<String> refusal(HandlerName action);
}
