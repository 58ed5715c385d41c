package dev.flowstone.server.effect;

import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.outbound.OutboundRequest;
import java.util.List;
import java.util.Optional;

/** The beginning of a text that came back, without what was sent in secret: some servers repeat what they were sent. */
final class Excerpt {
    /** A request that holds more of them has their number from somebody who wants the search to last. */
    private static final int MOST_SECRETS = 1_000;

    /** Some hundredths of a second; an ordinary answer takes a hundredth of that. */
    private static final long STEPS = 20_000_000;

    private Excerpt() {}

    /**
     * At most so many characters, and an ellipsis if there were more, or if more would be too much work. Nothing of a secret is left at
     * the cut. Nothing at all if the request holds too many secrets to be looked for.
     *
     * @param cut whether the text is only the beginning of what came
     * @param request that was answered
     * @param secrets besides what the request shows: the other side knows them all the same
     */
    static Optional<String> of(String text, boolean cut, OutboundRequest request, Hidden secrets, int longest) {
        List<String> sent = SentSecrets.of(request).limit(MOST_SECRETS + 1).toList();
        return sent.size() > MOST_SECRETS
                ? Optional.empty()
                : Optional.of(Hidden.of(sent.stream()).with(secrets).beginning(text, cut, longest, STEPS));
    }
}
