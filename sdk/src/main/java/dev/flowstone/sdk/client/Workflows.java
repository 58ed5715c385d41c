package dev.flowstone.sdk.client;

import tools.jackson.databind.JsonNode;

/**
 * Definitions and their versions. A draft may change, a version never does. What is repeated after a lost answer can meet what
 * others have done meanwhile: a change at a revision ({@link #atRevision}) can't. Without one, what would act on their draft is
 * repeated only if it was not done ({@link #publish}, {@link #stage}, {@link #discardDraft}). Each throws {@link RefusedException} with {@code WORKFLOW_NOT_FOUND} if there is no such workflow, and
 * {@code WORKFLOW_STATE} where it isn't in a state for it.
 */
public interface Workflows {
    /**
     * The same, whose changes are made only if the workflow is at this revision. At another one they throw {@link RefusedException}
     * with status 412; {@link FlowstoneException#mayBeDone} says if it may be at another one because an attempt before has worked.
     *
     * @param expected as in {@link WorkflowSummary#revision}
     */
    Workflows atRevision(long expected);

    /** The workflows by id. */
    Listing<WorkflowSummary> list(WorkflowFilter filter);

    /** With the current version's definition, or the draft's if there is no version. */
    Workflow get(String id);

    /** With that version's definition; {@code VERSION_NOT_FOUND} if there is none. */
    Workflow get(String id, int version);

    /** With the open draft's definition; {@code VERSION_NOT_FOUND} if none is open. */
    Workflow draft(String id);

    /**
     * Makes a workflow of a definition, as a draft, or replaces the draft that is open. The server looks at all of it first: {@code
     * WFENG005} has every fault in {@link RefusedException#faults}, and {@code IMMUTABLE} says that {@link #openDraft} comes
     * first.
     *
     * @param definition a JSON DAG or a state machine, whose {@code id} names the workflow
     */
    WorkflowSummary save(JsonNode definition);

    /** Opens the next draft beside the active version, as a copy of it; the open one if there is one. */
    WorkflowSummary openDraft(String id);

    /** The same with this definition. */
    WorkflowSummary openDraft(String id, JsonNode definition);

    /** Discards the draft beside the active version. */
    WorkflowSummary discardDraft(String id);

    /** Makes the draft a version, and the current one. */
    PublishedWorkflow publish(String id);

    /** Makes the draft a version without taking it into use. */
    PublishedWorkflow stage(String id);

    /** Takes it out of use: no more executions; those that have begun go on. */
    WorkflowStatus archive(String id);

    /** Takes it into use again. */
    WorkflowStatus reactivate(String id);

    /** Deletes what was never active. */
    void delete(String id);
}
