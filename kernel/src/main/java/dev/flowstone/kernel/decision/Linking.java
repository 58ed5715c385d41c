package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.event.MessageEvent.ResourceSettled;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.Attempt;
import java.util.List;
import java.util.Optional;

/**
 * The links of an attempt under way, and of a success, however late it is (R12, R20): recorded here first, then claimed from the resource, which says
 * whose it is.
 */
final class Linking {
    private Linking() {}

    /**
     * Claims what an answer names.
     *
     * @param before number of the last event before the answer was recorded; an answer that left no event is a repetition
     */
    static void claim(Deciding deciding, long before, ActivationId id, int attempt, TaskAnswer answer) {
        if (!(answer instanceof TaskAnswer.Ok ok) || deciding.state().lastSequence() == before) {
            return;
        }
        claim(deciding, id, attempt, ok.links());
    }

    /**
     * Claims what an attempt names before it answers. Whoever is no longer expected to answer claims nothing: what it has
     * made in spite of that, it says with its answer.
     */
    static Optional<Decision.Rejected> decide(Deciding deciding, Command.LinkResources command) {
        ActivationId id = command.activation();
        Attempt open = deciding.state().attempt(id);
        if (open == null || open.attempt() != command.attempt()) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.CONFLICT,
                    "attempt " + command.attempt() + " of " + id
                            + " is not under way; what it has made all the same is named with its answer"));
        }
        claim(deciding, id, command.attempt(), command.links());
        return Optional.empty();
    }

    private static void claim(Deciding deciding, ActivationId id, int attempt, List<ResourceLink> links) {
        TenantId tenant = deciding.state().tenant().orElseThrow();
        for (ResourceLink link : links) {
            RunId resource = Aggregates.link(tenant, link.type(), link.key());
            deciding.emit(new ResourceClaimed(id, attempt, link.type(), link.key(), link.content()));
            deciding.send(resource, new Message.Link(id, link.type(), link.key(), link.content()));
        }
    }

    static void settled(Deciding deciding, RunId resource, Message.Linked linked) {
        deciding.emit(
                new ResourceSettled(linked.activation(), resource, linked.created(), linked.owner(), linked.value()));
    }
}
