package dev.flowstone.engine.subject;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.read.EditWindow;
import java.util.List;

/** What became of an edit. */
public sealed interface MutationAnswer {
    /**
     * It is made, and every run that lives on the subject will hear of it.
     *
     * @param window under which it was made; {@code AMEND_ONLY} means that what was approved must be approved again
     * @param told the runs
     */
    record Done(long version, EditWindow window, List<RunId> told) implements MutationAnswer {
        public Done {
            requireNonNull(window);
            told = List.copyOf(told);
        }
    }

    /** The window, or another version of the subject, forbids it; nothing was changed. */
    record Refused(Code code, String reason) implements MutationAnswer {
        public Refused {
            requireNonNull(code);
            requireNonNull(reason);
        }
    }

    /** Why an edit is refused; stable. */
    enum Code {
        /** The subject is locked, or the edit touches more than its window leaves open. */
        WORKFLOW_EDIT_LOCKED,
        /** The subject has another version by now. */
        STALE_SUBJECT_VERSION
    }
}
