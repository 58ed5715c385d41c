package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.http.Caller;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The way to one client who reads a stream: knows for how long it has taken nothing. Written by the thread that made it. */
final class Outlet {
    private static final int BUFFER = 16 << 10;

    private final Visitor visitor;
    private final OutputStream out;
    private final Thread thread = Thread.currentThread();
    private volatile long writingSince;

    Outlet(Visitor visitor, OutputStream socket) {
        this.visitor = requireNonNull(visitor);
        this.out = new BufferedOutputStream(socket, BUFFER);
    }

    Caller caller() {
        return visitor.caller();
    }

    void write(String text) throws IOException {
        writingSince = System.nanoTime() | 1;
        out.write(text.getBytes(StandardCharsets.UTF_8));
        writingSince = 0;
    }

    void flush() throws IOException {
        writingSince = System.nanoTime() | 1;
        out.flush();
        writingSince = 0;
    }

    /** Says something that clients pass over, at once. */
    void comment(String text) throws IOException {
        write(": " + text + "\n\n");
        flush();
    }

    /** Fails if its client was too slow. */
    void check() throws IOException {
        if (Thread.interrupted()) {
            throw new IOException("the reader was too slow");
        }
    }

    /** Whether its client has taken nothing for so long. */
    boolean isStuck(Duration patience) {
        long since = writingSince;
        return since != 0 && System.nanoTime() - since > patience.toNanos();
    }

    /** Ends its connection: interrupting a virtual thread that writes to a socket closes the socket. */
    void abandon() {
        thread.interrupt();
    }
}
