package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.id.TenantId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where every call comes in and every answer goes out. Whatever happens, the answer is a reply or a problem, carries the
 * correlation id and the security headers, and says nothing about our insides.
 */
public final class Border {
    public static final String CORRELATION = "Correlation-Id";
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** Routes below it name an execution. */
    private static final String EXECUTION = "/api/v1/executions/{id}";

    private static final Logger LOG = System.getLogger(Border.class.getName());
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Routes routes;
    private final Callers callers;
    private final Hosts hosts;
    private final Watch watch;
    private final Bounds bounds;
    private final Forwarder forwarder;
    private final Limits limits;

    /** That of a node which stands alone. */
    public Border(Routes routes, Callers callers, Hosts hosts, Watch watch, Bounds bounds) {
        this(routes, callers, hosts, watch, bounds, Forwarder.NONE);
    }

    public Border(Routes routes, Callers callers, Hosts hosts, Watch watch, Bounds bounds, Forwarder forwarder) {
        this(routes, callers, hosts, watch, bounds, forwarder, Limits.NONE);
    }

    public Border(
            Routes routes,
            Callers callers,
            Hosts hosts,
            Watch watch,
            Bounds bounds,
            Forwarder forwarder,
            Limits limits) {
        this.routes = requireNonNull(routes);
        this.callers = requireNonNull(callers);
        this.hosts = requireNonNull(hosts);
        this.watch = requireNonNull(watch);
        this.bounds = requireNonNull(bounds);
        this.forwarder = requireNonNull(forwarder);
        this.limits = requireNonNull(limits);
    }

    Reply answer(Request request) {
        CallContext context = new CallContext();
        return ScopedValue.where(LogContext.CURRENT, context).call(() -> answer(request, context));
    }

