package dev.flowstone.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Every answer says what its call has counted against, whichever node and whichever way it came. */
final class TallyTest {
    private static final Allowance CALLERS = allowance(120, 118);
    private static final Headers NONE = new Headers(_ -> List.of(), List::of);

    private final AtomicInteger givenBack = new AtomicInteger();

    private static Allowance allowance(long most, long left) {
        return new Allowance("this one", most, left, 60, Optional.empty());
    }

    /** What comes of a start that another node answers so, which knows nothing of budgets. */
    private Reply sentOn(Allowance start, int status) {
        Member owner = new Member("other", "", "test");
        Route route = Route.post("/start", Scope.WORKFLOWS_EXECUTE, Set.of(), BodyRule.OPTIONAL, call -> {
            call.tally().start(start, givenBack::incrementAndGet);
            throw Problem.of(ProblemCode.BUSY, "elsewhere")
                    .retryAfter(Duration.ofSeconds(1))
                    .elsewhere(Optional.of(owner))
                    .exception();
        });
        Border border = new Border(
                new Routes(List.of(route)),
                new LoopbackCallers(),
                new Hosts(),
                Watch.NONE,
                Bounds.of(1_000, 10),
                (_, _) -> Optional.of(Reply.json(status, JsonObject.EMPTY)),
                (_, _) -> Optional.of(CALLERS));
        return border.answer(new Request("POST", "/start", "", NONE, OptionalLong.empty(), BodyStream.none()));
    }

    private static void tells(Reply reply, String most, String left) {
        assertEquals(most, reply.headers().get(Allowance.LIMIT));
        assertEquals(left, reply.headers().get(Allowance.REMAINING));
    }

    @Test
    void aStartThatAnotherNodeAnswersTellsOfTheTighterBudget() {
        for (int status : List.of(202, 400, 409, 503)) {
            tells(sentOn(allowance(2, 0), status), "2", "0");
        }
        tells(sentOn(allowance(1_000, 999), 202), "120", "118");
        assertEquals(0, givenBack.get());
    }

    /** As a webhook's route does it, which alone knows what it was sent to. */
    @Test
    void whatOnlyARouteCanCountIsCountedByItAndToldAndRefused() {
        AtomicInteger done = new AtomicInteger();
        Limits limits = new Limits() {
            @Override
            public Optional<Allowance> take(Route route, Caller caller) {
                return Optional.empty();
            }

            @Override
            public Optional<Allowance> webhook(String webhook) {
                boolean full = !webhook.equals("known");
                Optional<Duration> pause = full ? Optional.of(Duration.ofSeconds(7)) : Optional.empty();
                return Optional.of(new Allowance("this webhook", 5, full ? 0 : 4, 60, pause));
            }
        };
        Route route = Route.post("/hooks/{name}", Scope.PUBLIC, Set.of(), BodyRule.OPTIONAL, call -> {
                    call.tally().count(limits.webhook(call.variable("name")));
                    done.incrementAndGet();
                    return Reply.nothing();
                })
                .counting(Budget.WEBHOOKS);
        Border border = new Border(
                new Routes(List.of(route)),
                new LoopbackCallers(),
                new Hosts(),
                Watch.NONE,
                Bounds.of(1_000, 10),
                Forwarder.NONE,
                limits);

        Reply known =
                border.answer(new Request("POST", "/hooks/known", "", NONE, OptionalLong.empty(), BodyStream.none()));
        Reply unknown =
                border.answer(new Request("POST", "/hooks/made-up", "", NONE, OptionalLong.empty(), BodyStream.none()));

        assertEquals(204, known.status());
        tells(known, "5", "4");
        assertEquals(429, unknown.status());
        assertEquals("7", unknown.headers().get("Retry-After"));
        tells(unknown, "5", "0");
        assertEquals(1, done.get());
    }

    @Test
    void whatWasStartedBeforeIsGivenBackWhicheverNodeSaysSo() {
        tells(sentOn(allowance(2, 0), 200), "120", "118");
        assertEquals(1, givenBack.get());
        Allowance refused = new Allowance("this one", 2, 0, 60, Optional.of(Duration.ofSeconds(1)));
        tells(sentOn(refused, 200), "120", "118");
        assertEquals(1, givenBack.get(), "it was never taken");
    }
}
