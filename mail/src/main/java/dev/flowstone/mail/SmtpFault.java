package dev.flowstone.mail;

import dev.flowstone.action.ActionResult;
import dev.flowstone.mail.SmtpCall.RefusedRecipient;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.jspecify.annotations.Nullable;

/** What went wrong between here and the server, with its class: 4xx passes, 5xx doesn't (RFC 5321 §4.2.1). */
final class SmtpFault {
    private static final int MOST_CAUSES = 20;

    /** Of recipients one by one: details that are too long are left out whole. */
    private static final int MOST_TOLD = 10;

    private static final int LONGEST_TOLD = 100;

    /** Where the server says neither how long nor what: long enough for a window of a minute. */
    private static final Duration PAUSE = Duration.ofSeconds(60);

    /** Which may be about how much was sent; whether they are, their text says. */
    private static final Set<Integer> MAY_LIMIT = Set.of(421, 450, 451, 452);

    private static final Pattern LIMITS = Pattern.compile(
            "\\b(?:rate|limit\\w*|too many|too much|throttl\\w*|quota|slow down|exceed\\w*)\\b|\\b4\\.(?:5\\.3|7\\.28)\\b",
            Pattern.CASE_INSENSITIVE);

    /** About who hands the message over, not about the message (RFC 4954 §6). */
    private static final Set<Integer> ABOUT_AUTH = Set.of(530, 534, 535, 538);

    /** Those of them that are about the connection if they say so (RFC 3207 §4, RFC 4954 §6). */
    private static final Set<Integer> MAY_WANT_TLS = Set.of(530, 538);

    private static final Pattern TLS =
            Pattern.compile("\\b(?:(?:START)?TLS|SSL|encrypt\\w*)\\b|\\b5\\.7\\.1[01]\\b", Pattern.CASE_INSENSITIVE);

    private final SmtpServer server;
    private final SmtpCall call;
    private final Email.WhenUnsure whenUnsure;

    SmtpFault(SmtpServer server, SmtpCall call, Email.WhenUnsure whenUnsure) {
        this.server = server;
        this.call = call;
        this.whenUnsure = whenUnsure;
    }

    ActionResult.Failed<Sent> of(MessagingException thrown) {
        List<Throwable> chain = chain(thrown);
        List<RefusedRecipient> refused = call.refusedRecipients();
        if (!refused.isEmpty()) {
            return recipients(refused);
        }
        int code = call.getLastReturnCode();
        if (thrown instanceof AuthenticationFailedException && code > 0) {
            return loginRefused(code);
        }
        for (Throwable each : chain) {
            if (each instanceof SMTPSendFailedException failed && failed.getReturnCode() > 0) {
                return replied(failed.getReturnCode(), text(failed.getMessage()));
            }
            if (each instanceof SMTPSenderFailedException failed && failed.getReturnCode() > 0) {
                return replied(failed.getReturnCode(), text(failed.getMessage()));
            }
        }
        return unanswered(thrown, chain);
    }

    /** What it said last, in one line. */
    String reply() {
        return text(call.getLastServerResponse());
    }

    private ActionResult.Failed<Sent> recipients(List<RefusedRecipient> refused) {
        RefusedRecipient worst = refused.stream()
                .filter(each -> !isTransient(each.refusal().status()))
                .findFirst()
                .orElse(refused.getFirst());
        int code = worst.refusal().status();
        String reply = text(worst.refusal().reply());
        List<Map<String, Object>> told = refused.stream()
                .limit(MOST_TOLD)
                .<Map<String, Object>>map(each -> Map.of(
                        "address", each.address(),
                        "status", each.refusal().status(),
                        "reply", told(each.refusal())))
                .toList();
        String message = server.address() + " refuses " + refused.size()
                + (refused.size() == 1 ? " recipient" : " recipients") + ", so nobody was sent the message: "
                + worst.address() + ", " + reply;
        ActionResult.Failed<Sent> failed = isTransient(code)
                ? later(code, reply, "EMAIL_RECIPIENTS_DEFERRED", message)
                : ActionResult.failed("EMAIL_RECIPIENTS_REFUSED", message);
        return failed.with(Map.of("status", code, "refusedCount", refused.size(), "refused", told));
    }

    private ActionResult.Failed<Sent> loginRefused(int code) {
        if (isTransient(code)) {
            return replied(code, reply());
        }
        return call.offersLogin() ? denied(code, reply()) : withoutLogin();
    }

    /** It was to be logged in, and the server has nothing for that. */
    ActionResult.Failed<Sent> withoutLogin() {
        return ActionResult.denied(
                "EMAIL_LOGIN_REFUSED",
                server.address()
                        + " offers no login with PLAIN or LOGIN, and nothing is sent without: look at security,"
                        + " port and user of the connector's configuration");
    }

