package dev.flowstone.kernel.event;

import dev.flowstone.kernel.event.EventBody.ScopeClosed;
import dev.flowstone.kernel.event.EventBody.ScopeOpened;
import dev.flowstone.kernel.event.EventBody.TokenDiscarded;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonCursor;

/** Stored forms of how nested scopes open and close. */
final class ScopeForms {
    private ScopeForms() {}

    static void write(FrameOutput out, ScopeOpened body) {
        out.name("number").number(body.number());
        out.name("scope").string(body.scope().value());
    }

    static ScopeOpened opened(JsonCursor at) {
        return new ScopeOpened(at.as("scope", ScopeId::new), at.intValue("number"));
    }

    static void write(FrameOutput out, ScopeClosed body) {
        body.followed().ifPresent(edge -> out.name("followed").string(edge.value()));
        out.name("number").number(body.number());
        out.name("scope").string(body.scope().value());
    }

    static ScopeClosed closed(JsonCursor at) {
        return new ScopeClosed(
                at.as("scope", ScopeId::new),
                at.intValue("number"),
                at.find("followed").map(edge -> edge.as(EdgeId::new)));
    }

    static void write(FrameOutput out, TokenDiscarded body) {
        out.name("node").string(body.node().value());
        out.name("number").number(body.number());
        out.name("scope").string(body.scope().value());
    }

    static TokenDiscarded discarded(JsonCursor at) {
        return new TokenDiscarded(at.as("scope", ScopeId::new), at.intValue("number"), at.as("node", NodeId::new));
    }
}
