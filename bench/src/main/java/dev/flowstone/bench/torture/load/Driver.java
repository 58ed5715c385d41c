package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.check.Kind;
import dev.flowstone.bench.torture.company.Company;
import dev.flowstone.bench.worker.EffectWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Starts runs at an even rate, whatever becomes of them, as long as not too many clients are still at it. */
public final class Driver implements AutoCloseable {
    /** Some are there several times, which sets their share. */
    private static final List<Kind> MIX = List.of(
            Kind.SEQUENCE, Kind.UNDO, Kind.APPROVAL, Kind.TELL, Kind.SIGNAL, Kind.UNDO, Kind.TIMER, Kind.APPROVAL);

    /** One in so many runs that undo two effects each can't undo one of them: of the effects, half of a hundredth. */
    private static final int IRREVERSIBLE_EVERY = 100;

    /** The first of them: late enough for its share to be below a hundredth, early enough for the shortest torture. */
    private static final int IRREVERSIBLE_FIRST = 52;

    private static final int MOST_AT_ONCE = 400;
    private static final Duration GLANCE = Duration.ofMillis(50);

    private final Desk desk;
    private final double rate;
    private final SplittableRandom random;
    private final Set<Thread> living = ConcurrentHashMap.newKeySet();
    private final AtomicInteger undoing = new AtomicInteger();
    private final AtomicLong withheld = new AtomicLong();
    private final Thread clock;
    private volatile boolean offers = true;

    private Driver(Desk desk, double rate, long seed) {
        this.desk = requireNonNull(desk);
        this.rate = rate;
        this.random = new SplittableRandom(seed);
        this.clock = Thread.ofVirtual().name("torture-driver").unstarted(this::offer);
    }

    /**
     * Begins.
     *
     * @param rate runs a second
     */
    public static Driver start(
            Company company, CommandLedger ledger, DecisionLog decisions, Tally tally, double rate, long seed) {
        Caller caller = new Caller(company.rest(), company.nodes(), tally);
        Driver driver = new Driver(new Desk(caller, ledger, decisions, tally), rate, seed);
        driver.clock.start();
        return driver;
    }

    private void offer() {
        long begin = System.nanoTime();
        try {
            for (int number = 0; offers; number++) {
                long due = begin + (long) (number / rate * 1e9);
                Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
                if (living.size() < MOST_AT_ONCE) {
                    begin(number);
                } else {
                    withheld.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(int number) {
        Kind kind = MIX.get(number % MIX.size());
        boolean irreversible =
                kind == Kind.UNDO && undoing.getAndIncrement() % IRREVERSIBLE_EVERY == IRREVERSIBLE_FIRST;
        String name = "t-" + number + (irreversible ? EffectWorker.IRREVERSIBLE : "");
        Life life = new Life(desk, kind, name, random.split());
        Thread thread = Thread.ofVirtual().unstarted(() -> live(life, name));
        living.add(thread);
        thread.start();
    }

    private void live(Life life, String name) {
        try {
            life.live();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            desk.tally().odd("client of " + name + ": " + e);
        } finally {
            living.remove(Thread.currentThread());
        }
    }

    /** Runs that weren't started since too many clients waited. */
    public long withheld() {
        return withheld.get();
    }

    /** Starts nothing more, and waits until every client knows what it wanted to; whether they do by then. */
    public boolean finish(Duration patience) throws InterruptedException {
        offers = false;
        clock.join();
        Elapsed elapsed = new Elapsed();
        while (!living.isEmpty() && !elapsed.isBeyond(patience)) {
            Thread.sleep(GLANCE);
        }
        return living.isEmpty();
    }

    @Override
    public void close() {
        offers = false;
        clock.interrupt();
        living.forEach(Thread::interrupt);
    }
}
