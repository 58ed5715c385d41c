package dev.flowstone.testkit.simulation;

import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/**
 * Plays several seeds at once and hands out what became of them in the seeds' order, so that nobody can tell how many threads
 * there were. Each seed is played by one thread and shares nothing with others; a bounded number is played ahead. Whoever closes
 * it early never hears of those.
 */
final class SeedsAtOnce implements AutoCloseable {
    /** Large enough that a long seed holds up nobody. */
    private static final int AHEAD_OF_EACH = 100;

    private final ExecutorService players;
    private final LongFunction<Simulation.Result> play;
    private final ArrayDeque<Future<Simulation.Result>> ahead = new ArrayDeque<>();
    private final int mostAhead;
    private final long end;
    private long next;

    /**
     * So many seeds, from the first one on.
     *
     * @param play plays one; is called by several threads
     */
    SeedsAtOnce(int threads, long first, long seeds, LongFunction<Simulation.Result> play) {
        this.players = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("simulation-", 1).factory());
        this.play = play;
        this.mostAhead = threads * AHEAD_OF_EACH;
        this.next = first;
        this.end = first + seeds;
    }

    /** What became of the next seed; waits for it. */
    Simulation.Result next() {
        while (ahead.size() < mostAhead && next < end) {
            long seed = next;
            ahead.add(players.submit(() -> play.apply(seed)));
            next++;
        }
        try {
            return ahead.remove().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a simulation could not be played", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the simulation was interrupted", e);
        }
    }

    @Override
    public void close() {
        players.shutdownNow();
        players.close();
    }
}
