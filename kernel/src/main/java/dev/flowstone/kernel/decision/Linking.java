package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.event.MessageEvent.ResourceSettled;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.message.Message;

/**
 * The links of a success, however late it is (R12, R20): recorded here first, then claimed from the resource, which says
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
        TenantId tenant = deciding.state().tenant().orElseThrow();
        for (ResourceLink link : ok.links()) {
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
