package dev.flowstone.outbound;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * So many calls to one host at once, whatever its addresses and ports, and so many that begin in a second, evenly. What there is no place
 * for waits in order until its deadline. A host that nobody calls is forgotten.
 */
final class HostGates {
    /** Beyond, those that are only remembered for their next turn are looked for. */
    private static final int MANY = 1_024;

    private final int atOnce;

    /** Between two calls that begin, in nanoseconds; 0 for none. */
    private final long interval;

    private final ReentrantLock lock = new ReentrantLock();

    /** By host. Guarded by the lock, as all that changes of them but their places. */
    private final Map<String, Gate> gates = new HashMap<>();

    /** A call's place, to be given back. */
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    private static final class Gate {
        final Semaphore places;
        int users;

        /** The next call's, as {@link System#nanoTime} has it. */
        long turn = System.nanoTime();

        Gate(int atOnce) {
            this.places = new Semaphore(atOnce, true);
        }

        boolean isIdle() {
            return users == 0 && turn - System.nanoTime() <= 0;
        }
    }

    /**
     * With nobody inside.
     *
     * @param perSecond calls to one host that begin in a second; 0 for any number
     */
    HostGates(int atOnce, double perSecond) {
        this.atOnce = atOnce;
        this.interval = perSecond == 0 ? 0 : (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
    }

    /** Waits for a place and a turn; empty if there is none until the deadline. */
    Optional<Place> enter(String host, Deadline deadline) throws InterruptedException {
        Gate gate = join(host);
        boolean held = false;
        boolean entered = false;
        try {
            held = gate.places.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
            entered = held && awaitTurn(gate, deadline);
            return entered ? Optional.of(() -> leave(host, gate, true)) : Optional.empty();
        } finally {
            if (!entered) {
                leave(host, gate, held);
            }
        }
    }

    private Gate join(String host) {
        lock.lock();
        try {
            if (gates.size() > MANY) {
                gates.values().removeIf(Gate::isIdle);
            }
            Gate gate = gates.computeIfAbsent(host, _ -> new Gate(atOnce));
            gate.users++;
            return gate;
        } finally {
            lock.unlock();
        }
    }

    private void leave(String host, Gate gate, boolean held) {
        if (held) {
            gate.places.release();
        }
        lock.lock();
        try {
            gate.users--;
            if (gate.isIdle()) {
                gates.remove(host, gate);
            }
        } finally {
            lock.unlock();
        }
    }

    /** False, and no turn is used up, if it would come too late. */
    private boolean awaitTurn(Gate gate, Deadline deadline) throws InterruptedException {
        if (interval == 0) {
            return true;
        }
        long pause;
        lock.lock();
        try {
            long now = System.nanoTime();
            pause = Math.max(0, gate.turn - now);
            if (pause > deadline.remaining().toNanos()) {
                return false;
            }
            gate.turn = now + pause + interval;
        } finally {
            lock.unlock();
        }
        TimeUnit.NANOSECONDS.sleep(pause);
        return true;
    }

    /** Hosts that are called, or will have to wait. */
    int hosts() {
        lock.lock();
        try {
            return gates.size();
        } finally {
            lock.unlock();
        }
    }
}
