package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.start.Quotas;
import dev.flowstone.expression.ExpressionBudget;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.postgres.Keeping;
import dev.flowstone.postgres.schema.RoleNames;
import dev.flowstone.server.http.TokenCallers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a Flowstone is set up.
 *
 * @param dag what DAGs may be, and what they leave open
 * @param states what workflows as states may be
 * @param bounds on one decision and one run
 * @param expressions what one condition and one template may use
 * @param handlerConcurrency handlers running at once
 * @param workerActions that workers in other processes do
 * @param limits on actions and connectors
 * @param classes of work
 * @param catalog of workflows and of actions
 * @param trace where spans go
 * @param quotas of tenants
 * @param sweep what is removed from the database, and when
 * @param bearable beyond which the log warns
 * @param stuck when runs count as standing still
 * @param health what is still well
 * @param node which of several it is
 * @param outbound bounds on what leaves the house
 * @param outbox how messages leave, and where webhooks go
 * @param deadLetters how often what could not be taken up is tried again
 * @param events how events leave
 * @param secrets that workflows may name
 * @param connectors that are added, and their credentials
 * @param triggers what may start executions from outside
 */
public record FlowstoneConfig(
        Http http,
        Database database,
        DagOptions dag,
        StatesOptions states,
        Bounds bounds,
        ExpressionBudget expressions,
        int handlerConcurrency,
        List<HandlerName> workerActions,
        List<ActionLimit> limits,
        WorkClasses classes,
        CatalogConfig catalog,
        LogConfig log,
        Trace trace,
        Quotas quotas,
        Sweep sweep,
        Bearable bearable,
        Stuck stuck,
        HealthLimits health,
        Node node,
        OutboundConfig outbound,
        Outbox outbox,
        DeadLetterConfig deadLetters,
        Events events,
        List<NamedSecret> secrets,
        ConnectorConfig connectors,
        TriggerConfig triggers) {
    public FlowstoneConfig {
        requireNonNull(http);
        requireNonNull(database);
        requireNonNull(dag);
        requireNonNull(states);
        requireNonNull(bounds);
        requireNonNull(expressions);
        workerActions = List.copyOf(workerActions);
        limits = List.copyOf(limits);
        requireNonNull(classes);
        requireNonNull(catalog);
        requireNonNull(log);
        requireNonNull(trace);
        requireNonNull(quotas);
        requireNonNull(sweep);
        requireNonNull(bearable);
        requireNonNull(stuck);
        requireNonNull(health);
        requireNonNull(node);
        requireNonNull(outbound);
        requireNonNull(outbox);
        requireNonNull(deadLetters);
        requireNonNull(events);
        secrets = List.copyOf(secrets);
        requireNonNull(connectors);
        requireNonNull(triggers);
        if (node.peers().isPresent() && database.url().isEmpty()) {
            throw new IllegalArgumentException(
                    "node.address is for nodes that share a database: name it with database.url; the embedded one belongs to one node");
        }
    }

    /**
     * Which of several nodes it is.
     *
     * @param name by which it holds shards; one that survives a restart takes them back at once. Empty for a new one each time
     * @param peers how others reach it; empty if it stands alone
     */
    public record Node(Optional<String> name, LeaseConfig lease, Optional<Peers> peers) {
        public Node {
            requireNonNull(name);
            requireNonNull(lease);
            requireNonNull(peers);
        }
    }

    /**
     * A node's door for others.
     *
     * @param address at which they reach it
     * @param host on which it listens
     * @param certificate in PEM, by which they know it
     * @param key that certificate's
     * @param authority that theirs must come from, too
     */
    public record Peers(String address, String host, int port, Path certificate, Path key, Path authority) {
        public Peers {
            requireNonNull(address);
            requireNonNull(host);
            requireNonNull(certificate);
            requireNonNull(key);
            requireNonNull(authority);
        }
    }

    /**
     * How messages leave.
     *
     * @param atOnce deliveries under way to one destination, unless it has a limit of its own
     * @param attempts to deliver a message
     */
    public record Outbox(int atOnce, int attempts, List<Webhook> webhooks) {
        public Outbox {
            webhooks = List.copyOf(webhooks);
        }
    }

    /**
     * How events leave.
     *
     * @param atOnce under way of one node to one endpoint or topic
     * @param brokenAfter of trying in vain
     * @param kafka empty if there is none
     */
    public record Events(int atOnce, Duration brokenAfter, Optional<Kafka> kafka) {
        public Events {
            requireNonNull(brokenAfter);
            requireNonNull(kafka);
        }
    }

    /**
     * A Kafka that events go to.
     *
     * @param servers to ask first
     * @param properties file with more of the producer's settings
     * @param topics that subscriptions may name, each perhaps with a star at its end
     */
    public record Kafka(String servers, Optional<Path> properties, List<String> topics) {
        public Kafka {
            requireNonNull(servers);
            requireNonNull(properties);
            topics = List.copyOf(topics);
        }

        /** Whether subscriptions may name it. */
        public boolean allows(String topic) {
            return topics.stream()
                    .anyMatch(one -> one.endsWith("*")
                            ? topic.startsWith(one.substring(0, one.length() - 1))
                            : topic.equals(one));
        }
    }

    /**
     * What is no reason to warn.
     *
     * @param oldest for how long anything may wait for this node
     * @param clock between this node's and the database's
     */
    public record Bearable(Duration oldest, Duration clock) {
        public Bearable {
            requireNonNull(oldest);
            requireNonNull(clock);
        }
    }

    /**
     * When runs count as standing still.
     *
     * @param after so long without progress
     * @param every pause between looks
     */
    public record Stuck(Duration after, Duration every) {
        public Stuck {
            requireNonNull(after);
            requireNonNull(every);
        }
    }

    /**
     * What is removed from the database.
     *
     * @param every pause between two rounds
     */
    public record Sweep(Duration every, Keeping keeping) {
        public Sweep {
            requireNonNull(keeping);
            if (every.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("sweep.every takes a second or more, not " + every);
            }
        }
    }

    /**
     * Where spans go.
     *
     * @param endpoint empty for nowhere
     * @param ratio of the traces that begin here
     */
    public record Trace(Optional<String> endpoint, double ratio, String service) {
        public Trace {
            requireNonNull(endpoint);
            requireNonNull(service);
        }
    }

    /**
     * Where to listen.
     *
     * @param port 0 picks a free one
     * @param maxWaiting starts that wait for the engine at once, and as many signals and calls of people
     * @param token that is known to who runs the installation
     * @param auth who else may call
     * @param rates at which they may
     */
    public record Http(
            String host,
            int port,
            int maxBodyBytes,
            int maxWaiting,
            Optional<String> token,
            AuthConfig auth,
            RateConfig rates) {
        public Http {
            requireNonNull(host);
            requireNonNull(auth);
            requireNonNull(rates);
            if (token.isPresent() && !TokenCallers.isToken(token.get())) {
                throw new IllegalArgumentException(
                        "http.token takes 32 to 500 printable ASCII characters without a space; what it was given is not that");
            }
        }

        /** Without the token. */
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * Which PostgreSQL.
     *
     * @param data folder of the embedded one
     * @param url of another, instead
     * @param prepare whether the server keeps statements prepared
     * @param socketTimeout after which the engine gives up a connection on which nothing came back
     */
    public record Database(
            Path data,
            Optional<String> url,
            String user,
            String password,
            int shards,
            int engineConnections,
            int apiConnections,
            RoleNames roles,
            boolean prepare,
            Duration socketTimeout) {
        public Database {
            requireNonNull(roles);
            requireNonNull(data);
            requireNonNull(url);
            requireNonNull(user);
            requireNonNull(password);
            if (socketTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("database.socketTimeout is a second or more, not " + socketTimeout);
            }
        }

        @Override
        public String toString() {
            return url.map(it -> "PostgreSQL at " + it.replaceAll("\\?.*", ""))
                    .orElseGet(() -> "embedded PostgreSQL in " + data);
        }
    }

    /** The same where workers in other processes do this action, too. */
    public FlowstoneConfig withWorkerAction(HandlerName action) {
        List<HandlerName> all = new ArrayList<>(workerActions);
        all.add(action);
        return new FlowstoneConfig(
                http,
                database,
                dag,
                states,
                bounds,
                expressions,
                handlerConcurrency,
                all,
                limits,
                classes,
                catalog,
                log,
                trace,
                quotas,
                sweep,
                bearable,
                stuck,
                health,
                node,
                outbound,
                outbox,
                deadLetters,
                events,
                secrets,
                connectors,
                triggers);
    }

    public static FlowstoneConfig of(Sources sources) throws ConfigException {
        OptionSettings.check(sources);
        try {
            return new FlowstoneConfig(
                    HttpSettings.of(sources),
                    DatabaseSettings.of(sources),
                    DagSettings.of(sources),
                    StatesSettings.of(sources),
                    BoundSettings.of(sources),
                    OptionSettings.expressions(sources),
                    sources.value(BoundSettings.HANDLERS),
                    sources.value(LimitSettings.WORKER_ACTIONS),
                    LimitSettings.of(sources),
                    new WorkClasses(sources.value(LimitSettings.BULK)),
                    OptionSettings.catalog(sources),
                    LogSettings.log(sources),
                    LogSettings.trace(sources),
                    QuotaSettings.of(sources),
                    SweepSettings.of(sources),
                    HealthSettings.bearable(sources),
                    HealthSettings.stuck(sources),
                    HealthSettings.limits(sources),
                    NodeSettings.of(sources),
                    OutboundSettings.of(sources),
                    OutboxSettings.of(sources),
                    DeadLetterSettings.of(sources),
                    EventSettings.of(sources),
                    SecretSettings.of(sources),
                    ConnectorSettings.of(sources),
                    TriggerSettings.of(sources));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }
}
