package dev.flowstone.server.node;

import dev.flowstone.server.api.Api;
import dev.flowstone.server.api.ApiParts;
import dev.flowstone.server.auth.Authentication;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Bounds;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.HttpServer;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Routes;
import dev.flowstone.server.http.Watch;
import dev.flowstone.server.metric.HttpMetrics;
import dev.flowstone.server.peer.Peers;
import dev.flowstone.server.rate.RateLimits;
import dev.flowstone.server.stream.EventStreams;
import java.net.BindException;
import java.net.InetAddress;
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
    private final Optional<Peers> peers;
    private final Authentication authentication;
    private final Routes routes;

    private Serving(
            Flowstone flowstone,
            HttpServer http,
            EventStreams events,
            Optional<Peers> peers,
            Authentication authentication,
            Routes routes) {
        this.flowstone = flowstone;
        this.events = events;
        this.http = http;
        this.peers = peers;
        this.authentication = authentication;
        this.routes = routes;
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
        return start(address, port, config, Optional.empty(), version, opener);
    }

    /** The same, with a door for other nodes. */
    public static Serving start(
            InetAddress address,
            int port,
            FlowstoneConfig.Http config,
            Optional<FlowstoneConfig.Peers> company,
            String version,
            Opener opener)
            throws BindException, CannotStartException {
        HttpServer.mustBeFree(address, port);
        Optional<Peers> peers = company.isPresent() ? Optional.of(peers(company.get())) : Optional.empty();
        Authentication authentication;
        try {
            authentication = authentication(address, config);
        } catch (CannotStartException e) {
            peers.ifPresent(Peers::close);
            throw e;
        }
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
            peers.ifPresent(Peers::close);
            authentication.close();
            throw e;
        }
        EventStreams events = EventStreams.of(flowstone.ports());
        Forwarder forwarder =
                peers.map(door -> door.forwarder(flowstone.postBox())).orElse(Forwarder.NONE);
        flowstone.reachOthersBy(forwarder);
        Watch watch = Watch.both(
                new HttpMetrics(flowstone.meters()), flowstone.tracing().calls());
        Bounds bounds = Bounds.of(config.maxBodyBytes(), config.maxWaiting());
        // First theirs: who sends a call here is answered as soon as this node says that it is there.
        peers.ifPresent(door -> {
            door.serve(
                    routes(version, flowstone, events, config, Limits.NONE, bounds, Forwarder.NONE),
                    watch,
                    bounds.ofWrapped(),
                    flowstone.engine()::lookAround);
            flowstone.postBox().ifPresent(box -> door.answerPosted(box, flowstone.node()));
        });
        Limits limits = limits(config, authentication);
        Routes routes = routes(version, flowstone, events, config, limits, bounds, forwarder);
        border.set(
                new Border(routes, authentication.callers(), authentication.hosts(), watch, bounds, forwarder, limits));
        try {
            return new Serving(flowstone, http.join(), events, peers, authentication, routes);
        } catch (CompletionException e) {
            flowstone.close();
            peers.ifPresent(Peers::close);
            authentication.close();
            if (e.getCause() instanceof BindException bind) {
                throw bind;
            }
            throw e;
        }
    }

    private static Authentication authentication(InetAddress address, FlowstoneConfig.Http config)
            throws CannotStartException {
        try {
            return Authentication.open(address, config);
        } catch (IllegalArgumentException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Whoever works on this machine alone isn't slowed down unless they ask for it. */
    private static Limits limits(FlowstoneConfig.Http config, Authentication authentication) {
        return authentication.loose() && !config.rates().loose()
                ? Limits.NONE
                : new RateLimits(config.rates(), authentication.loose());
    }

    private static Peers peers(FlowstoneConfig.Peers config) throws CannotStartException {
        try {
            return Peers.open(config);
        } catch (BindException e) {
            throw new CannotStartException(
                    "can't listen for other nodes on " + config.host() + " port " + config.port() + ": "
                            + e.getMessage() + "; node.address names the port, node.host the address",
                    e);
        } catch (IllegalArgumentException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Routes routes(
            String version,
            Flowstone flowstone,
            EventStreams events,
            FlowstoneConfig.Http config,
            Limits limits,
            Bounds bounds,
            Forwarder forwarder) {
        ApiParts parts = new ApiParts(
                flowstone.ports(),
                flowstone.engine(),
                flowstone.workflows(),
                flowstone.programs(),
                flowstone.lints(),
                flowstone.starts(),
                config.auth().principalRequired(),
                events,
                flowstone.subscriptions(),
                flowstone.triggers(),
                flowstone.templates(),
                flowstone.actions(),
                flowstone.workflowTemplates(),
                flowstone.launcher(),
                flowstone.eventStarts(),
                flowstone::preparedUntil,
                flowstone.meters(),
                flowstone::load,
                flowstone.stuck(),
                flowstone::setAside,
                flowstone.health(),
                limits,
                bounds,
                forwarder);
        return Api.routes(version, parts);
    }

    public int port() {
        return http.port();
    }

    /** What it answers to. */
    public Routes routes() {
        return routes;
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
        try {
            http.close();
            authentication.close();
            peers.ifPresent(Peers::end);
        } finally {
            closeBelow();
        }
    }

    private void closeBelow() {
        try {
            flowstone.close(left -> peers.ifPresent(door -> door.await(left)));
        } finally {
            peers.ifPresent(Peers::close);
        }
    }
}
