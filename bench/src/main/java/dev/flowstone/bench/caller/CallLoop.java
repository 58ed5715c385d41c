package dev.flowstone.bench.caller;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One thread that calls over many connections. */
final class CallLoop implements AutoCloseable {
    private static final long LAST_ANSWERS = TimeUnit.SECONDS.toNanos(60);
    private static final long FLUSH = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long GLANCE_MILLIS = 50;

    private final Selector selector;
    private final List<CallSocket> sockets = new ArrayList<>();
    private final Rate rate;
    private final Calls calls;
    private final PrintStream out;
    private long offered;
    private long sent;
    private int cursor;

    /**
     * When it calls.
     *
     * @param perSecond calls to offer; 0: each connection calls when it was answered
     * @param unanswered calls that a connection may have under way; what can't be sent for that is not sent at all
     */
    record Rate(double perSecond, int unanswered) {
        boolean isOpen() {
            return perSecond > 0;
        }
    }

    CallLoop(int port, int connections, Rate rate, Calls calls, PrintStream out) throws IOException {
        this.selector = Selector.open();
        this.rate = rate;
        this.calls = calls;
        this.out = out;
        for (int i = 0; i < connections; i++) {
            sockets.add(new CallSocket(port, selector, this::answered));
        }
    }

    /** Calls until it is stopped or has nothing left to call for, and then waits for the last answers. */
    void run(AtomicBoolean stopped) throws IOException {
        long begin = System.nanoTime();
        long flushed = begin;
        while (!stopped.get() && !(calls.isEmpty() && underWay() == 0)) {
            long now = System.nanoTime();
            if (rate.isOpen()) {
                offer((long) ((now - begin) / 1e9 * rate.perSecond()) - offered);
                turn(1);
            } else {
                sockets.forEach(this::callAgain);
                turn(GLANCE_MILLIS);
            }
            if (now - flushed > FLUSH) {
                flushed = now;
                out.flush();
            }
        }
        long end = System.nanoTime() + LAST_ANSWERS;
        while (underWay() > 0 && System.nanoTime() < end) {
            turn(GLANCE_MILLIS);
        }
        for (CallSocket socket : sockets) {
            socket.close();
        }
        out.println("end " + offered + " " + sent);
        out.flush();
    }

    private int underWay() {
        return sockets.stream().mapToInt(CallSocket::underWay).sum();
    }

    /** Sends what is due over those connections that can take it; what none can take is not sent. */
    private void offer(long due) throws IOException {
        offered += due;
        long left = due;
        int full = 0;
        while (left > 0 && full < sockets.size() && !calls.isEmpty()) {
            CallSocket socket = sockets.get(cursor++ % sockets.size());
            if (socket.underWay() < rate.unanswered()) {
                send(socket);
                left--;
                full = 0;
            } else {
                full++;
            }
        }
        for (CallSocket socket : sockets) {
            socket.flush();
        }
    }

    private void callAgain(CallSocket socket) {
        if (socket.underWay() == 0 && calls.isNext()) {
            offered++;
            send(socket);
            socket.flush();
        }
    }

    private void send(CallSocket socket) {
        int number = calls.take();
        sent++;
        socket.send(number, calls.request(number));
    }

    private void turn(long millis) throws IOException {
        selector.select(key -> serve(key), millis);
    }

    private static void serve(SelectionKey key) {
        CallSocket socket = (CallSocket) key.attachment();
        socket.flush();
        socket.read();
    }

    private void answered(CallSocket.Call call, int status, String code) {
        long took = (System.nanoTime() - call.nanos()) / 1_000;
        out.append(Integer.toString(call.number()))
                .append(' ')
                .append(Long.toString(call.micros()))
                .append(' ')
                .append(Long.toString(took))
                .append(' ')
                .append(Integer.toString(status))
                .append(' ')
                .append(code)
                .append('\n');
        if (status == 503 || status == 429) {
            calls.again(call.number());
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
