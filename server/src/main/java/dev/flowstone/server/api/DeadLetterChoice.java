package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Which dead letters a request is about, as their own place and the outbox are asked for them. */
record DeadLetterChoice(
        Optional<DeadSource> source,
        Optional<DeadReason> reason,
        Optional<DeadLetter.State> state,
        Optional<RunId> run,
        Optional<Instant> failedBefore) {
    static final String SOURCE = "source";
    static final String REASON = "reason";
    static final String STATE = "state";
    static final String RUN = "executionId";
    static final String BEFORE = "failedBefore";
    static final Set<String> NAMES = Set.of(SOURCE, REASON, STATE, RUN, BEFORE);

    private static final int NAME = 200;

    DeadLetterChoice {
        requireNonNull(source);
        requireNonNull(reason);
        requireNonNull(state);
        requireNonNull(run);
        requireNonNull(failedBefore);
    }

    static DeadLetterChoice of(Query query) throws ProblemException {
        return new DeadLetterChoice(
                meaning(query, SOURCE, DeadSource::new),
                meaning(query, REASON, DeadLetterChoice::reason),
                meaning(query, STATE, DeadLetterChoice::state),
                meaning(query, RUN, RunId::parse),
                query.time(BEFORE));
    }

    static DeadLetterChoice of(Fields body) throws ProblemException {
        return new DeadLetterChoice(
                body.meaning(SOURCE, NAME, DeadSource::new),
                body.meaning(REASON, NAME, DeadLetterChoice::reason),
                body.meaning(STATE, NAME, DeadLetterChoice::state),
                body.meaning(RUN, NAME, RunId::parse),
                body.meaning(BEFORE, NAME, Query::instant));
    }

    private static <T> Optional<T> meaning(Query query, String name, Function<String, T> reader)
            throws ProblemException {
        try {
            return query.text(name).map(reader);
        } catch (IllegalArgumentException e) {
            throw Query.refused("the query parameter '" + name + "': " + Cut.text(String.valueOf(e.getMessage())));
        }
    }

    private static DeadReason reason(String text) {
        return DeadReason.of(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "it takes one of " + Arrays.toString(DeadReason.values()) + ", not '" + text + "'"));
    }

    private static DeadLetter.State state(String text) {
        return switch (text) {
            case "waiting" -> DeadLetter.State.WAITING;
            case "dead" -> DeadLetter.State.DEAD;
            default -> throw new IllegalArgumentException("it takes waiting or dead, not '" + text + "'");
        };
    }

    /** Among those of their own place; empty if none of them is meant. */
    Optional<DeadLetters.Filter> letters() {
        return source.filter(DeadSource.EFFECT::equals).isPresent()
                ? Optional.empty()
                : Optional.of(new DeadLetters.Filter(source, reason, state, run, OptionalLong.empty(), failedBefore));
    }

    /** Among those of the outbox; empty if none of them is meant. */
    Optional<OutboxControl.Filter> effects() {
        Optional<Outbox.DeathReason> death = reason.flatMap(DeadLetterChoice::death);
        return source.filter(it -> !it.equals(DeadSource.EFFECT)).isPresent()
                        || state.filter(it -> it != DeadLetter.State.DEAD).isPresent()
                        || (reason.isPresent() && death.isEmpty())
                ? Optional.empty()
                : Optional.of(new OutboxControl.Filter(
                        Optional.of(OutboxControl.State.DEAD),
                        Optional.empty(),
                        death,
                        run,
                        Optional.empty(),
                        failedBefore));
    }

    private static Optional<Outbox.DeathReason> death(DeadReason reason) {
        return Arrays.stream(Outbox.DeathReason.values())
                .filter(death -> death.name().equals(reason.name()))
                .findFirst();
    }
}
