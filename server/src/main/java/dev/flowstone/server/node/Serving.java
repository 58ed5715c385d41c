package dev.flowstone.server.node;

import dev.flowstone.server.api.Api;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Bounds;
import dev.flowstone.server.http.Callers;
import dev.flowstone.server.http.Hosts;
import dev.flowstone.server.http.HttpServer;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.http.TokenCallers;
import dev.flowstone.server.http.Watch;
import dev.flowstone.server.metric.HttpMetrics;
import dev.flowstone.server.stream.EventStreams;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A Flowstone behind HTTP. HTTP and the database start side by side, since each mostly waits; until both are there, calls
 * are told to come again.
 */
public final class Serving implements AutoCloseable {
    private final Flowstone flowstone;
    private final HttpServer http;
    private final EventStreams events;

    private Serving(Flowstone flowstone, HttpServer http, EventStreams events) {
        this.flowstone = flowstone;
        this.events = events;
        this.http = http;
    }

    /** Opens a Flowstone. */
    @FunctionalInterface
    public interface Opener {
        Flowstone open() throws CannotStartException;
    }

    /**
     * Serves.
     *
     * @param port 0 picks a free one, whatever is configured
     * @throws BindException if the address can't be listened on; nothing was opened then
     */
    public static Serving start(
            InetAddress address, int port, FlowstoneConfig.Http config, String version, Opener opener)
            throws BindException, CannotStartException {
        free(address, port);
        AtomicReference<@Nullable Border> border = new AtomicReference<>();
        CompletableFuture<HttpServer> http = new CompletableFuture<>();
        Thread.ofPlatform().name("flowstone-http-start").start(() -> {
            try {
                http.complete(HttpServer.start(address, port, () -> Optional.ofNullable(border.get())));
            } catch (BindException | RuntimeException e) {
                http.completeExceptionally(e);
            }
        });
        Flowstone flowstone;
        try {
            flowstone = opener.open();
        } catch (CannotStartException | RuntimeException e) {
            CompletableFuture<Void> _ = http.thenAccept(HttpServer::close);
            throw e;
        }
        EventStreams events = EventStreams.of(flowstone.ports());
        border.set(new Border(
                Api.routes(
                        version,
                        flowstone.ports(),
                        flowstone.engine(),
                        flowstone.workflows(),
                        flowstone.programs(),
                        flowstone.lints(),
                        flowstone.starts(),
                        events,
                        flowstone::preparedUntil,
                        flowstone.meters(),
                        flowstone::load),
                config.token()
                        .<Callers>map(token -> new TokenCallers(token, new LoopbackCallers()))
                        .orElseGet(LoopbackCallers::new),
                config.token().isPresent() ? Hosts.any() : new Hosts(),
                Watch.both(
                        new HttpMetrics(flowstone.meters()), flowstone.tracing().calls()),
                Bounds.of(config.maxBodyBytes(), config.maxWaiting())));
        try {
            return new Serving(flowstone, http.join(), events);
        } catch (CompletionException e) {
            flowstone.close();
            if (e.getCause() instanceof BindException bind) {
                throw bind;
            }
            throw e;
        }
    }

    /** Before anything is opened: a port in use is the commonest mistake. */
    private static void free(InetAddress address, int port) throws BindException {
        try (ServerSocket probe = new ServerSocket(port, 1, address)) {
            probe.getLocalPort();
        } catch (BindException e) {
            throw e;
        } catch (IOException e) {
            BindException bind = new BindException(String.valueOf(e.getMessage()));
            bind.initCause(e);
            throw bind;
        }
    }

    public int port() {
        return http.port();
    }

    /** What it serves from, for people. */
    public String description() {
        return flowstone.description();
    }

    /** Who reads events or waits for tasks goes first, then HTTP, so that nobody is let in whom nobody can answer. */
    @Override
    public void close() {
        events.close();
        flowstone.engine().remoteTasks().quiet();
        http.close();
        flowstone.close();
    }
}