    /**
     * Answers a call that another node has let in and left for this one.
     *
     * @param more headers beside the call's own, such as who calls
     */
    public Reply answer(Forwarded call, Map<String, String> more) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(call.headers());
        headers.putAll(more);
        headers.put(CORRELATION, call.correlation());
        int question = call.target().indexOf('?');
        boolean asks = question >= 0;
        boolean speaks = call.body().length > 0;
        if (speaks) {
            headers.put("Content-Type", "application/json");
        }
        return answer(new Request(
                call.method().name(),
                asks ? call.target().substring(0, question) : call.target(),
                asks ? call.target().substring(question + 1) : "",
                new Headers(
                        name -> headers.containsKey(name) ? List.of(headers.get(name)) : List.of(), headers::keySet),
                speaks ? OptionalLong.of(call.body().length) : OptionalLong.empty(),
                speaks ? new BodyStream(() -> new ByteArrayInputStream(call.body())) : BodyStream.none()));
    }

    private Reply answer(Request request, CallContext context) {
        Watch.Visit visit = watch.begin(request.method(), request.headers());
        Reply reply = answer(request, visit, context);
        visit.answered(reply.status());
        return reply;
    }

    private Reply answer(Request request, Watch.Visit visit, CallContext context) {
        String correlation = "";
        Reply reply;
        try {
            correlation = callers.correlation(Correlation.of(request.headers()));
            context.correlation(correlation);
            reply = conditional(request, call(request, correlation, visit, context));
        } catch (ProblemException e) {
            correlation = correlation.isEmpty() ? Correlation.fresh() : correlation;
            Reply told = e.problem().reply(correlation);
            reply = leavesBody(request, e.problem().code()) ? told.closing() : told;
        } catch (JournalException.BadData e) {
            LOG.log(Level.WARNING, "call " + correlation + ": it can't be stored", e);
            reply = Problem.of(ProblemCode.INVALID_REQUEST, "something in this request can't be stored")
                    .reply(correlation);
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "call " + correlation + ": the database does not answer", e);
            reply = Problem.of(ProblemCode.UNAVAILABLE, "nothing was changed that you were not told of; try again")
                    .retryAfter(RETRY)
                    .reply(correlation);
        } catch (IOException e) {
            reply = Problem.of(ProblemCode.INVALID_REQUEST, "the body is cut off, malformed, or came too slowly")
                    .reply(correlation)
                    .closing();
        } catch (RuntimeException | StackOverflowError e) {
            LOG.log(Level.ERROR, "call " + correlation + " failed", e);
            reply = Problem.of(ProblemCode.INTERNAL, "the server's log has the details under this correlation id")
                    .reply(correlation);
        }
        return SecurityHeaders.on(context.tally().on(reply)).header(CORRELATION, correlation);
    }

    /**
     * Whether so much of a body may be left that nothing can follow it on its connection. What is left of a short one is passed
     * over.
     */
    private static boolean leavesBody(Request request, ProblemCode refused) {
        return refused == ProblemCode.BODY_TOO_LARGE
                || ((refused == ProblemCode.BUSY || refused == ProblemCode.RATE_LIMITED)
                        && request.isLong(BodyLease.FREE)
                        && !request.body().isEnded());
    }

    private Reply call(Request request, String correlation, Watch.Visit visit, CallContext context)
            throws ProblemException, JournalException, IOException {
        hosts.check(request.headers());
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        return switch (routes.find(method, request.rawPath())) {
            case Routes.Found.Nothing() ->
                throw Problem.of(
                                ProblemCode.ROUTE_NOT_FOUND,
                                "nothing is at " + Cut.text(request.rawPath()) + "; GET /api/v1 lists what there is")
                        .exception();
            case Routes.Found.OtherMethods found -> otherMethod(request, found);
            case Routes.Found.Match match -> handle(request, match, correlation, visit, context);
        };
    }

    private static Reply otherMethod(Request request, Routes.Found.OtherMethods found) throws ProblemException {
        String allow = found.methods().stream().map(Method::name).collect(Collectors.joining(", "));
        if (request.method().equals("OPTIONS")) {
            return Reply.nothing().header("Allow", allow);
        }
        throw Problem.of(
                        ProblemCode.METHOD_NOT_ALLOWED,
                        Cut.text(request.method()) + " is not possible here, but " + allow + " is")
                .header("Allow", allow)
                .exception();
    }

    private Reply handle(
            Request request, Routes.Found.Match match, String correlation, Watch.Visit visit, CallContext context)
            throws ProblemException, JournalException, IOException {
        Route route = match.route();
        boolean open = route.scope() == Scope.PUBLIC;
        Caller caller = open ? Caller.ANYBODY : callers.identify(request.headers());
        // Once it is known who calls, and before anything else is looked at: also what is refused costs something.
        context.tally().count(limits.take(route, caller));
        if (!open) {
            callers.check(caller, request.headers());
        }
        if (!caller.scopes().contains(route.scope())) {
            throw Problem.of(ProblemCode.FORBIDDEN, "this takes the scope " + route.scope())
                    .exception();
        }
        visit.admitted(route, caller, correlation);
        context.admitted(
                route,
                caller,
                route.path().startsWith(EXECUTION) ? match.variables().get("id") : null);
        Optional<String> key =
                route.method().mutates() ? Correlation.idempotencyKey(request.headers()) : Optional.empty();
        Query query = Query.parse(request.rawQuery(), route.query());
        Optional<Room> places = bounds.places(route.waits());
        TenantId whose = route.whose().tenant(match.variables()).orElse(caller.tenant());
        if (places.isPresent() && !places.get().has(whose, 1)) {
            throw Place.busy();
        }
        try (BodyLease lease = new BodyLease(bounds.bodies(), whose)) {
            Optional<Body> body = new BodyReader(bounds, lease).read(request, route.body());
            Call call = new Call(
                    route,
                    match.variables(),
                    query,
                    request.headers(),
                    caller,
                    correlation,
                    key,
                    body,
                    context.tally());
            return answer(request, call, places, whose);
        }
    }

    private Reply answer(Request request, Call call, Optional<Room> places, TenantId whose)
            throws ProblemException, JournalException {
        if (places.isEmpty()) {
            return here(request, call);
        }
        // It takes its place only now: who sends slowly keeps nobody out.
        try (Place _ = Place.take(places.get(), whose)) {
            return here(request, call);
        }
    }

    /** Or there, if another node can and this one can't. */
    private Reply here(Request request, Call call) throws ProblemException, JournalException {
        try {
            return call.route().handler().handle(call);
        } catch (ProblemException e) {
            Optional<Member> owner = e.problem().owner();
            if (owner.isEmpty()) {
                throw e;
            }
            return forwarder.forward(owner.get(), Forwarded.of(request, call)).orElseThrow(() -> e);
        }
    }

    /** Answers 304 where the client has this representation already. */
    private static Reply conditional(Request request, Reply reply) {
        if (reply.etag().isEmpty() || reply.status() != 200) {
            return reply;
        }
        String etag = '"' + reply.etag().get() + '"';
        boolean known = request.headers().all("If-None-Match").stream()
                .flatMap(value -> java.util.Arrays.stream(value.split(",")))
                .map(String::strip)
                .anyMatch(tag -> tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag));
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        return known && reads ? Reply.nothing(304, reply) : reply;
    }
}
