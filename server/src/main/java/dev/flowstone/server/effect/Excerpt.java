package dev.flowstone.server.effect;

import dev.flowstone.outbound.OutboundRequest;
import java.util.List;
import java.util.stream.Stream;

/** The beginning of a text that came back, without what was sent in secret: some servers repeat what they were sent. */
final class Excerpt {
    private Excerpt() {}

    /**
     * At most so many characters, and an ellipsis if there were more. Nothing of a secret is left at the cut, as secrets go first.
     *
     * @param request that was answered
     * @param secrets that nobody sent, and that the other side knows all the same
     */
    static String of(String text, OutboundRequest request, List<String> secrets, int longest) {
        String clean = Hidden.of(Stream.concat(secrets.stream(), SentSecrets.of(request).stream()))
                .in(text);
        if (clean.length() <= longest) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(longest - 1)) ? longest - 1 : longest;
        return clean.substring(0, end) + "…";
    }
}
