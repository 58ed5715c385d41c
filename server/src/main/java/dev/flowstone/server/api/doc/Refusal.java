package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.ProblemCode;

/** What many routes refuse alike. */
final class Refusal {
    static final String DONE = "It is done, and on disk.";

    private Refusal() {}

    /** One that asks an execution something, which answers after the commit. */
    static Doc ofRun(Doc doc) {
        return doc.tagged(Doc.Version.SEQUENCE)
                .refuses(
                        ProblemCode.INVALID_COMMAND,
                        ProblemCode.WFENG002,
                        ProblemCode.CONFLICT,
                        ProblemCode.SUSPENDED,
                        ProblemCode.IDEMPOTENCY_KEY_REUSED,
                        ProblemCode.LIMIT_EXCEEDED,
                        ProblemCode.BUSY);
    }

    /** One that asks a visit of a node something. */
    static Doc ofActivation(Doc doc) {
        return ofRun(doc).refuses(ProblemCode.NOT_FOUND, ProblemCode.STALE_ACTIVATION);
    }

    /** One that changes a workflow, at the revision of If-Match if there is one. */
    static Doc ofWorkflow(Doc doc) {
        return doc.tagged(Doc.Version.REVISION)
                .refuses(ProblemCode.WORKFLOW_STATE, ProblemCode.CHANGED_MEANWHILE, ProblemCode.PRECONDITION_FAILED);
    }
}
