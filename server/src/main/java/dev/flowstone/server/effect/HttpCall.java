package dev.flowstone.server.effect;

import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundRequest;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What {@code core.http} is asked for. */
record HttpCall(OutboundRequest request, Expected expected, ResponseForm form) {
    /** Shorter ones are found in texts by chance. */
    private static final int SHORTEST_SECRET = 4;

    /** Scheme, host and port, of a request that was sent: what may be told of it. */
    String origin() {
        URI url = URI.create(request.url());
        return url.getScheme() + "://" + url.getRawAuthority();
    }

    /** A text that came back, without what was sent in secret. */
    String withoutSecrets(String text) {
        String clean = text;
        for (String secret : secrets()) {
            clean = clean.replace(secret, "[hidden]");
        }
        return clean;
    }

    /** Whole values and what follows a scheme such as {@code Bearer}, the longest first. */
    private List<String> secrets() {
        return request.headers().stream()
                .filter(HttpHeader::secret)
                .map(HttpHeader::value)
                .flatMap(value -> Stream.of(value, value.substring(value.indexOf(' ') + 1)))
                .filter(value -> value.length() >= SHORTEST_SECRET)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }
}
