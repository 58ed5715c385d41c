package dev.flowstone.mail;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An SMTP server on the loopback interface whose answers a test decides: it is asked with each line that a client says, with
 * {@code CONNECT} for a new connection and {@code .} for the end of a message, and answers as a server does where the test says nothing.
 */
final class SmtpPeer implements AutoCloseable {
    /** Ends the connection instead of an answer. */
    static final String CUT = "cut";

    /** After an answer: ends the connection. */
    static final String THEN_CUT = " then cut";

    /** Says nothing for as long as the peer lives. */
    static final String SILENT = "silent";

    private final ServerSocket socket = new ServerSocket(0, 20, InetAddress.getLoopbackAddress());
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();
    private final Optional<SSLContext> tls;
    private final boolean tlsFirst;
    private volatile UnaryOperator<@Nullable String> script = _ -> null;

    private SmtpPeer(Optional<SSLContext> tls, boolean tlsFirst) throws IOException {
        this.tls = tls;
        this.tlsFirst = tlsFirst;
        Thread.ofVirtual().start(this::listen);
    }

    static SmtpPeer plain() throws IOException {
        return new SmtpPeer(Optional.empty(), false);
    }

    static SmtpPeer withStartTls(SSLContext tls) throws IOException {
        return new SmtpPeer(Optional.of(tls), false);
    }

    static SmtpPeer overTls(SSLContext tls) throws IOException {
        return new SmtpPeer(Optional.of(tls), true);
    }

    /** From now on; null for what it would say anyway. */
    SmtpPeer answering(UnaryOperator<@Nullable String> answers) {
        script = answers;
        lines.clear();
        connections.set(0);
        messages.clear();
        return this;
    }

    int port() {
        return socket.getLocalPort();
    }

    /** What was said to it, without the messages. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    int connections() {
        return connections.get();
    }

    /** How many messages it took or may have taken. */
    int taken() {
        return messages.size();
    }

    /** The next one, as it came. */
    String next() {
        String message = messages.poll();
        if (message == null) {
            throw new AssertionError("no message came; " + lines);
        }
        return message;
    }

    static MimeMessage read(String message) throws MessagingException {
        return new MimeMessage(
                Session.getInstance(new Properties()), new ByteArrayInputStream(message.getBytes(ISO_8859_1)));
    }

    private void listen() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            Socket talking = tlsFirst ? secured(client) : client;
            boolean goesOn = say(talking, "CONNECT", "220 peer.example ready");
            BufferedReader in = reader(talking);
            while (goesOn) {
                @Nullable String line = in.readLine();
                if (line == null) {
                    return;
                }
                lines.add(line);
                goesOn = say(talking, line, usual(line, talking instanceof SSLSocket));
                if (goesOn && line.equals("STARTTLS")) {
                    talking = secured(talking);
                    in = reader(talking);
                } else if (goesOn && line.equals("DATA") && script.apply(line) == null) {
                    goesOn = take(talking, in);
                }
            }
        } catch (IOException e) {
            lines.add("broken: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean take(Socket client, BufferedReader in) throws IOException, InterruptedException {
        StringBuilder message = new StringBuilder();
        @Nullable String line = in.readLine();
        while (line != null && !line.equals(".")) {
            message.append(line.startsWith("..") ? line.substring(1) : line).append("\r\n");
            line = in.readLine();
        }
        messages.add(message.toString());
        return line != null && say(client, ".", "250 2.0.0 queued as 4711");
    }

    private boolean say(Socket client, String heard, String usual) throws IOException, InterruptedException {
        @Nullable String scripted = script.apply(heard);
        String answer = scripted == null ? usual : scripted;
        if (answer.equals(SILENT)) {
            closed.await();
            return false;
        }
        if (answer.equals(CUT)) {
            return false;
        }
        boolean ends = answer.endsWith(THEN_CUT);
        String said = ends ? answer.substring(0, answer.length() - THEN_CUT.length()) : answer;
        client.getOutputStream().write((said + "\r\n").getBytes(ISO_8859_1));
        client.getOutputStream().flush();
        return !ends && !answer.startsWith("221") && !answer.startsWith("421");
    }

    private String usual(String line, boolean secured) {
        String word = line.split("[ :]", 2)[0];
        return switch (word) {
            case "EHLO" ->
                "250-peer.example\r\n" + (tls.isPresent() && !secured ? "250-STARTTLS\r\n" : "")
                        + "250-AUTH PLAIN LOGIN\r\n250 SIZE 50000000";
            case "STARTTLS" -> "220 go on";
            case "AUTH" -> "235 2.7.0 welcome";
            case "DATA" -> "354 go on";
            case "QUIT" -> "221 bye";
            default -> "250 2.0.0 fine";
        };
    }

    private Socket secured(Socket plain) throws IOException {
        SSLSocket secured = (SSLSocket) tls.orElseThrow().getSocketFactory().createSocket(plain, null, true);
        secured.setUseClientMode(false);
        secured.startHandshake();
        return secured;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        socket.close();
    }
}
