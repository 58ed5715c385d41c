package dev.flowstone.bench.torture;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.torture.check.Acknowledged;
import dev.flowstone.bench.torture.check.Effect;
import dev.flowstone.bench.torture.check.Findings;
import dev.flowstone.bench.torture.check.Kind;
import dev.flowstone.bench.torture.check.Ledgers;
import dev.flowstone.bench.torture.check.Messages;
import dev.flowstone.bench.torture.check.RunSeen;
import dev.flowstone.bench.torture.company.Company;
import dev.flowstone.bench.torture.company.CompanyConfig;
import dev.flowstone.bench.torture.company.Opened;
import dev.flowstone.bench.torture.fault.FaultKind;
import dev.flowstone.bench.torture.fault.FaultRecord;
import dev.flowstone.bench.torture.fault.Prober;
import dev.flowstone.bench.torture.fault.Tormentor;
import dev.flowstone.bench.torture.load.CommandLedger;
import dev.flowstone.bench.torture.load.DecisionLog;
import dev.flowstone.bench.torture.load.Driver;
import dev.flowstone.bench.torture.load.Elapsed;
import dev.flowstone.bench.torture.load.Tally;
import dev.flowstone.bench.torture.load.TortureDefinitions;
import dev.flowstone.bench.worker.EffectWorker;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.postgres.PostgresOpenException;
import dev.flowstone.postgres.PostgresPorts;
import dev.flowstone.postgres.ServerFacts;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One torture. It ends by itself: no wait in it is without a bound. Its processes are those of what it was opened with, which ends them also
 * while it runs.
 */
public final class Torture {
    private static final List<String> ACTIONS = List.of(EffectWorker.EFFECT, EffectWorker.UNDO, EffectWorker.REFUSE);

    private static final Duration CLIENTS_KNOW = Duration.ofMinutes(5);
    private static final Duration LISTED = Duration.ofMinutes(2);
    private static final Duration RUNS_END = Duration.ofMinutes(5);
    private static final Duration MESSAGES_LEAVE = Duration.ofMinutes(5);

    private final TortureOptions options;
    private final List<FaultKind> faults;
    private final Steps progress;
    private final Company company;

    private Torture(TortureOptions options, List<FaultKind> faults, Steps progress, Company company) {
        this.options = options;
        this.faults = List.copyOf(faults);
        this.progress = requireNonNull(progress);
        this.company = requireNonNull(company);
    }

    /**
     * Starts all processes.
     *
     * @param opened has each of them from its first moment on, and ends it
     * @throws UnfinishedTortureException if one of them doesn't do what it is for
     */
    public static Torture open(TortureOptions options, Opened opened, Consumer<String> progress) throws Exception {
        List<FaultKind> faults = options.faults().stream()
                .filter(kind -> kind.missing(options.pair()).isEmpty())
                .toList();
        CompanyConfig config = new CompanyConfig(
                options.folder(),
                options.main(),
                options.lease(),
                ACTIONS,
                options.pair(),
                faults.contains(FaultKind.DISK),
                faults.contains(FaultKind.CLOCK));
        Steps steps = new Steps(config.folder(), progress);
        Company company = steps.through(List::of, () -> started(config, opened, steps));
        return new Torture(options, faults, steps, company);
    }

    private static Company started(CompanyConfig config, Opened opened, Steps steps) throws Exception {
        Company company = Company.start(config, opened, steps);
        for (Kind kind : Kind.values()) {
            company.publish(kind.workflow(), TortureDefinitions.of(kind));
        }
        return company;
    }

    /**
     * Tortures, waits until all is quiet, and judges.
     *
     * @throws UnfinishedTortureException if it can't go on, or would prove nothing
     */
    public MeasuredReport run() throws Exception {
        return progress.through(company::absent, this::tortured);
    }

    private MeasuredReport tortured() throws Exception {
        Elapsed elapsed = new Elapsed();
        Tally tally = new Tally(elapsed);
        DecisionLog decisions = new DecisionLog();
        try (CommandLedger ledger =
                CommandLedger.in(options.folder().toAbsolutePath().resolve("commands.log"))) {
            Prober prober = new Prober(company.rest(), ledger);
            if (prober.await(company.nodes(), System.nanoTime()).isEmpty()) {
                throw new IllegalStateException("the nodes do nothing even before anything is done to them");
            }
            List<FaultRecord> records;
            double over;
            boolean allKnow;
            long withheld;
            try (Driver driver = Driver.start(company, ledger, decisions, tally, options.rate(), options.seed())) {
                Thread.sleep(options.calm());
                records = tormentor(prober, elapsed).torment(faults, options.time(), options.once());
                over = elapsed.seconds();
                progress.accept("waiting for the clients");
                allKnow = driver.finish(CLIENTS_KNOW);
                withheld = driver.withheld();
            }
            Files.write(options.folder().resolve("decisions.log"), decisions.lines());
            company.worker().requireAlive();
            company.awaitWholeDatabase();
            List<Acknowledged> acknowledged = ledger.all();
            Map<String, RunSeen> runs = Histories.of(company, ids(acknowledged), RUNS_END, progress);
            progress.accept("waiting for the outbox");
            OutboxLeft outbox = OutboxLeft.await(company, MESSAGES_LEAVE);
            company.worker().requireAlive();
            company.worker().close();
            List<Effect> effects = company.worker().effects();
            progress.accept("judging");
            Findings findings = Ledgers.check(acknowledged, runs, effects);
            Messages messages = Messages.check(runs, company.worker().deliveries());
            return new TortureReport(
                            options,
                            records,
                            findings,
                            messages,
                            outbox,
                            decisions.judge(),
                            chains(),
                            tally,
                            effects,
                            elapsed,
                            over)
                    .of(allKnow, withheld, company.lostAnswers());
        }
    }

    private Tormentor tormentor(Prober prober, Elapsed elapsed) {
        return new Tormentor(company, prober, elapsed, options.lease(), options.calm(), options.seed(), progress);
    }

    /** What was acknowledged, and what nobody was told of. */
    private Collection<String> ids(List<Acknowledged> acknowledged) throws InterruptedException {
        Collection<String> ids = new LinkedHashSet<>(Histories.ids(company, LISTED));
        acknowledged.forEach(one -> ids.add(one.run()));
        return ids;
    }

    /** Of every tenant, straight from the database. */
    private ChainReport chains() throws Exception {
        progress.accept("verifying chains");
        try (PostgresPorts ports = PostgresPorts.open(company.database())) {
            return new ChainVerifier(ports.entrySource()).all();
        } catch (PostgresOpenException e) {
            throw new IllegalStateException("the database can't be opened any more: " + e.getMessage(), e);
        }
    }

    /** What the database says of itself. */
    public ServerFacts facts() throws Exception {
        return ServerFacts.of(company.database());
    }
}
