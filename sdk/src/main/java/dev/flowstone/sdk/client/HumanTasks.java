package dev.flowstone.sdk.client;

import java.time.Duration;
import java.util.List;

/**
 * What people are asked. The caller is whom the client acts as ({@link FlowstoneClient#as}). Each throws {@link RefusedException}: {@code
 * NOT_ASSIGNED} if the caller isn't asked, {@code CONFLICT} if the task is settled or claimed by somebody else, {@code STALE_ACTIVATION}
 * if the execution has come to a later visit. What acts is sent under a key of its own, and so done once.
 */
public interface HumanTasks {
    /** Open tasks, the oldest first. */
    Listing<HumanTask> list(TaskFilter filter);

    /** Those that ask the caller, or one of the caller's roles, now. */
    Listing<HumanTask> mine();

    /** Those of one execution. */
    Listing<HumanTask> of(String executionId);

    /** Reserves it for the caller, for so long; whole seconds. */
    TaskActed claim(TaskName task, Duration lease);

    /** It stays the caller's for so long from now; whole seconds. */
    TaskActed heartbeat(TaskName task, Duration lease);

    /** Gives the caller's claim back. */
    TaskActed release(TaskName task);

    /** Decides; settles it, unless its quorum wants more. */
    TaskActed decide(TaskName task, Decision decision);

    /** The caller hands it on to {@code user:ID} or {@code role:NAME}. */
    TaskActed delegate(TaskName task, String to, String reason);

    /** Others are asked instead of everybody who hasn't decided. */
    TaskActed reassign(TaskName task, List<String> to, String reason);

    /** Settles it, whatever its quorum. */
    TaskActed resolve(TaskName task, String outcome, String reason);
}
