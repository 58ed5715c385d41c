package dev.flowstone.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Two loads that are measured in turns, first one, then the other, then the other first: whatever else the machine does, and
 * whatever changes slowly, disturbs both alike. While one is measured the other stands still.
 */
public final class InTurns {
    private static final Duration SETTLE = Duration.ofMillis(500);

    private final Side one;
    private final Side other;
    private final int inflight;

    /** One of them: so many runs in flight, on an engine of its own or on the same. */
    public static final class Side {
        private final String name;
        private final Watch watch;
        private final ClosedLoop loop;
        private final List<Window> windows = new ArrayList<>();

        public Side(String name, Watch watch, RunStarts starts) {
            this.name = name;
            this.watch = watch;
            this.loop = new ClosedLoop(starts);
        }

        private void hold(int inflight, Duration time) throws InterruptedException {
            loop.resize(inflight);
            watch.hold(time.compareTo(SETTLE) < 0 ? time : SETTLE, name + ", settling");
            windows.add(watch.hold(time, name));
            loop.resize(0);
        }

        /** What was measured of it since this was asked last. */
        public Windows seen() {
            Windows seen = new Windows(windows);
            windows.clear();
            return seen;
        }
    }

    public InTurns(Side one, Side other, int inflight) {
        this.one = one;
        this.other = other;
        this.inflight = inflight;
    }

    /** Lets both go for a while each; nothing of it counts. */
    public InTurns warmUp(Duration each) throws InterruptedException {
        round(false, each);
        one.windows.clear();
        other.windows.clear();
        return this;
    }

    /** Measures each of them so often, so long each time. */
    public void measure(int rounds, Duration each) throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            round(round % 2 == 1, each);
        }
    }

    private void round(boolean otherFirst, Duration each) throws InterruptedException {
        (otherFirst ? other : one).hold(inflight, each);
        (otherFirst ? one : other).hold(inflight, each);
    }

    /** Waits until the last run of both is over. */
    public void end() throws InterruptedException {
        try {
            one.loop.end();
        } finally {
            other.loop.end();
        }
    }
}
