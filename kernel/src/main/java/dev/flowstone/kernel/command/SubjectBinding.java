package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Subject;

/**
 * What a start binds its run to (R16).
 *
 * @param version of the subject that the run begins with; it is pinned from then on (R15)
 * @param exclusive whether the run must be alone: it isn't started while another one that lives is bound to the subject,
 *     and none is started beside it
 */
public record SubjectBinding(Subject subject, long version, boolean exclusive) {
    public SubjectBinding {
        requireNonNull(subject);
        if (version < 0) {
            throw new IllegalArgumentException("a subject's versions count from 0, not from " + version);
        }
    }
}
