package dev.flowstone.outbound;

import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.io.CloseMode;

/**
 * Sends requests out of the house. Thread-safe; one for each policy, kept as long as that holds.
 *
 * <p>A call ends by its deadline, whatever the other side, the name server or the library do: it runs on a virtual thread of its own, and
 * whoever waits for it leaves when the time is up and has the socket closed. Nothing is ever sent twice.
 */
public final class OutboundClient implements AutoCloseable {
    private final OutboundConfig config;
    private final CheckedResolver resolver;
    private final HostGates gates;
    private final CloseableHttpClient http;
    private final Exchange exchange;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

    /** A client that trusts whom the JVM trusts. */
    public OutboundClient(OutboundConfig config) {
        this(config, systemTls());
    }

    /**
     * A client.
     *
     * @param tls whose certificates are trusted
     */
    public OutboundClient(OutboundConfig config, SSLContext tls) {
        this(config, tls, Resolver.SYSTEM, InstantSource.system());
    }

    OutboundClient(OutboundConfig config, SSLContext tls, Resolver names, InstantSource clock) {
        this.config = config;
        this.resolver = new CheckedResolver(config.policy(), names, OwnAddresses.ofThisMachine());
        this.gates = new HostGates(config.perHost(), config.perHostPerSecond());
        this.http = Connections.open(config, tls, Connections.IDLE);
        this.exchange = new Exchange(http, config, clock);
    }

    /** Trusts whom the JVM trusts, and shows nobody the certificate that the JVM may have been given for others. */
    static SSLContext systemTls() {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(new KeyManager[0], null, null);
            return tls;
        } catch (NoSuchAlgorithmException | KeyManagementException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    /**
     * Sends it, follows redirects if the request does, and says what came of it.
     *
     * @throws InterruptedException if the caller was interrupted; the call is ended then, and may have been done
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     */
    public Outcome send(OutboundRequest request) throws InterruptedException {
        Optional<Outcome.Refused> refused = RequestCheck.refuses(request);
        if (refused.isPresent()) {
            return refused.get();
        }
        return switch (TargetReader.read(request.url())) {
            case TargetReader.Unread unread -> unread.refusal();
            case TargetReader.Read read -> send(request, read.target());
        };
    }

    private Outcome send(OutboundRequest request, Target target) throws InterruptedException {
        Duration asked = request.deadline();
        boolean sooner = asked != null && asked.compareTo(config.deadline()) < 0;
        Duration patience = asked != null && sooner ? asked : config.deadline();
        Call call = new Call(Deadline.in(patience));
        Future<Outcome> outcome = calls.submit(() -> follow(request, target, call));
        try {
            Outcome came = outcome.get(call.deadline().remaining().toNanos(), TimeUnit.NANOSECONDS);
            // Whoever wakes late finds that the socket's patience has ended too: it is the same deadline.
            boolean late = came instanceof Outcome.TimedOut timeout
                    && !timeout.unsent()
                    && call.deadline().remaining().isZero();
            return late ? timedOut(target, patience, call.stop()) : came;
        } catch (TimeoutException e) {
            return timedOut(target, patience, call.stop());
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "a request to " + target.origin() + " failed in a way nobody thought of", e);
        } finally {
            if (!outcome.isDone()) {
                outcome.cancel(true);
                // Closing may wait for a lock that a writer holds, and the caller's time is up.
                Thread.startVirtualThread(call::end);
            }
        }
    }

    private static Outcome.TimedOut timedOut(Target target, Duration patience, boolean begun) {
        String within = " within " + patience.toMillis() + " ms";
        return begun
                ? new Outcome.TimedOut(
                        target.origin() + " did not answer" + within + "; the request may have been done", false)
                : new Outcome.TimedOut(
                        target.origin() + " was not called" + within
                                + ": its name was still being looked up, or too many"
                                + " calls to it wait for their turn; let fewer begin, or raise outbound.perHost",
                        true);
    }

    private Outcome follow(OutboundRequest first, Target start, Call call) {
        OutboundRequest request = first;
        Target target = start;
        for (int redirects = 0; redirects <= config.redirects(); redirects++) {
            Outcome outcome = hop(request, target, redirects, call);
            if (outcome instanceof Outcome.Failure failure) {
                return redirects == 0 ? failure : Redirects.afterwards(failure);
            }
            if (!(outcome instanceof Outcome.Answer answer) || config.redirects() == 0 || !request.follows()) {
                return outcome;
            }
            switch (Redirects.next(request, target, answer)) {
                case Redirects.Follow step -> {
                    request = step.request();
                    target = step.target();
                }
                case Redirects.Stop step -> {
                    return step.refused();
                }
                case Redirects.Stay _ -> {
                    return answer;
                }
            }
        }
        return new Outcome.TooManyRedirects(start.origin() + " redirects more than " + config.redirects()
                + " times, last to " + target.origin() + "; send to where it leads in the end");
    }

    /** One target: looked up, checked, and sent to. */
    private Outcome hop(OutboundRequest request, Target target, int redirects, Call call) {
        try {
            return switch (resolver.resolve(target, call.deadline())) {
                case CheckedResolver.Failed failed -> failed.failure();
                case CheckedResolver.Addresses addresses -> {
                    Optional<HostGates.Place> place = gates.enter(target.host(), call.deadline());
                    yield place.isPresent()
                            ? send(request, target, addresses, redirects, call, place.get())
                            : new Outcome.TimedOut(
                                    "too many calls to " + target.origin()
                                            + " wait for their turn; let fewer begin, or raise outbound.perHost",
                                    true);
                }
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.TimedOut("the call to " + target.origin() + " was ended", true);
        }
    }

    private Outcome send(
            OutboundRequest request,
            Target target,
            CheckedResolver.Addresses addresses,
            int redirects,
            Call call,
            HostGates.Place place) {
        try (place) {
            return exchange.send(request, target, addresses.checked(), redirects, call);
        }
    }

    /** Cuts off what is under way. */
    @Override
    public void close() {
        calls.shutdownNow();
        resolver.close();
        http.close(CloseMode.IMMEDIATE);
    }
}
