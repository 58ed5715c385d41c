package dev.flowstone.action;

import java.util.List;

/**
 * A step that workflows may name (dataflow.md §7). One instance serves all executions, many at once, each on a virtual thread of
 * its own; it may block.
 *
 * <p>It is run at least once: an attempt whose answer got lost is made again. So look up what there may be already
 * ({@link ActionContext#findLink}) before you make it, and hand {@link ActionContext#idempotencyKey} to the other side.
 *
 * @param <P> the parameters: a record, whose components are told by {@link Param}; or {@link tools.jackson.databind.JsonNode} for
 *     an action that takes whatever comes
 * @param <O> the outputs: a record, or whatever else Jackson makes JSON of
 */
public interface Action<P, O> {
    /** What it is. Asked once, when it is registered. */
    ActionSpec<P, O> spec();

    /** What is wrong with parameters that are of the right types, all of it; nothing, unless it says otherwise. */
    default List<ParameterFault> check(P parameters) {
        return List.of();
    }

    /**
     * Does it. Its thread is interrupted when nobody waits for it any more: at the attempt's timeout, when the execution is
     * canceled, when the node stops.
     *
     * @throws ActionFailure is a failure like one that is answered
     * @throws Exception any other one is classified: what a repetition can't mend ends the node, everything else is retriable
     */
    ActionResult<O> run(P parameters, ActionContext context) throws Exception;
}
