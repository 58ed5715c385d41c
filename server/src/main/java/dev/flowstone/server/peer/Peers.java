package dev.flowstone.server.peer;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.http.Border;
import dev.flowstone.server.http.Bounds;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Hosts;
import dev.flowstone.server.http.HttpServer;
import dev.flowstone.server.http.Routes;
import dev.flowstone.server.http.Watch;
import io.helidon.common.tls.Tls;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A node's door for its peers, and its way to theirs. */
public final class Peers implements AutoCloseable {
    private final PeerClient client;
    private final HttpServer server;
    private final AtomicReference<@Nullable Border> border;
    private final AtomicReference<@Nullable PostOffice> office = new AtomicReference<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    private Peers(PeerClient client, HttpServer server, AtomicReference<@Nullable Border> border) {
        this.client = client;
        this.server = server;
        this.border = border;
    }

    /**
     * Listens; until {@link #serve}, peers are told to come again.
     *
     * @throws BindException if it can't listen there
     * @throws IllegalArgumentException if a file isn't what it should be, or there is no such host
     */
    public static Peers open(FlowstoneConfig.Peers config) throws BindException {
        InetAddress host;
        try {
            host = InetAddress.getByName(config.host());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("node.host: there is no host '" + config.host() + "'", e);
        }
        Tls tls = PeerTls.read(config.certificate(), config.key(), config.authority());
        AtomicReference<@Nullable Border> border = new AtomicReference<>();
        HttpServer.mustBeFree(host, config.port());
        PeerClient client = new PeerClient(tls.sslContext());
        try {
            HttpServer server =
                    HttpServer.start(host, config.port(), Optional.of(tls), () -> Optional.ofNullable(border.get()));
            return new Peers(client, server, border);
        } catch (BindException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Answers peers by these routes, and sends nothing on.
     *
     * @param stale is told that a peer couldn't be reached, or isn't the owner that it was taken for
     */
    public void serve(Routes routes, Watch watch, Bounds bounds, Runnable stale) {
        client.onStale(stale);
        border.set(new Border(routes, new PeerCallers(), Hosts.any(), watch, bounds));
    }

    /** Also answers what peers leave in the database, when they can't reach this node; call it after {@link #serve}. */
    public void answerPosted(PostBox box, String node) {
        office.set(PostOffice.open(box, node, requireNonNull(border.get())));
    }

    /** The way to others: a call of theirs, and where that isn't possible, through the database. */
    public Forwarder forwarder(Optional<PostBox> box) {
        return box.<Forwarder>map(it -> new PostedForwarder(client, it)).orElse(client);
    }

    /** Takes no more calls; what was left in the database and taken from there is still answered. */
    public void end() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        PostOffice open = office.get();
        if (open != null) {
            open.end();
        }
        server.close();
    }

    /** Ends, and waits until all that was taken is answered, for so long at most. */
    public void await(Duration time) {
        PostOffice open = office.get();
        if (open != null) {
            open.end();
            open.await(time);
        }
    }

    /** Ends, and waits for nothing. */
    @Override
    public void close() {
        try {
            end();
        } finally {
            client.close();
        }
    }
}
