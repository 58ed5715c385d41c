package dev.flowstone.server.deploy;

/** What a server keeps of a deployment is nothing that this release has written. */
public final class UnreadableLedgerException extends Exception {
    private static final long serialVersionUID = 1L;

    private UnreadableLedgerException(String workflow, String why) {
        super("workflow '" + workflow + "' is to say what this deployment has made, and " + why);
    }

    /** Somebody has made a workflow of it: what it said is not there any more, or can't be written. */
    static UnreadableLedgerException ofPublished(String workflow) {
        return new UnreadableLedgerException(
                workflow,
                "somebody has published or archived it, so that nothing can be written there; take another --name, and"
                        + " --overwrite once, to take over what this one has made");
    }

    UnreadableLedgerException(String workflow) {
        super("the draft of workflow '" + workflow
                + "' is to say what this deployment has made, and this release can't read"
                + " it: a later one has written it, or it is somebody's workflow; use that release, or another --name");
    }
}
