package dev.flowstone.engine.workflow;

/** Why the lifecycle (dataflow.md §3.0) refuses an operation in the workflow's present state, and what to do instead. */
public enum Refusal {
    /** Saving a draft while a version is active and no draft is open. */
    ACTIVE_IS_IMMUTABLE("an active workflow can't be edited", "open the next draft beside the active version"),
    /** Saving over what is archived. */
    ARCHIVED_IS_IMMUTABLE("an archived workflow can't be edited", "reactivate it first"),
    /** Publishing an archived workflow, or opening its next draft. */
    ARCHIVED("an archived workflow takes no draft and no version", "reactivate it first"),
    /** The definition's id isn't the workflow's. */
    OTHER_ID("the definition's id is not this workflow's", "send a definition with the workflow's own id"),
    /** Archiving or reactivating what was never activated. */
    NEVER_ACTIVATED("the workflow is a draft that was never activated", "publish it, or delete the draft"),
    /** Discarding a draft where none is open. */
    NO_DRAFT("no draft is open", "nothing needs to be discarded; archive the workflow to take it out of use"),
    /** Deleting a workflow that was active once: its versions stay for ever. */
    WAS_ACTIVE("the workflow has been active, and its versions are never deleted", "archive it instead"),
    /** Deleting a draft that has staged versions, to which runs of the draft may have been moved. */
    HAS_RUNS("the draft has staged versions, and runs that may follow them", "publish it and archive it instead");

    private final String reason;
    private final String remedy;

    Refusal(String reason, String remedy) {
        this.reason = reason;
        this.remedy = remedy;
    }

    public String reason() {
        return reason;
    }

    /** In the words of the lifecycle; a surface adds the route or command. */
    public String remedy() {
        return remedy;
    }
}
