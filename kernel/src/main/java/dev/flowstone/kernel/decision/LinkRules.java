package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.LinkState;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.AggregateEvent.ResourceFound;
import dev.flowstone.kernel.event.AggregateEvent.ResourceLinked;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import java.util.Optional;

/** Whoever asks first owns the resource, with its value; everybody is told whose it is (R20). */
final class LinkRules {
    private LinkRules() {}

    static void deliver(AggregateDeciding<LinkState> deciding, Command.Deliver deliver) {
        if (!(deliver.message() instanceof Message.Link link)) {
            throw new IllegalStateException("not for a resource link: " + deliver.message());
        }
        Optional<LinkState.Owned> before = deciding.state().owned();
        RunId owner = before.map(LinkState.Owned::run).orElse(deliver.sender());
        Payload value = before.map(LinkState.Owned::value).orElse(link.value());
        deciding.emit(
                before.isPresent()
                        ? new ResourceFound(deliver.sender(), link.activation())
                        : new ResourceLinked(
                                deliver.sender(), link.activation(), link.type(), link.key(), link.value()));
        deciding.send(
                deliver.sender(), new Message.Linked(link.activation(), owner.equals(deliver.sender()), owner, value));
    }
}