    private ActionResult.Failed<Sent> denied(int code, String reply) {
        ActionResult.Failed<Sent> failed;
        if (server.security() == SmtpServer.Security.NONE
                && MAY_WANT_TLS.contains(code)
                && TLS.matcher(reply).find()) {
            failed = ActionResult.failed(
                    "EMAIL_TLS",
                    server.address() + " takes nothing over a connection without TLS: look at security and port of the"
                            + " connector's configuration; it said: " + reply);
        } else {
            String what = server.user().isEmpty()
                    ? " wants a login, and none is configured: give the connector's configuration a user, and the"
                            + " connector its credential"
                    : " takes neither user nor password: look at user of the connector's configuration, and at its"
                            + " credential";
            failed = ActionResult.denied("EMAIL_LOGIN_REFUSED", server.address() + what + "; it said: " + reply);
        }
        return failed.with(Map.of("status", code));
    }

    private ActionResult.Failed<Sent> replied(int code, String reply) {
        if (ABOUT_AUTH.contains(code)) {
            return denied(code, reply);
        }
        String message = server.address() + " didn't take the message: " + reply;
        ActionResult.Failed<Sent> failed = isTransient(code)
                ? later(code, reply, "EMAIL_DEFERRED", message)
                : ActionResult.failed("EMAIL_REFUSED", message);
        return failed.with(Map.of("status", code));
    }

    private static ActionResult.Failed<Sent> later(int code, String reply, String name, String message) {
        return MAY_LIMIT.contains(code) && LIMITS.matcher(reply).find()
                ? ActionResult.limited("EMAIL_LIMITED", message, PAUSE)
                : ActionResult.retriable(name, message);
    }

    private ActionResult.Failed<Sent> unanswered(MessagingException thrown, List<Throwable> chain) {
        if (call.refusal().isPresent()) {
            SmtpCall.Refusal refusal = call.refusal().get();
            return replied(refusal.status(), text(refusal.reply()));
        }
        if (call.serverHasAll()) {
            String message = server.address() + " has the message and didn't say whether it took it; it may be sent";
            return whenUnsure == Email.WhenUnsure.FAIL
                    ? ActionResult.failed("EMAIL_UNSURE", message)
                    : ActionResult.retriable("EMAIL_UNSURE", message);
        }
        if (!all(chain, CertificateException.class).isEmpty()) {
            return ActionResult.failed(
                    "EMAIL_TLS",
                    server.address() + " shows a certificate that isn't trusted, or is for another name: look at host"
                            + " and certificates of the connector's configuration");
        }
        if (text(thrown.getMessage()).contains("STARTTLS")) {
            return ActionResult.failed(
                    "EMAIL_TLS",
                    server.address() + " offers no STARTTLS, and nothing is sent without: look at security and port of"
                            + " the connector's configuration");
        }
        if (isWithoutTls(chain)) {
            return ActionResult.failed(
                    "EMAIL_TLS",
                    server.address() + " speaks no TLS that is understood here: look at security and port of the"
                            + " connector's configuration; "
                            + text(chain.getLast().getMessage()));
        }
        return ActionResult.retriable(
                "EMAIL_UNREACHABLE",
                server.address() + " can't be reached, or ended the connection before it had the message: "
                        + text(chain.getLast().getMessage()));
    }

    /** Whether the two didn't agree; where the connection broke meanwhile, its end is the cause. */
    private static boolean isWithoutTls(List<Throwable> chain) {
        List<IOException> broken = all(chain, IOException.class);
        return !broken.isEmpty() && broken.getLast() instanceof SSLException;
    }

    private static boolean isTransient(int code) {
        return code / 100 == 4;
    }

    /** Its exceptions say what is next in a way of their own. */
    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        @Nullable Throwable each = thrown;
        while (each != null && chain.size() < EmailCheck.MOST_RECIPIENTS + MOST_CAUSES && !chain.contains(each)) {
            chain.add(each);
            each = each instanceof MessagingException mail && mail.getNextException() != null
                    ? mail.getNextException()
                    : each.getCause();
        }
        return chain;
    }

    private static <T> List<T> all(List<Throwable> chain, Class<T> type) {
        return chain.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Of a long reply its number: a part of it could be a part of a secret. */
    private static String told(SmtpCall.Refusal refusal) {
        String line = text(refusal.reply());
        return line.length() <= LONGEST_TOLD ? line : refusal.status() + " …";
    }

    /** In one line, and whole: a cut could leave half of a secret, which nobody would find. */
    private static String text(@Nullable String said) {
        return String.valueOf(said).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }
}
