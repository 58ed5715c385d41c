package dev.flowstone.vendors.web;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.Credential;
import dev.flowstone.action.PassThroughHeaders;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundRequest;
import dev.flowstone.outbound.Outcome;
import dev.flowstone.outbound.RequestBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The calls of one attempt to its vendor. Each carries the token, the headers of dataflow.md §12.5.3, the attempt's idempotency key and its
 * trace; all of them together end before the attempt's timeout does. What is answered with success and JSON is returned, everything else
 * thrown as a failure with its class, whose detail {@value #MAY_BE_DONE} says whether the vendor may have done it.
 */
public final class Calls {
    /** The detail of a failure that is false if nothing can have reached the vendor, or if it says that it did nothing. */
    public static final String MAY_BE_DONE = "mayBeDone";

    /** Of an attempt's time, in tenths: so it ends by an answer of its own, not by being interrupted. */
    private static final int OWN_TENTHS = 9;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final int SERVER_ERROR = 500;
    private static final int REQUEST_TIMEOUT = 408;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Vendor vendor;
    private final Supplier<OutboundClient> client;
    private final String base;
    private final List<HttpHeader> headers;
    private final long end;

    private Calls(
            Vendor vendor, Supplier<OutboundClient> client, String base, List<HttpHeader> headers, Duration patience) {
        this.vendor = requireNonNull(vendor);
        this.client = requireNonNull(client);
        this.base = requireNonNull(base);
        this.headers = List.copyOf(headers);
        this.end = System.nanoTime() + patience.toNanos();
    }

    /**
     * For an attempt.
     *
     * @throws ActionFailure if it has no credential, or nobody has said where the vendor is
     */
    public static Calls of(Vendor vendor, Supplier<OutboundClient> client, ActionContext context) throws ActionFailure {
        Credential credential = context.requiredCredential();
        List<HttpHeader> headers = new ArrayList<>();
        PassThroughHeaders.of(context, Optional.of(credential))
                .forEach((name, value) -> headers.add(HttpHeader.secret(name, value)));
        headers.add(HttpHeader.of("Accept", "application/json"));
        headers.add(HttpHeader.of("Idempotency-Key", context.idempotencyKey()));
        context.traceparent().ifPresent(trace -> headers.add(HttpHeader.of("traceparent", trace)));
        Duration patience = context.timeout().multipliedBy(OWN_TENTHS).dividedBy(10);
        return new Calls(vendor, client, vendor.base(context), headers, patience);
    }

    /**
     * Reads something.
     *
     * @param path below the vendor's address, with its query
     */
    public JsonNode get(String path) throws ActionFailure, InterruptedException {
        return answered(request("GET", path, null));
    }

    /**
     * Changes something.
     *
     * @param path below the vendor's address
     */
    public JsonNode send(String method, String path, JsonNode body, HttpHeader... more)
            throws ActionFailure, InterruptedException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        return answered(request(method, path, RequestBody.of(bytes, "application/json; charset=utf-8"))
                .with(more));
    }

    private OutboundRequest request(String method, String path, @Nullable RequestBody body) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        return new OutboundRequest(method, base + path, headers, body, left.compareTo(SHORTEST) > 0 ? left : SHORTEST)
                .withoutRedirects();
    }

    private JsonNode answered(OutboundRequest request) throws ActionFailure, InterruptedException {
        return switch (client.get().send(request)) {
            case Outcome.Answer answer -> read(answer);
            case Outcome.Failure failure -> throw Unanswered.of(failure);
        };
    }

    private JsonNode read(Outcome.Answer answer) throws ActionFailure {
        int status = answer.status();
        if (status / 100 == 3) {
            throw failure(ActionResult.failed(
                    "VENDOR_REDIRECTED",
                    vendor.name() + " isn't at " + base + ", but redirects: put where it leads into " + vendor.id()
                            + ".json of connector.config"));
        }
        if (status / 100 == 2) {
            return json(answer);
        }
        JsonNode body = isJson(answer) ? parsed(answer).orElse(MissingNode.getInstance()) : MissingNode.getInstance();
        Optional<Duration> pause =
                answer.retryAfter().or(() -> vendor.complaints().pause(body));
        Fault byStatus = Fault.ofStatus(status, pause.isPresent());
        Fault fault = status < SERVER_ERROR ? vendor.complaints().fault(body).orElse(byStatus) : byStatus;
        String said = vendor.complaints().said(body);
        // Something in between may have given up on a vendor that goes on.
        boolean mayBeDone = status >= SERVER_ERROR || status == REQUEST_TIMEOUT;
        throw fault.of(
                new Fault.Answered(
                        vendor, "it answered " + status + (said.isEmpty() ? "" : ", " + said), pause, mayBeDone),
                "status",
                status);
    }

    private JsonNode json(Outcome.Answer answer) throws ActionFailure {
        if (!isJson(answer)) {
            throw failure(ActionResult.failed(
                    "VENDOR_ANSWER_UNREADABLE",
                    vendor.name() + " answered " + answer.status() + " with " + type(answer)
                            + ", which is no JSON: look whether the url of " + vendor.id()
                            + ".json is right, and whether something stands in between"));
        }
        if (answer.truncated()) {
            throw failure(ActionResult.failed(
                    "VENDOR_ANSWER_UNREADABLE",
                    vendor.name()
                            + " answered more than is kept of a body: ask for less, or raise"
                            + " outbound.maxResponseBytes"));
        }
        return parsed(answer)
                .orElseThrow(() -> failure(ActionResult.retriable(
                        "VENDOR_ANSWER_UNREADABLE",
                        vendor.name() + " answered " + answer.status() + " with what says it is JSON and isn't")));
    }

    private static ActionFailure failure(ActionResult.Failed<?> failed) {
        return new ActionFailure(failed.with(Map.of(MAY_BE_DONE, true)));
    }

    private static boolean isJson(Outcome.Answer answer) {
        return type(answer).contains("json");
    }

    private static String type(Outcome.Answer answer) {
        List<String> types = answer.values("Content-Type");
        return types.isEmpty() ? "no type" : types.getFirst();
    }

    private static Optional<JsonNode> parsed(Outcome.Answer answer) {
        try {
            return Optional.of(JSON.readTree(answer.body()));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
