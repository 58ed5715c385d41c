package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.client.Call.Repeat;
import dev.flowstone.sdk.client.RefusedException.Category;
import dev.flowstone.sdk.http.Pause;
import dev.flowstone.sdk.http.Reply;
import dev.flowstone.sdk.http.Reply.Loss;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a reply to one attempt at a call means: an answer, or why there is none and whether it is worth another attempt. */
final class Judge {
    private static final Set<Integer> AGAIN = Set.of(502, 503, 504);
    private static final int LONGEST = 1_000;
    private static final int FAULTS = 3;

    private final JsonMapper json;

    Judge(JsonMapper json) {
        this.json = requireNonNull(json);
    }

    /** What is known of an attempt beside its reply. */
    record Attempt(Call call, int number, String correlation, boolean mayBeDone) {
        FlowstoneException.Said said(int status, String code, String remedy, String correlationId, boolean done) {
            return new FlowstoneException.Said(
                    status,
                    code,
                    remedy,
                    Optional.of(correlationId).filter(it -> !it.isEmpty()),
                    call.key(),
                    number,
                    done);
        }

        /** What to do if it may be done. */
        String again() {
            return call.key().isPresent()
                    ? "call again under the same key: it is done once"
                    : "look whether it was done, and call again";
        }

        String text(String what, String remedy) {
            String often = number > 1 ? " (attempt " + number + ")" : "";
            return call.method() + " " + cut(call.path()) + often + ": " + what + "; " + remedy;
        }
    }

    sealed interface Verdict {
        record Fine(Answered answered) implements Verdict {}

        /**
         * No result.
         *
         * @param again whether another attempt is worth it and does no harm
         * @param pause that the server asks for
         * @param mayBeDone whether the server may have done it, now or before
         */
        record Failed(FlowstoneException why, boolean again, Optional<Duration> pause, boolean mayBeDone)
                implements Verdict {}
    }

    Verdict judge(Attempt attempt, Reply reply) {
        return switch (reply) {
            case Reply.Said said when said.status() / 100 == 2 -> read(attempt, said);
            case Reply.Said said
            when said.status() == 304 ->
                new Verdict.Fine(new Answered(304, said.headers(), JsonNodeFactory.instance.nullNode()));
            case Reply.Said said when said.status() / 100 == 3 -> redirected(attempt, said);
            case Reply.Said said -> refused(attempt, said);
            case Reply.Lost lost -> lost(attempt, lost);
        };
    }

    private Verdict read(Attempt attempt, Reply.Said said) {
        try {
            JsonNode body = said.body().length == 0 ? JsonNodeFactory.instance.nullNode() : json.readTree(said.body());
            return new Verdict.Fine(new Answered(said.status(), said.headers(), body));
        } catch (JacksonException e) {
            return failed(unreadable(
                    attempt,
                    said.status(),
                    "the answer of status " + said.status() + " is no JSON: " + cut(e.getOriginalMessage()),
                    null));
        }
    }

    private static Verdict redirected(Attempt attempt, Reply.Said said) {
        String where = said.headers().firstValue("Location").orElse("nowhere");
        return failed(unreadable(attempt, said.status(), "the answer leads elsewhere: " + cut(where), null));
    }

    static UnreadableAnswerException unreadable(Attempt attempt, int status, String what, @Nullable Throwable cause) {
        String remedy = "is this a Flowstone's address, and one that this release of the library knows?";
        return new UnreadableAnswerException(
                attempt.said(status, "ANSWER_UNREADABLE", remedy, attempt.correlation, true),
                attempt.text(what, remedy),
                cause);
    }

    private static Verdict.Failed failed(FlowstoneException why) {
        return new Verdict.Failed(why, false, Optional.empty(), true);
    }

    private Verdict refused(Attempt attempt, Reply.Said said) {
        Repeat repeat = attempt.call.repeat();
        RefusedException why = refusal(attempt, said);
        if (said.status() == 404
                && repeat == Repeat.FINDS_NOTHING
                && attempt.mayBeDone
                && !why.code().equals("ROUTE_NOT_FOUND")) {
            return new Verdict.Fine(new Answered(404, said.headers(), JsonNodeFactory.instance.nullNode()));
        }
        boolean again = said.status() == 429 || (AGAIN.contains(said.status()) && repeat != Repeat.DOES_MORE);
        return new Verdict.Failed(why, again, why.retryAfter(), why.mayBeDone());
    }

