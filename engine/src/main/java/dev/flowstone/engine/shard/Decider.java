package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.time.DatabaseTime;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Decides a batch: each run's commands in order on its folded state. Facts that decisions ask for are fetched for all runs
 * at once, and those runs go on from where they stopped. A decision that throws fails its command and nothing else.
 */
final class Decider {
    private static final System.Logger LOG = System.getLogger(Decider.class.getName());

    /** How often one decision may ask for facts; one that wants more is broken. */
    private static final int ASKS = 2_000;

    private final Env env;
    private final PayloadCache payloads;
    private final DatabaseTime time;
    private final RandomGenerator random;
    private final ShardConfig config;
    private final DecisionRule rule;

    /** Bytes of what this round's decisions set aside. */
    private long aside;

    Decider(
            Env env,
            PayloadCache payloads,
            DatabaseTime time,
            RandomGenerator random,
            ShardConfig config,
            DecisionRule rule) {
        this.rule = rule;
        this.env = env;
        this.payloads = payloads;
        this.time = time;
        this.random = random;
        this.config = config;
    }

    /**
     * Decides the turns' commands, until what decisions set aside fills a commit.
     *
     * @param left gets the commands that wait for the next round because of that, in order by run
     */
    void decide(Collection<Turn> turns, List<Work> left) throws JournalException {
        aside = 0;
        Collection<Turn> open = turns;
        while (!open.isEmpty()) {
            // In the order of the turns: how chance is drawn depends on it.
            Map<Turn, Set<Fact>> asking = new LinkedHashMap<>();
            for (Turn turn : open) {
                Set<Fact> facts = advance(turn, left);
                if (!facts.isEmpty()) {
                    asking.put(turn, facts);
                }
            }
            fetch(asking);
            open = asking.keySet();
        }
    }

    /** Decides the turn's commands until one needs facts. */
    private Set<Fact> advance(Turn turn, List<Work> left) {
        while (!turn.waiting.isEmpty()) {
            if (aside >= config.batchBytes()) {
                left.addAll(turn.leave());
                return Set.of();
            }
            Work work = turn.waiting.element();
            Decision decision;
            try {
                decision = decide(turn, work);
            } catch (RuntimeException | StackOverflowError e) {
                LOG.log(Level.ERROR, "a decision of run " + turn.key + " failed", e);
                breakOff(turn, "the decision failed: " + e);
                continue;
            }
            switch (decision) {
                case Decision.Accepted accepted -> {
                    turn.next();
                    turn.accept(work, accepted);
                    accepted.aside().forEach(content -> aside += content.bytes().length);
                    if (work instanceof StartWork start && accepted.entry().isPresent()) {
                        receipt(start).ifPresent(turn.receipts::add);
                    }
                }
                case Decision.Rejected rejected ->
                    turn.conclude(
                            turn.next(),
                            new Turn.Result.Rejected(rejected.code().name(), rejected.reason()));
                case Decision.Needs needs -> {
                    if (turn.facts().keySet().containsAll(needs.facts())) {
                        breakOff(turn, "it asks again for facts that it was given");
                    } else if (turn.ask() > ASKS) {
                        breakOff(turn, "it keeps asking for facts");
                    } else {
                        return needs.facts();
                    }
                }
            }
        }
        return Set.of();
    }

    private static void breakOff(Turn turn, String reason) {
        turn.conclude(turn.next(), new Turn.Result.Broken(reason));
    }

    private Decision decide(Turn turn, Work work) {
        Env with = turn.facts().isEmpty() ? env : new Env(env.expressions(), turn.facts(), env.vars(), env.bounds());
        return switch (work) {
            case StartWork start -> rule.decide(with, turn.state(), stamp(start), command(start));
            case CommandWork command -> rule.decide(with, turn.state(), stamp(turn, command), command.command);
        };
    }

    private static Command command(StartWork start) {
        RunKey run = start.run();
        return new Command.StartRun(
                run.tenant(),
                run.run(),
                start.request.version(),
                start.request.program(),
                start.request.requestId(),
                start.input,
                start.request.requested());
    }

    private Stamp stamp(StartWork start) {
        return new Stamp(
                time.now(),
                Optional.empty(),
                random.nextLong(),
                start.request.actor(),
                Optional.empty(),
                start.request.requestId(),
                Optional.empty(),
                start.request.correlation());
    }

    private Stamp stamp(Turn turn, CommandWork command) {
        return new Stamp(
                time.now(),
                Optional.empty(),
                random.nextLong(),
                Actor.ENGINE,
                Optional.empty(),
                Optional.empty(),
                command.inbox.map(key -> key.source() + "/" + key.key()),
                turn.state().correlation());
    }

    private Optional<Receipt> receipt(StartWork start) {
        return start.receipt.map(key -> new Receipt(
                key,
                Sha256.digest(start.request.workflow().value().getBytes(StandardCharsets.UTF_8)),
                start.run().run(),
                JsonObject.builder()
                        .put("run", start.run().run().toString())
                        .put("workflow", start.request.workflow().value())
                        .build(),
                time.now().plus(config.receiptLifetime())));
    }

    private void fetch(Map<Turn, Set<Fact>> asking) throws JournalException {
        Map<TenantId, Set<Sha256>> missing = new HashMap<>();
        asking.forEach((turn, facts) -> {
            for (Fact fact : facts) {
                switch (fact) {
                    case Fact.StoredValue stored -> {
                        StoredPayload carried = turn.carried(stored.hash());
                        if (carried != null) {
                            turn.learn(fact, payloads.keep(turn.key.tenant(), carried));
                        } else {
                            missing.computeIfAbsent(turn.key.tenant(), tenant -> new LinkedHashSet<>())
                                    .add(stored.hash());
                        }
                    }
                }
            }
        });
        Map<TenantId, Map<Sha256, JsonValue>> found = new HashMap<>();
        for (Map.Entry<TenantId, Set<Sha256>> ofTenant : missing.entrySet()) {
            found.put(ofTenant.getKey(), payloads.read(ofTenant.getKey(), ofTenant.getValue()));
        }
        for (Turn turn : new ArrayList<>(asking.keySet())) {
            teach(turn, asking.getOrDefault(turn, Set.of()), found.getOrDefault(turn.key.tenant(), Map.of()));
        }
    }

    private static void teach(Turn turn, Set<Fact> facts, Map<Sha256, JsonValue> found) {
        for (Fact fact : facts) {
            if (turn.facts().containsKey(fact)) {
                continue;
            }
            switch (fact) {
                case Fact.StoredValue stored -> {
                    JsonValue value = found.get(stored.hash());
                    if (value == null) {
                        breakOff(turn, "the payload " + stored.hash() + " is missing or damaged");
                        return;
                    }
                    turn.learn(fact, value);
                }
            }
        }
    }
}
