package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.ProblemCode;

/** What many routes refuse alike. */
final class Refusal {
    static final String DONE = "It is done, and on disk.";

    private Refusal() {}

    /** One that asks an execution something, which answers after the commit. */
    static Doc ofRun(Doc doc) {
        return told(doc).refuses(ProblemCode.IDEMPOTENCY_KEY_REUSED);
    }

    /** One that asks a visit of a node something, which a suspended execution may refuse to keep for later. */
    static Doc ofActivation(Doc doc) {
        return ofRun(doc).refuses(ProblemCode.NOT_FOUND, ProblemCode.CONFLICT, ProblemCode.SUSPENDED);
    }

    /** The same under a key that the server makes of what is asked. */
    static Doc ofActivationByItsContent(Doc doc) {
        return told(doc).refuses(ProblemCode.NOT_FOUND, ProblemCode.CONFLICT, ProblemCode.SUSPENDED);
    }

    private static Doc told(Doc doc) {
        return doc.tagged(Doc.Version.SEQUENCE).refuses(ProblemCode.WFENG002);
    }

    /** One that changes a workflow which may be in another state, at the revision of If-Match if there is one. */
    static Doc ofWorkflow(Doc doc) {
        return ofDefinition(doc).refuses(ProblemCode.WORKFLOW_STATE);
    }

    /** One that writes a workflow's definition, at the revision of If-Match if there is one. */
    static Doc ofDefinition(Doc doc) {
        return doc.tagged(Doc.Version.REVISION).refuses(ProblemCode.CHANGED_MEANWHILE, ProblemCode.PRECONDITION_FAILED);
    }
}
