package dev.flowstone.bench.caller;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One connection; calls on it are answered in their order. A connection that breaks is opened again. */
final class CallSocket {
    private final InetSocketAddress server;
    private final Selector selector;
    private final Listener listener;
    private final ArrayDeque<Call> unanswered = new ArrayDeque<>();
    private final ArrayDeque<ByteBuffer> unsent = new ArrayDeque<>();
    private AnswerReader answers = new AnswerReader();
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;

    /** A call under way, begun at a moment of {@link System#nanoTime}, and of the epoch. */
    record Call(int number, long nanos, long micros) {}

    /** Is told of each call. */
    interface Listener {
        /** It was answered; status 0 if nobody knows what became of it. */
        void answered(Call call, int status, String code);
    }

    CallSocket(int port, Selector selector, Listener listener) {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.selector = selector;
        this.listener = listener;
    }

    int underWay() {
        return unanswered.size();
    }

    void send(int number, byte[] request) {
        Instant now = Instant.now();
        unanswered.add(new Call(number, System.nanoTime(), now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000));
        unsent.add(ByteBuffer.wrap(request));
    }

    /** Writes as much as the connection takes. */
    void flush() {
        if (unsent.isEmpty()) {
            return;
        }
        try {
            SocketChannel to = opened();
            to.write(unsent.toArray(ByteBuffer[]::new));
            while (!unsent.isEmpty() && !unsent.element().hasRemaining()) {
                unsent.remove();
            }
            interest(unsent.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        } catch (IOException e) {
            broken();
        }
    }

    /** Reads what is there. */
    void read() {
        if (channel == null) {
            return;
        }
        try {
            int read = answers.readFrom(channel);
            while (answers.next()) {
                listener.answered(unanswered.remove(), answers.status(), answers.code());
            }
            if (read < 0 || answers.closes()) {
                broken();
            }
        } catch (IOException e) {
            broken();
        }
    }

    private SocketChannel opened() throws IOException {
        SocketChannel open = channel;
        if (open == null) {
            open = SocketChannel.open(server);
            open.configureBlocking(false);
            open.setOption(StandardSocketOptions.TCP_NODELAY, true);
            key = open.register(selector, SelectionKey.OP_READ, this);
            channel = open;
        }
        return open;
    }

    private void interest(int operations) {
        if (key != null && key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    private void broken() {
        close();
        unsent.clear();
        answers = new AnswerReader();
        while (!unanswered.isEmpty()) {
            listener.answered(unanswered.remove(), 0, "-");
        }
    }

    void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            channel = null;
            key = null;
        }
    }
}
