package dev.flowstone.engine.shard;

import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.engine.time.DatabaseTime;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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
    private final FactReader facts;
    private final DatabaseTime time;
    private final RandomGenerator random;
    private final ShardConfig config;
    private final DecisionRule rule;
    private final Supplier<SettingLog> settings;
    private final Posts posts;

    /** Bytes of what this round's decisions set aside, and of their messages. */
    private long aside;

    Decider(
            Env env,
            FactReader facts,
            DatabaseTime time,
            RandomGenerator random,
            ShardConfig config,
            DecisionRule rule,
            Supplier<SettingLog> settings,
            Posts posts) {
        this.posts = posts;
        this.rule = rule;
        this.settings = settings;
        this.env = env;
        this.facts = facts;
        this.time = time;
        this.random = random;
        this.config = config;
    }

    /**
     * Decides the turns' commands, until what decisions set aside fills a commit.
     *
     * @param left gets the commands that wait for the next round because of that, in order by run
     * @param deciding stands still while facts are fetched
     */
    void decide(Collection<Turn> turns, List<Work> left, DecidingTime deciding) throws JournalException {
        aside = 0;
        Collection<Turn> open = turns;
        while (!open.isEmpty()) {
            // In the order of the turns: how chance is drawn depends on it.
            Map<Turn, Set<Fact>> asking = new LinkedHashMap<>();
            for (Turn turn : open) {
                Set<Fact> asked = advance(turn, left);
                if (!asked.isEmpty()) {
                    asking.put(turn, asked);
                }
            }
            if (!asking.isEmpty()) {
                deciding.pause();
                facts.fetch(asking);
                deciding.goOn();
            }
            open = asking.keySet();
        }
    }

    /** Decides the turn's commands until one needs facts. */
    private Set<Fact> advance(Turn turn, List<Work> left) throws JournalException {
        while (!turn.waiting.isEmpty()) {
            if (aside >= config.batchBytes()) {
                left.addAll(turn.leave());
                return Set.of();
            }
            Work work = turn.waiting.element();
            List<Setting> news = turn.hasHeeded() ? List.of() : settings.get().unheeded(turn.state());
            Decision decision;
            try {
                decision = news.isEmpty() ? decide(turn, work) : heed(turn, news);
            } catch (RuntimeException | StackOverflowError e) {
                LogContext.about(turn.key, () -> LOG.log(Level.ERROR, "a decision of run " + turn.key + " failed", e));
                breakOff(turn, "the decision failed: " + e, left);
                continue;
            }
            switch (decision) {
                case Decision.Accepted accepted
                when !news.isEmpty() -> {
                    turn.heed(accepted);
                    aside += posts.follow(turn, accepted);
                    accepted.aside().forEach(content -> aside += content.bytes().length);
                }
                case Decision.Accepted accepted -> {
                    turn.next();
                    turn.accept(work, accepted);
                    aside += posts.follow(turn, accepted);
                    accepted.aside().forEach(content -> aside += content.bytes().length);
                    if (accepted.entry().isPresent()) {
                        receipt(turn, work).ifPresent(turn.receipts::add);
                        link(turn, work).ifPresent(turn.receipts::add);
                    }
                }
                case Decision.Rejected rejected ->
                    turn.conclude(
                            turn.next(),
                            new Turn.Result.Rejected(rejected.code().name(), rejected.reason()));
                case Decision.Needs needs -> {
                    if (turn.facts().keySet().containsAll(needs.facts())) {
                        breakOff(turn, "it asks again for facts that it was given", left);
                    } else if (turn.ask() > ASKS) {
                        breakOff(turn, "it keeps asking for facts", left);
                    } else {
                        return needs.facts();
                    }
                }
            }
        }
        return Set.of();
    }

    /** A message that breaks off and has no substitute sets its run aside: what stands behind it must not overtake it. */
    private static void breakOff(Turn turn, String reason, List<Work> left) {
        boolean last = turn.waiting.element() instanceof CommandWork command
                && command.origin.inbox().isPresent()
                && command.instead("ENGINE_ERROR", reason).isEmpty();
        turn.breakOff(reason);
        if (last) {
            left.addAll(turn.leave());
        }
    }

    private Decision decide(Turn turn, Work work) {
        Env with = env(turn);
        return switch (work) {
            case StartWork start -> rule.decide(with, turn.state(), stamp(start), command(start));
            case CommandWork command -> rule.decide(with, turn.state(), stamp(turn, command), command.command);
        };
    }

    /** The run records what was set for its scope before anything else is decided (R25). */
    private Decision heed(Turn turn, List<Setting> news) {
        Actor actor =
                news.size() == 1 ? settings.get().row(news.getFirst().number()).actor() : Actor.ENGINE;
        Stamp stamp = stamp(
                actor,
                Optional.empty(),
                Optional.empty(),
                Optional.of("setting/" + news.getLast().number()),
                turn.state().correlation());
        return rule.decide(env(turn), turn.state(), stamp, new ControlCommand.Heed(news));
    }

    private Env env(Turn turn) {
        Env with = turn.facts().isEmpty() ? env : env.with(turn.facts());
        boolean begins = turn.state().lastSequence() == 0 && !Aggregates.isAggregate(turn.key.run());
        SettingLog log = settings.get();
        if (log.isEmpty() || !begins) {
            return with;
        }
        return with.bornUnder(
                log.holding(turn.key.tenant(), turn.state().program().workflow()));
    }

    private static Command command(StartWork start) {
        RunKey run = start.run();
        if (start.reset.isPresent()) {
            ResetPoint point = start.reset.get();
            return new ControlCommand.StartFrom(
                    run.tenant(), run.run(), start.request.version(), point.from(), point.sequence(), point.state());
        }
        return new Command.StartRun(
                run.tenant(),
                run.run(),
                start.request.version(),
                start.request.program(),
                start.request.requestId(),
                start.input,
                start.request.requested(),
                start.request.subject());
    }

    private Stamp stamp(StartWork start) {
        return stamp(
                start.request.actor(),
                Optional.empty(),
                start.request.requestId(),
                Optional.empty(),
                start.request.correlation());
    }

    private Stamp stamp(Turn turn, CommandWork command) {
        return switch (command.origin) {
            case Origin.Engine _ -> stamp(turn, Optional.empty());
            case Origin.Inbound inbound ->
                stamp(
                        turn,
                        Optional.of(inbound.message().source() + "/"
                                + inbound.message().key()));
            case Origin.Post post ->
                stamp(
                        Actor.ENGINE,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(post.letter().sender() + "/" + post.letter().number()),
                        post.correlation());
            case Origin.Caller caller ->
                stamp(
                        caller.request().actor(),
                        caller.request().authorization(),
                        caller.request().idempotencyKey(),
                        Optional.empty(),
                        turn.state().lastSequence() == 0
                                ? caller.request().correlation()
                                : turn.state().correlation());
        };
    }

    private Stamp stamp(Turn turn, Optional<String> causation) {
        return stamp(
                Actor.ENGINE,
                Optional.empty(),
                Optional.empty(),
                causation,
                turn.state().correlation());
    }

    private Stamp stamp(
            Actor actor,
            Optional<String> authorization,
            Optional<String> key,
            Optional<String> causation,
            String correlation) {
        return new Stamp(
                time.now(), Optional.empty(), random.nextLong(), actor, authorization, key, causation, correlation);
    }

    /** By this the run whose past it begins at is found to have been begun again; that run's own history isn't touched. */
    private static Optional<Receipt> link(Turn turn, Work work) {
        return work instanceof StartWork start
                ? start.reset.map(point -> new Receipt(
                        ReceiptKey.reset(turn.key.tenant(), point.from(), turn.key.run()),
                        point.digest(),
                        turn.key.run(),
                        JsonObject.EMPTY,
                        Times.LAST))
                : Optional.empty();
    }

    private Optional<Receipt> receipt(Turn turn, Work work) {
        Sha256 request = switch (work) {
            case StartWork start ->
                start.reset
                        .map(ResetPoint::digest)
                        .orElseGet(() ->
                                Sha256.digest(start.request.workflow().value().getBytes(StandardCharsets.UTF_8)));
            case CommandWork command ->
                command.origin instanceof Origin.Caller caller
                        ? caller.request().digest()
                        : Sha256.ZERO;
        };
        return work.receipt()
                .map(key -> new Receipt(
                        key,
                        request,
                        turn.key.run(),
                        JsonObject.builder()
                                .put("run", turn.key.run().toString())
                                .put(
                                        "workflow",
                                        turn.state().program().workflow().value())
                                .put("sequence", turn.state().lastSequence())
                                .build(),
                        time.now().plus(config.receiptLifetime())));
    }
}
