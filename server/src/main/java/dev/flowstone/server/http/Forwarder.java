package dev.flowstone.server.http;

import dev.flowstone.engine.ownership.Member;
import java.util.Optional;

/** Takes calls to the nodes that can answer them. Thread-safe; blocks until there is an answer. */
@FunctionalInterface
public interface Forwarder {
    /** A node that stands alone, or that must not send on what was sent to it. */
    Forwarder NONE = (owner, call) -> Optional.empty();

    /**
     * Asks it there.
     *
     * @return what was answered there, refusals included; empty if it certainly wasn't asked
     */
    Optional<Reply> forward(Member owner, Forwarded call);

    /** The same for what is of no use later, such as a look or a claim: by no way that takes long. */
    default Optional<Reply> forwardAtOnce(Member other, Forwarded call) {
        return forward(other, call);
    }
}
