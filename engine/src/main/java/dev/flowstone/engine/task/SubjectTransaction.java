package dev.flowstone.engine.task;

import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.kernel.id.Subject;

/** What a transactional task may do while it holds its subject. */
public interface SubjectTransaction {
    Subject subject();

    /** The subject's version that the run knows, and that the subject has. */
    long version();

    /** The version that the subject has when this attempt has succeeded: store it with the subject. */
    long newVersion();

    /** The subject stays as it is: its version isn't raised. */
    void keepVersion();

    SqlHandle sql();
}
