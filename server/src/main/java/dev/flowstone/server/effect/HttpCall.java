package dev.flowstone.server.effect;

import dev.flowstone.outbound.OutboundRequest;
import java.net.URI;

/** What {@code core.http} is asked for. */
record HttpCall(OutboundRequest request, Expected expected, ResponseForm form) {
    /** Scheme, host and port, of a request that was sent: what may be told of it. */
    String origin() {
        URI url = URI.create(request.url());
        return url.getScheme() + "://" + url.getRawAuthority();
    }
}
