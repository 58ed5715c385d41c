package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.state.Attestation;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R23, R24: people say what was done about something that can't be undone, also when the run is over. */
final class AttestationStoryTest {
    private static final Optional<ActivationId> PAID = Optional.of(ActivationId.parse("a#1"));

    /** A state in which that is asked. */
    private static RunState asked(Story story) throws CorruptEntryException {
        RunState state = story.state();
        EventHeader last = story.events().getLast().header();
        EventHeader header = new EventHeader(
                last.schemaVersion(),
                last.tenant(),
                last.workflow(),
                last.typeVersion(),
                last.run(),
                state.lastSequence() + 1,
                last.eventTime(),
                last.effectiveTime(),
                last.actor(),
                last.authorization(),
                last.idempotencyKey(),
                last.causation(),
                last.correlation());
        JournalEntry entry = JournalEntry.encode(
                header, List.of(new HumanEvent.AttestationRequested(PAID, "undo", "it was paid")), state.lastHash());
        for (Event event : JournalEntry.decode(entry.bytes(), state.lastSequence() + 1, state.lastHash())) {
            state = state.apply(event);
        }
        return state;
    }

    private static Decision attest(Story story, RunState state, String id, String statement) {
        return Kernel.decide(story.env(), state, story.stamp(), new HumanCommand.Attest(id, statement));
    }

    @Test
    void anAttestationIsAnsweredOnceAlsoAfterTheRunsEnd() throws CorruptEntryException {
        Story running = Story.of(Programs.dag().task("a").edge("start", "a")).start();
        Story ended =
                Story.of(Programs.dag().task("a").edge("start", "a")).start().ok("a");
        for (Story story : List.of(running, ended)) {
            RunState state = asked(story);
            assertEquals(List.of(new Attestation("undo", PAID, "it was paid")), state.attestations());
            RunState restored = Kernel.restore(story.program(), story.programHash(), state.toJson());
            assertEquals(CanonicalJson.exactText(state.toJson()), CanonicalJson.exactText(restored.toJson()));
            assertEquals(state.weight(), restored.weight());

            assertEquals(
                    RejectionCode.NOT_FOUND,
                    assertInstanceOf(Decision.Rejected.class, attest(story, restored, "other", "done"))
                            .code());
            assertEquals(
                    RejectionCode.INVALID_COMMAND,
                    assertInstanceOf(Decision.Rejected.class, attest(story, restored, "undo", " "))
                            .code());
            Decision.Accepted accepted =
                    assertInstanceOf(Decision.Accepted.class, attest(story, restored, "undo", "the bank gave it back"));
            assertEquals(List.of(new HumanEvent.AttestationGiven("undo", "the bank gave it back")), accepted.events());
            assertEquals(List.of(), accepted.state().attestations());
            assertEquals(
                    RejectionCode.NOT_FOUND,
                    assertInstanceOf(Decision.Rejected.class, attest(story, accepted.state(), "undo", "again"))
                            .code());
        }
    }
}
