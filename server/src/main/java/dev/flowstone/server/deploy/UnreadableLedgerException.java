package dev.flowstone.server.deploy;

/** What a server keeps of a deployment is nothing that this release has written. */
public final class UnreadableLedgerException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableLedgerException(String workflow) {
        super("the draft of workflow '" + workflow
                + "' is to say what this deployment has made, and this release can't read"
                + " it: a later one has written it, or it is somebody's workflow; use that release, or another --name");
    }
}
