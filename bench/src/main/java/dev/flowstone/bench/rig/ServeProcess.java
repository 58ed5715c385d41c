package dev.flowstone.bench.rig;

import static java.util.Objects.requireNonNull;

import dev.flowstone.postgres.PostgresConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server in a JVM of its own: {@code serve} on a database, with HTTP on the loopback interface, and a door for other nodes. It ends
 * when this is closed, and when this process does.
 */
public final class ServeProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Flowstone is ready: http://127\\.0\\.0\\.1:(\\d+).*");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CALL = Duration.ofSeconds(10);
    private static final int MEGABYTES = 1_024;

    private final JavaProcess process;
    private final int port;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ServeProcess(JavaProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts one and waits until it is ready.
     *
     * @param commandLine name of the class whose {@code main} it is
     * @param node its name
     * @param database one that is there
     */
    public static ServeProcess start(
            String commandLine, String node, PostgresConfig database, NodeCertificates certificates)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--until-input-ends", "--port", "0"));
        settings(node, database, certificates)
                .forEach((setting, value) -> arguments.addAll(List.of("--set", setting + "=" + value)));
        JavaProcess process = JavaProcess.start(
                node,
                MEGABYTES,
                PATIENCE,
                commandLine,
                Map.of("FLOWSTONE_DATABASE_PASSWORD", database.admin().password()),
                arguments);
        try {
            return new ServeProcess(process, port(process));
        } catch (IOException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private static Map<String, String> settings(String node, PostgresConfig database, NodeCertificates certificates)
            throws IOException {
        Map<String, String> settings = new TreeMap<>(certificates.settings());
        settings.put("database.url", database.url());
        settings.put("database.user", database.admin().user());
        settings.put("database.engineConnections", Integer.toString(database.engineConnections()));
        settings.put("database.apiConnections", Integer.toString(database.apiConnections()));
        settings.put("database.rolePrefix", database.roles().owner().replaceFirst("_owner$", ""));
        settings.put("database.prepare", Boolean.toString(database.prepare()));
        settings.put("node.name", node);
        settings.put("node.address", "127.0.0.1:" + FreePort.next());
        return settings;
    }

    private static int port(JavaProcess process) throws IOException {
        BufferedReader lines = process.lines();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                process.discardLines();
                return Integer.parseInt(ready.group(1));
            }
        }
        process.requireAlive();
        throw new IllegalStateException("a server ended before it was ready");
    }

    /** Where it serves, on the loopback interface. */
    public int port() {
        return port;
    }

    /** Processor time that it has taken so far. */
    public Duration cpu() {
        return process.cpu();
    }

    /** What it answers to a call of whoever runs the installation. */
    public String get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(CALL)
                .build();
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(path + " was answered " + answer.statusCode() + ": " + answer.body());
            }
            return requireNonNull(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at " + path, e);
        }
    }

    /** What it has done so far, by its own metrics. */
    public NodeWork work() {
        return NodeWork.of(get("/metrics"));
    }

    /** Fails, with its last words, if it has ended before it was asked to. */
    public void requireAlive() throws IOException {
        process.requireAlive();
    }

    @Override
    public void close() throws IOException {
        client.shutdownNow();
        process.close();
    }
}
