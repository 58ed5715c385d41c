package dev.flowstone.outbound;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where an answer leads, and what may go there. As browsers do it (fetch, section 4.4): 303 becomes a GET, 301 and 302 do if it was a
 * POST, 307 and 308 keep method and body. Stricter than they are in three things:
 *
 * <ul>
 *   <li>from https to http is refused, on the same host too;
 *   <li>to another host, port or scheme goes nothing that opens anything, and once dropped it stays dropped;
 *   <li>nor does a body go there, unless it was said to travel: that is refused.
 * </ul>
 *
 * <p>The new target begins at the top: its URL is read, its name looked up and its addresses checked as if it were the first.
 */
final class Redirects {
    private static final Set<Integer> FOLLOWED = Set.of(301, 302, 303, 307, 308);
    private static final Pattern ABSOLUTE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:");

    /** What to do with an answer. */
    sealed interface Step {}

    /** It is the outcome. */
    record Stay() implements Step {}

    /** It leads where nothing goes. */
    record Stop(Outcome.Refused refused) implements Step {}

    record Follow(OutboundRequest request, Target target) implements Step {}

    private Redirects() {}

    static Step next(OutboundRequest request, Target from, Outcome.Answer answer) {
        List<String> locations = answer.values("Location");
        if (!FOLLOWED.contains(answer.status()) || locations.size() != 1) {
            return new Stay();
        }
        return switch (TargetReader.read(resolve(from, locations.getFirst()))) {
            case TargetReader.Unread unread ->
                stop(from, unread.refusal().refusal(), unread.refusal().message());
            case TargetReader.Read read -> follow(asked(request, answer.status()), from, read.target());
        };
    }

    private static OutboundRequest asked(OutboundRequest request, int status) {
        boolean plain = request.method().equals("GET") || request.method().equals("HEAD");
        boolean becomesGet = switch (status) {
            case 303 -> !plain;
            case 301, 302 -> request.method().equals("POST");
            default -> false;
        };
        return becomesGet ? request.asGet() : request;
    }

    private static Step follow(OutboundRequest request, Target from, Target to) {
        if (from.isSecure() && !to.isSecure()) {
            return stop(from, Refusal.DOWNGRADE, Refusal.DOWNGRADE.what() + ", to " + to.origin());
        }
        OutboundRequest next = request.withUrl(to.url());
        if (to.hasOriginOf(from)) {
            return new Follow(next, to);
        }
        RequestBody body = next.body();
        if (body != null && !body.mayTravel()) {
            return stop(
                    from,
                    Refusal.BODY_TO_OTHER_HOST,
                    Refusal.BODY_TO_OTHER_HOST.what() + ", to " + to.origin()
                            + "; send it there in the first place, or let the body travel");
        }
        return new Follow(next.withoutCredentials(), to);
    }

    private static Stop stop(Target from, Refusal refusal, String why) {
        return new Stop(
                new Outcome.Refused(refusal, "a redirect from " + from.origin() + " was refused: " + why, false));
    }

    /** The reference as a URL. Dot segments stay: they are the server's to read. */
    static String resolve(Target from, String reference) {
        if (ABSOLUTE.matcher(reference).lookingAt()) {
            return reference;
        }
        if (reference.startsWith("//")) {
            return from.scheme() + ":" + reference;
        }
        if (reference.startsWith("/")) {
            return from.root() + reference;
        }
        if (reference.startsWith("?")) {
            return from.root() + from.path() + reference;
        }
        if (reference.isEmpty() || reference.startsWith("#")) {
            return from.url();
        }
        return from.root() + from.path().substring(0, from.path().lastIndexOf('/') + 1) + reference;
    }

    /** A failure after a redirect: the first request was sent, whatever became of the next one. */
    static Outcome.Failure afterwards(Outcome.Failure failure) {
        return switch (failure) {
            case Outcome.Refused it -> new Outcome.Refused(it.refusal(), it.message(), false);
            case Outcome.Unresolved it -> new Outcome.Unresolved(it.message(), false);
            case Outcome.Unreachable it -> new Outcome.Unreachable(it.message(), false);
            case Outcome.TimedOut it -> new Outcome.TimedOut(it.message(), false);
            case Outcome.TlsFailed it -> new Outcome.TlsFailed(it.message(), false, it.untrusted());
            case Outcome.Broken it -> it;
            case Outcome.TooManyRedirects it -> it;
        };
    }
}
