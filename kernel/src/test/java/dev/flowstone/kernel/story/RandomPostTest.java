package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.aggregate.SemaphoreState;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.AggregateEvent.SignalExpired;
import dev.flowstone.kernel.event.AggregateEvent.SignalReceived;
import dev.flowstone.kernel.event.AggregateEvent.SignalRefused;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.SignalAccepted;
import dev.flowstone.kernel.event.MessageEvent.SignalSent;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildAnswer;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Several runs that signal, call and wait for each other, with letters in any order and some of them twice: no signal is
 * lost and none delivered twice, permits never exceed their limit (I6), no child is waited for by a run that is over (I3),
 * and in the end nothing is held. {@code -Dflowstone.walks=N} walks more, {@code -Dflowstone.seed=S} walks one.
 */
final class RandomPostTest {
    private static final long WALKS = Long.getLong("flowstone.walks", 150);
    private static final int STEPS = 120;
    private static final Duration LEASE = Duration.ofMinutes(5);

    @Test
    void noSignalIsLostNoneComesTwiceAndPermitsStayWithinTheirLimit() {
        Map<String, Integer> kinds = new TreeMap<>();
        Long one = Long.getLong("flowstone.seed");
        long from = one == null ? 0 : one;
        for (long seed = from; seed < (one == null ? WALKS : from + 1); seed++) {
            try {
                walk(seed, kinds);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " (-Dflowstone.seed=" + seed + "): " + e.getMessage(), e);
            }
        }
        Set<String> missing = new TreeSet<>(Set.of(
                "MessageReceived",
                "SignalAccepted",
                "SignalHandedBack",
                "SignalTakenBack",
                "SignalExpired",
                "SubscriptionClosed",
                "AwaitTimedOut",
                "PermitAcquired",
                "PermitGivenBack",
                "PermitLost",
                "LeaseExpired",
                "PermitRequestWithdrawn",
                "ChildBegun",
                "ChildEnded",
                "ChildControlled",
                "CallTimedOut",
                "ParentDetached"));
        missing.removeAll(kinds.keySet());
        assertTrue(one != null || missing.isEmpty(), missing + " are missing among " + kinds);
    }

    private static void walk(long seed, Map<String, Integer> kinds) {
        Random random = new Random(seed * 0x9e3779b97f4a7c15L ^ seed << 32);
        Post post = new Post().watching(RandomPostTest::withinTheLimit);
        List<Program> programs = programs(random);
        programs.forEach(post::published);
        List<Party> roots = new ArrayList<>();
        int sent = 0;
        for (int step = 0; step < STEPS; step++) {
            post.later(Duration.ofSeconds(random.nextInt(90)));
            switch (random.nextInt(8)) {
                case 0 -> {
                    if (roots.size() < 8) {
                        roots.add(post.start(programs.get(random.nextInt(programs.size())), JsonObject.EMPTY));
                    }
                }
                case 1 -> post.signal("t", "k" + random.nextInt(2), "outside-" + sent++);
                case 2, 3 -> move(post, random);
                default -> post.deliverOne(random);
            }
        }
        // Everything comes to its end: tasks answer, timers fire, letters arrive.
        boolean going = true;
        for (int round = 0; round < 2_000 && going; round++) {
            boolean delivered = post.deliverOne(random);
            boolean moved = move(post, random);
            going = delivered || moved;
            post.later(Duration.ofSeconds(30));
        }
        post.deliver();
        signals(post);
        released(post);
        for (Party party : post.parties()) {
            for (String kind : party.kinds()) {
                kinds.merge(kind, 1, Integer::sum);
            }
        }
    }

    private static List<Program> programs(Random random) {
        ChildPolicy policy = List.of(
                        ChildPolicy.CASCADE, ChildPolicy.DETACH, ChildPolicy.WAIT, ChildPolicy.COMPLETE_THEN_CANCEL)
                .get(random.nextInt(4));
        ChildPolicies policies = new ChildPolicies(policy, policy, policy, policy);
        return List.of(
                Programs.dag()
                        .named("waiter")
                        .await("one", "t", "k0", random.nextBoolean() ? "PT4M" : "PT2H")
                        .await("two", "t", "k1", "PT3M")
                        .task("work")
                        .edge("start", "one")
                        .edge("start", "work")
                        .edge("one", "two")
                        .on(Outcome.TIMEOUT, "two", "late")
                        .task("late")
                        .build(),
                Programs.dag()
                        .named("sender")
                        .emit("send", "t", "k" + random.nextInt(2), "inside")
                        .task("work")
                        .edge("start", "send")
                        .edge("start", "work")
                        .build(),
                Programs.dag()
                        .named("holder")
                        .await(
                                "get",
                                new Source.Permit(
                                        new JsonString("press"), 2 + random.nextInt(2), 1 + random.nextInt(2), LEASE),
                                Optional.of(new JsonString("PT6M")))
                        .tasks("work", "beside")
                        .release("give", "get")
                        .edge("start", "get")
                        .edge("start", "beside")
                        .chain("get", "work", "give")
                        .build(),
                Programs.dag()
                        .named("caller")
                        .call("call", "sender", true, Optional.of("PT2M"), policies, answer(random))
                        .call("hold", "holder", random.nextBoolean(), Optional.empty(), policies, answer(random))
                        .tasks("work", "late")
                        .edge("start", "call")
                        .edge("start", "hold")
                        .edge("start", "work")
                        .on(Outcome.TIMEOUT, "call", "late")
                        .build());
    }

    private static ChildAnswer answer(Random random) {
        return random.nextBoolean() ? ChildAnswer.WRAPPED : ChildAnswer.PLAIN;
    }

    /** Somebody's task is answered or somebody's timer fires; false if there is neither. */
    private static boolean move(Post post, Random random) {
        List<Runnable> possible = new ArrayList<>();
        for (Party party : post.parties()) {
            for (Attempt attempt : party.state().openAttempts()) {
                TaskAnswer answer = random.nextInt(5) == 0
                        ? Story.failed(FailureClass.PERMANENT)
                        : new TaskAnswer.Ok(Payload.of(new JsonString("ok")));
                possible.add(() -> post.accepted(
                        party, new Command.CompleteTask(attempt.activation(), attempt.attempt(), answer)));
            }
            for (TimerState timer : party.state().timers()) {
                if (!timer.dueAt().isAfter(post.now())) {
                    possible.add(() -> post.accepted(party, new Command.FireTimer(timer.timer(), timer.generation())));
                }
            }
        }
        boolean waiting = possible.isEmpty()
                && post.parties().stream()
                        .anyMatch(party -> !party.state().timers().isEmpty());
        if (possible.isEmpty()) {
            return waiting;
        }
        possible.get(random.nextInt(possible.size())).run();
        return true;
    }

    /** I6, after each decision of a semaphore. */
    private static void withinTheLimit(Party party) {
        if (party.state() instanceof SemaphoreState semaphore
                && party.lastKinds().contains("PermitGranted")) {
            assertTrue(semaphore.used() <= semaphore.limit(), "I6 " + party.tale());
            assertEquals(
                    semaphore.used(),
                    semaphore.grants().stream()
                            .mapToInt(SemaphoreState.Grant::permits)
                            .sum());
        }
    }

    /** Each signal that a channel took was accepted once, or expired, or is kept still. */
    private static void signals(Post post) {
        int sentByRuns = 0;
        int takenFromRuns = 0;
        Map<String, Integer> accepted = new TreeMap<>();
        for (Party party : post.parties()) {
            sentByRuns += party.all(SignalSent.class).size();
            for (SignalAccepted body : party.all(SignalAccepted.class)) {
                accepted.merge(body.channel() + "/" + body.signal(), 1, Integer::sum);
            }
        }
        for (Party party : post.parties()) {
            if (!(party.state() instanceof ChannelState channel)) {
                continue;
            }
            Set<Long> settled = new HashSet<>();
            for (SignalExpired body : party.all(SignalExpired.class)) {
                assertTrue(settled.add(body.signal()), "expired twice: " + body);
            }
            for (JsonValue kept :
                    ((JsonArray) channel.toJson().members().getOrDefault("kept", JsonArray.EMPTY)).items()) {
                String number = ((JsonObject) kept)
                        .members()
                        .getOrDefault("signal", kept)
                        .toString();
                assertTrue(settled.add(Long.parseLong(number)), "kept and expired: " + number);
            }
            for (SignalReceived body : party.all(SignalReceived.class)) {
                takenFromRuns += body.source().isPresent() ? 1 : 0;
                int times = accepted.getOrDefault(party.id() + "/" + body.signal(), 0);
                boolean gone = settled.contains(body.signal());
                assertEquals(gone ? 0 : 1, times, "signal " + body.signal() + " of\n" + party.tale());
            }
            takenFromRuns += party.all(SignalRefused.class).size();
        }
        assertEquals(sentByRuns, takenFromRuns, "a signal was lost on its way");
    }

    /** Whoever is over has given everything back. */
    private static void released(Post post) {
        for (Party party : post.parties()) {
            if (party.state() instanceof SemaphoreState semaphore) {
                for (SemaphoreState.Grant grant : semaphore.grants()) {
                    Party holder = post.party(grant.waiter().run());
                    assertTrue(!holder.status().isFinal(), "held by a run that is over:\n" + holder.tale());
                }
            }
            if (!Aggregates.isAggregate(party.id())) {
                assertTrue(party.all(EventBody.RunStarted.class).size() == 1, "a run begins once");
            }
        }
    }
}
