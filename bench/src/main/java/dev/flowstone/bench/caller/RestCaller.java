package dev.flowstone.bench.caller;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls until its standard input ends, then waits for the last answers. Says on standard output what became of each call, in a
 * line {@code number begun took status code}: which call, when it was begun in microseconds of the epoch, and how long it took;
 * status 0 if its connection broke. The last line says how many there were: {@code end offered sent}.
 */
public final class RestCaller {
    private static final int LINES = 64 << 10;

    private RestCaller() {}

    /**
     * Takes the server's port, connections, calls a second to offer (0: each connection calls again when it is answered), how many
     * a connection may have unanswered, a file of calls: {@code path TAB headers TAB body} in each line, headers separated by
     * {@code |}, and how many calls to make before a byte on standard input lets it go on. A single one is repeated for ever, of
     * several each is made until it is done.
     */
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        List<byte[]> calls = Files.readAllLines(Path.of(args[4])).stream()
                .map(line -> request(port, line.split("\t", 3)))
                .toList();
        AtomicBoolean stopped = new AtomicBoolean();
        Calls all = new Calls(calls, Integer.parseInt(args[5]));
        Thread.ofPlatform().daemon().start(() -> listen(System.in, all, stopped));
        // Whoever started it reads this, no person.
        OutputStream standardOutput = new FileOutputStream(FileDescriptor.out);
        PrintStream out =
                new PrintStream(new BufferedOutputStream(standardOutput, LINES), false, StandardCharsets.US_ASCII);
        CallLoop.Rate rate = new CallLoop.Rate(Double.parseDouble(args[2]), Integer.parseInt(args[3]));
        try (CallLoop loop = new CallLoop(port, Integer.parseInt(args[1]), rate, all, out)) {
            loop.run(stopped);
        }
    }

    private static void listen(InputStream in, Calls calls, AtomicBoolean stopped) {
        try {
            // That the stream ends is a message too, also by a kill of whoever started this.
            while (in.read() >= 0) {
                calls.release();
            }
        } catch (IOException e) {
            // It has ended.
        } finally {
            stopped.set(true);
        }
    }

    private static byte[] request(int port, String[] call) {
        byte[] body = call[2].getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("POST " + call[0] + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n");
        for (String header : call[1].split("\\|", -1)) {
            head.append(header).append("\r\n");
        }
        head.append("Content-Type: application/json\r\nContent-Length: ")
                .append(body.length)
                .append("\r\n\r\n");
        byte[] first = head.toString().getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[first.length + body.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }
}