    private RefusedException refusal(Attempt attempt, Reply.Said said) {
        Optional<Tree> problem = problem(said.body());
        int status = said.status();
        String code = problem.flatMap(it -> it.maybeText("code")).orElse("HTTP_" + status);
        Category otherwise = status >= 500 ? Category.RETRYABLE : Category.PERMANENT;
        Category category = problem.map(it -> it.word("category", Category.class, Category.UNKNOWN))
                .orElse(status == 429 ? Category.EXTERNAL_LIMIT : otherwise);
        List<Fault> faults = problem.map(it -> it.list("faults", Fault::read)).orElse(List.of());
        JsonNode whole = problem.map(Tree::json).orElseGet(JsonNodeFactory.instance::objectNode);
        Optional<Duration> pause = Pause.asked(whole, said.headers());
        String remedy = problem.isEmpty()
                ? "it isn't Flowstone that says so: look at the address, and at what stands in between"
                : remedy(status, category, faults, pause);
        if (attempt.mayBeDone && !attempt.call.method().equals("GET")) {
            remedy += "; an attempt before this one may have worked: " + attempt.again();
        }
        String detail = problem.flatMap(it -> it.maybeText("detail")).orElse("status " + status);
        String correlation =
                problem.flatMap(it -> it.maybeText("correlationId")).orElse(attempt.correlation);
        return new RefusedException(
                attempt.said(status, code, remedy, correlation, attempt.mayBeDone || status >= 500),
                attempt.text(cut(code) + ": " + cut(detail) + places(faults), remedy),
                category,
                faults,
                whole,
                pause);
    }

    /** The refusal's form (RFC 9457); empty if it has another. */
    private Optional<Tree> problem(byte[] body) {
        try {
            Tree problem = Tree.of(json.readTree(body));
            boolean _ = problem.maybeText("detail").isPresent();
            List<Fault> _ = problem.list("faults", Fault::read);
            return problem.maybeText("code").isPresent() ? Optional.of(problem) : Optional.empty();
        } catch (JacksonException | Tree.MisreadException e) {
            return Optional.empty();
        }
    }

    private static String places(List<Fault> faults) {
        StringBuilder all = new StringBuilder();
        faults.stream()
                .limit(FAULTS)
                .forEach(fault -> all.append("; ")
                        .append(cut(fault.pointer()))
                        .append(": ")
                        .append(cut(fault.message())));
        return faults.size() > FAULTS ? all + "; and " + (faults.size() - FAULTS) + " more" : all.toString();
    }

    private static String remedy(int status, Category category, List<Fault> faults, Optional<Duration> pause) {
        return switch (category) {
            case RETRYABLE, EXTERNAL_LIMIT ->
                "call again" + pause.map(it -> " in " + it.toSeconds() + " s").orElse(" later");
            case POLICY_DENIED -> status == 401 ? "give a token that this server takes" : "ask who may allow it";
            case CONFLICT -> "read how it stands, and decide again";
            case SUSPENDED -> "call again once it is resumed";
            case PERMANENT, UNKNOWN ->
                faults.stream()
                        .map(Fault::remedy)
                        .filter(it -> !it.isBlank())
                        .findFirst()
                        .map(Judge::cut)
                        .orElse("correct the call");
        };
    }

    static Verdict.Failed lost(Attempt attempt, Reply.Lost lost) {
        if (lost.loss() == Loss.TOO_LARGE) {
            return failed(unreadable(attempt, 0, lost.why(), null));
        }
        boolean unseen = lost.loss() == Loss.NOT_SENT || lost.loss() == Loss.NOT_TRUSTED;
        boolean mayBeDone = attempt.mayBeDone || !unseen;
        boolean again = switch (lost.loss()) {
            case NOT_SENT -> true;
            case CUT_OFF, TIMED_OUT -> attempt.call.repeat() != Repeat.DOES_MORE;
            case NOT_TRUSTED, TOO_LARGE -> false;
        };
        String remedy = switch (lost.loss()) {
            case NOT_SENT -> "is the server up, and is this its address?";
            case NOT_TRUSTED -> "let this program's Java trust the server's certificate";
            case CUT_OFF, TIMED_OUT, TOO_LARGE -> attempt.again();
        };
        return new Verdict.Failed(
                new UnreachableException(
                        attempt.said(0, code(lost.loss()), remedy, attempt.correlation, mayBeDone),
                        attempt.text(cut(lost.why()), remedy),
                        lost.loss() != Loss.NOT_TRUSTED),
                again,
                Optional.empty(),
                mayBeDone);
    }

    private static String code(Loss loss) {
        return switch (loss) {
            case NOT_SENT -> "UNREACHABLE";
            case NOT_TRUSTED -> "NOT_TRUSTED";
            case CUT_OFF -> "CUT_OFF";
            case TIMED_OUT -> "TIMED_OUT";
            case TOO_LARGE -> "ANSWER_UNREADABLE";
        };
    }

    /** What others have said, short and on one line. */
    private static String cut(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
