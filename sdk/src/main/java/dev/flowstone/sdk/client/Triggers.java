package dev.flowstone.sdk.client;

import java.util.Optional;

/**
 * What starts executions from outside. Each throws {@link RefusedException} with {@code TRIGGER_NOT_FOUND} if there is no such trigger, and
 * {@code TRIGGER_DECLARED} where a workflow's definition says what it does.
 */
public interface Triggers {
    /**
     * The same, whose {@link #change}, {@link #enable}, {@link #disable} and {@link #delete} are made only if the trigger is at this
     * revision, so that no repetition undoes what others have done. At another one they throw {@link RefusedException} with status
     * 412; {@link FlowstoneException#mayBeDone} says if it may be at another one because an attempt before has worked.
     *
     * @param expected as in {@link Trigger#revision}
     */
    Triggers atRevision(long expected);

    /** Triggers by id. */
    Listing<Trigger> list(TriggerFilter filter);

    Trigger get(String id);

    /** Makes one, under a key of its own: one, however often its call is sent. */
    Trigger create(String workflowId, TriggerType type, TriggerSpec spec);

    /** The same under the caller's key: what the caller repeats makes one, too. */
    Trigger create(String workflowId, TriggerType type, TriggerSpec spec, String idempotencyKey);

    /** Changes what the specification says, and leaves the rest; its workflow and its type stay for ever. */
    Trigger change(String id, TriggerSpec spec);

    Trigger enable(String id);

    Trigger disable(String id);

    /** Removes it. */
    void delete(String id);

    /**
     * Does what a delivery would do.
     *
     * @param trigger what conditions and templates see under that name; an empty object if there is none
     * @throws RefusedException {@code TRIGGER_DISABLED} if it is off
     */
    FiredTrigger fire(String id, Optional<?> trigger);

    /** The same under the caller's key: what the caller repeats starts one execution. */
    FiredTrigger fire(String id, Optional<?> trigger, String idempotencyKey);

    /** What came, the newest first. */
    Listing<TriggerDelivery> deliveries(String id);
}
