package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Binding;
import dev.flowstone.sdk.http.Wire;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Flowstone, by its REST interface. Calls block their thread, of whichever kind; virtual ones are cheap. Each is answered, or throws a
 * {@link FlowstoneException}; those that may be repeated without harm are, as the {@link RetryPolicy} says, and what changes an
 * execution or starts one is sent under an {@code Idempotency-Key}, the caller's or one of its own, and so done once. Nothing that it
 * logs or throws has a token in it. Thread-safe: a program has one, and closes it at its end.
 */
public final class FlowstoneClient implements AutoCloseable {
    private final Wire wire;
    private final CompletableFuture<Void> closed;
    private final Caller caller;
    private final JsonMapper json;

    private FlowstoneClient(Wire wire, CompletableFuture<Void> closed, Caller caller, JsonMapper json) {
        this.wire = wire;
        this.closed = closed;
        this.caller = caller;
        this.json = json;
    }

    /**
     * Begins with the defaults: no token, the tenant {@code default}, 40 seconds for an attempt (a busy server answers within 30), 5 to connect, 64 MiB for an
     * answer, {@link RetryPolicy#DEFAULT}.
     *
     * @param base such as {@code http://127.0.0.1:8080}, or below a path at which a proxy has it
     */
    public static Builder of(URI base) {
        return new Builder(base);
    }

    /** How a client calls. */
    public static final class Builder {
        private final URI base;
        private final Map<String, String> headers = new HashMap<>();
        private Optional<Supplier<String>> token = Optional.empty();
        private RetryPolicy retry = RetryPolicy.DEFAULT;
        private Duration connect = Duration.ofSeconds(5);
        private Duration attempt = Duration.ofSeconds(40);
        private long mostBytes = 64L << 20;
        private Optional<SSLContext> tls = Optional.empty();
        private Optional<ProxySelector> proxy = Optional.empty();
        private JsonMapper json = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();

        private Builder(URI base) {
            this.base = requireNonNull(base);
        }

        /** Where its token comes from, asked at each attempt, so that it may be renewed meanwhile. */
        public Builder token(Supplier<String> provider) {
            token = Optional.of(provider);
            return this;
        }

        /** Whose workflows; what a token says must be the same. */
        public Builder tenant(String id) {
            return header("Flowstone-Tenant", id);
        }

        /** Who acts, such as {@code user:anna} or {@code service:billing}; what a token says must be the same. */
        public Builder principal(String principal, String... roles) {
            Identity identity = new Identity(token, headers).as(principal, List.of(roles));
            headers.clear();
            headers.putAll(identity.headers());
            return this;
        }

        /** A header of each call; a proxy may want one. */
        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** For a connection. */
        public Builder connectTimeout(Duration time) {
            connect = positive(time);
            return this;
        }

        /** For one attempt, up to the last byte of its answer. */
        public Builder attemptTimeout(Duration time) {
            attempt = positive(time);
            return this;
        }

        /** Whom it trusts, and what it shows of itself, in place of what its Java has. Servers' names are checked, unless its trust manager leaves that out. */
        public Builder sslContext(SSLContext context) {
            tls = Optional.of(context);
            return this;
        }

        /** By way of which proxy, in place of what its Java has: {@code ProxySelector.of(address)}, or {@code HttpClient.Builder.NO_PROXY}. */
        public Builder proxy(ProxySelector selector) {
            proxy = Optional.of(selector);
            return this;
        }

        /** What is repeated, and for how long. */
        public Builder retry(RetryPolicy policy) {
            retry = requireNonNull(policy);
            return this;
        }

        /** Of one answer; a longer one is an {@link UnreadableAnswerException}. */
        public Builder mostBytes(long bytes) {
            if (bytes < 1_024) {
                throw new IllegalArgumentException("an answer may have 1,024 bytes or more");
            }
            mostBytes = bytes;
            return this;
        }

        /** How values of the caller's become JSON, and JSON becomes values of the caller's. */
        public Builder json(JsonMapper mapper) {
            json = requireNonNull(mapper);
            return this;
        }

        private static Duration positive(Duration time) {
            if (!time.isPositive() || time.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("a timeout is longer than nothing, and a day at most");
            }
            return time;
        }

        /**
         * The client. Nothing is called yet.
         *
         * @throws IllegalArgumentException if the address is none, or a header can't be sent
         */
        public FlowstoneClient build() {
            Identity identity = new Identity(token, headers);
            Wire wire = new Wire(base, connect, mostBytes, tls, proxy);
            CompletableFuture<Void> closed = new CompletableFuture<>();
            Caller caller = new Caller(wire, json, retry, attempt, identity, closed, Optional.empty());
            return new FlowstoneClient(wire, closed, caller, json);
        }
    }

    /** The same client, on the same connections, for somebody else; to close either closes both. */
    public FlowstoneClient as(String principal, String... roles) {
        return new FlowstoneClient(wire, closed, caller.as(principal, List.of(roles)), json);
    }

    /**
     * The same client, whose calls that take an {@code Idempotency-Key} have this one: what is called again under it, after an
     * exception or a crash for instance, is done once. For one call: the server refuses another one under the same key.
     *
     * @throws IllegalArgumentException if it isn't of 1 to 128 characters of ASCII without blanks
     */
    public FlowstoneClient underKey(String key) {
        return new FlowstoneClient(wire, closed, caller.underKey(key), json);
    }

    /** Definitions and their versions. */
    public Workflows workflows() {
        return new RestWorkflows(caller, Optional.empty());
    }

    /** What runs, and what has run. */
    public Executions executions() {
        return new RestExecutions(caller);
    }

    /** What people are asked. */
    public HumanTasks tasks() {
        return new RestHumanTasks(caller);
    }

    /** Signals to executions that wait for them. */
    public Signals signals() {
        return new RestSignals(caller);
    }

    /** What starts executions from outside. */
    public Triggers triggers() {
        return new RestTriggers(caller, Optional.empty());
    }

    /** What could not be taken up. */
    public DeadLetters deadLetters() {
        return new RestDeadLetters(caller);
    }

    /** How the server fares. */
    public Health health() {
        return new RestHealth(caller);
    }

    /**
     * Calls a route that the areas have no method for, with the same attempts, deadlines and exceptions as all other calls.
     *
     * @throws FlowstoneException if it is refused, or has no answer that is JSON
     */
    public RouteAnswer call(RouteCall call) {
        Answered answered = caller.call(call.call(caller.key()));
        return new RouteAnswer(answered.status(), answered.headers(), answered.body());
    }

    /**
     * Makes a value of the caller's of JSON, such as an execution's output.
     *
     * @throws IllegalArgumentException if it is none; the message names the place
     */
    public <T> T read(JsonNode value, Class<T> type) {
        try {
            return requireNonNull(json.treeToValue(value, type), "the value is null");
        } catch (JacksonException e) {
            throw new IllegalArgumentException("it is " + Binding.said(type.getSimpleName(), e), e);
        } catch (NullPointerException e) {
            throw new IllegalArgumentException("null is no " + type.getSimpleName(), e);
        }
    }

    /**
     * Ends what is under way, waits and pauses too: such a call throws why it has no answer so far. Calls after that are {@link
     * IllegalStateException}s.
     */
    @Override
    public void close() {
        closed.complete(null);
        wire.close();
    }
}
