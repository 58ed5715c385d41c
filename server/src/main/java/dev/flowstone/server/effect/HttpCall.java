package dev.flowstone.server.effect;

import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.outbound.OutboundRequest;
import java.net.URI;

/**
 * What {@code core.http} is asked for.
 *
 * @param hidden the secrets that were named and not written
 */
record HttpCall(OutboundRequest request, Expected expected, ResponseForm form, Hidden hidden) {
    /** Scheme, host and port, of a request that was sent: what may be told of it. */
    String origin() {
        URI url = URI.create(request.url());
        return url.getScheme() + "://" + url.getRawAuthority();
    }
}
