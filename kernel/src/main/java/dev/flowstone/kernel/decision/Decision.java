package dev.flowstone.kernel.decision;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.message.Outgoing;
import dev.flowstone.kernel.payload.Content;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What became of a command (R1). */
public sealed interface Decision {
    /**
     * These events come next.
     *
     * @param events none if the command was a repetition of one that had been accepted
     * @param entry the events as they are to be stored; empty if there are none
     * @param state after them
     * @param aside content that the events refer to and that the decision made: it must be stored in the same commit. What
     *     came with the command, by hash already, is not among it
     * @param messages to be stored with the entry and delivered after its commit, in order
     * @param buffered whether it is decided later, since the run is suspended or catches up (R25)
     */
    record Accepted(
            List<EventBody> events,
            Optional<JournalEntry> entry,
            RunState state,
            List<Content> aside,
            List<Outgoing> messages,
            boolean buffered)
            implements Decision {
        public Accepted {
            messages = List.copyOf(messages);
            events = List.copyOf(events);
            requireNonNull(entry);
            requireNonNull(state);
            aside = List.copyOf(aside);
        }
    }

    /** Refused; the state stays as it was. */
    record Rejected(RejectionCode code, String reason) implements Decision {
        public Rejected {
            requireNonNull(code);
            requireNonNull(reason);
        }
    }

    /** Decide again with these facts. */
    record Needs(Set<Fact> facts) implements Decision {
        public Needs {
            facts = Set.copyOf(facts);
        }
    }
}
