package dev.flowstone.server.deploy;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.fault.FaultKind;
import dev.flowstone.dialect.fault.Severity;

/** What can be wrong with a file of a deployment beside what its definition says. */
enum FolderFault implements FaultKind {
    NOT_READABLE,
    SYMBOLIC_LINK,
    TOO_LARGE,
    TOO_MANY_FILES,
    MALFORMED_JSON,
    NO_DEFINITIONS,
    DUPLICATE_NAME,
    RESERVED_NAME,
    INVALID_NAME,
    TRIGGER_FORM,
    TEMPLATE_FORM,
    SECRET_MISSING,
    SECRET_IN_FILE,
    /** It stands in the folder, and nothing is done about it. */
    NOT_DEPLOYED;

    @Override
    public String id() {
        return name();
    }

    @Override
    public Severity severity() {
        return this == NOT_DEPLOYED ? Severity.WARNING : Severity.ERROR;
    }

    Fault at(String pointer, int line, int column, String message, String remedy) {
        return new Fault(this, severity(), pointer, line, column, message, remedy);
    }

    Fault ofAll(String message, String remedy) {
        return at("", 0, 0, message, remedy);
    }
}
