package dev.flowstone.server.config;

import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.outbound.HostPattern;
import dev.flowstone.outbound.Network;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.postgres.Keeping;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.schema.RoleNames;
import dev.flowstone.security.token.Algorithm;
import dev.flowstone.security.token.TokenRules;
import dev.flowstone.server.log.LogFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Every setting there is. */
public final class Settings {
    private static final List<Setting<?>> ALL = new ArrayList<>();

    static final Setting<String> HOST = add(Setting.text(
            "http.host",
            "127.0.0.1",
            "address to listen on; another than the loopback's takes http.token or auth.jwt"));
    static final Setting<Integer> PORT = add(Setting.port("http.port", 8080, "0 picks a free port"));
    static final Setting<String> TOKEN = add(Setting.secret(
            "http.token",
            "what callers send as Authorization: Bearer who run the installation; 32 characters or more"));
    static final Setting<Integer> BODY =
            add(Setting.number("http.maxBodyBytes", 4 << 20, 1_024, "longest body of a request"));
    static final Setting<Integer> WAITING = add(Setting.number(
            "http.maxWaiting",
            1_000,
            1,
            "starts, signals and decisions that wait for the engine; others are told BUSY"));

    static final Setting<Optional<Boolean>> AUTH_LOOSE = add(new Setting<>(
            "auth.loose",
            "true or false",
            "",
            "whether callers need no token, on the loopback interface only and without http.token; unless it is set, only"
                    + " without auth.jwt, too",
            false,
            AuthSettings::choice));
    static final Setting<Boolean> AUTH_PRINCIPAL =
            add(Setting.flag("auth.requirePrincipal", false, "whether a start has to say for whom it is"));
    static final Setting<String> JWT_ISSUER =
            add(Setting.text("auth.jwt.issuer", "", "whose tokens are taken: their iss, exactly"));
    static final Setting<String> JWT_AUDIENCE =
            add(Setting.text("auth.jwt.audience", "", "that their aud has to have"));
    static final Setting<String> JWT_KEYS =
            add(Setting.text("auth.jwt.keys", "", "file or https URL of the issuer's keys, as a JWK set"));
    static final Setting<Set<Algorithm>> JWT_ALGORITHMS = add(new Setting<>(
            "auth.jwt.algorithms",
            "names such as RS256,PS384,ES256,EdDSA with commas between them",
            "RS256,PS256,ES256,EdDSA",
            "by which tokens may be signed; none and HS… never",
            false,
            AuthSettings::algorithms));
    static final Setting<String> JWT_TENANT = add(Setting.text(
            "auth.jwt.tenantClaim", TokenRules.TENANT_CLAIM, "claim that names the tenant; inner.name for one inside"));
    static final Setting<String> JWT_ROLES = add(Setting.text(
            "auth.jwt.rolesClaim", TokenRules.ROLES_CLAIM, "claim with the roles; inner.name for one inside"));

    static final Setting<Set<String>> JWT_SERVICES = add(new Setting<>(
            "auth.jwt.serviceClients",
            "names with commas between them",
            "",
            "clients (client_id, azp) with which nobody logs in: their tokens are a service's",
            false,
            text -> NameLists.names(text).collect(Collectors.toUnmodifiableSet())));
    static final Setting<Boolean> JWT_TYPE = add(Setting.flag(
            "auth.jwt.requireAccessTokenType",
            false,
            "whether a token's header has to say at+jwt, so that no ID token does"));

    static final Setting<Integer> RATE_CALLS = add(Setting.number(
            "rate.callsPerMinute",
            60,
            0,
            AuthSettings.MOST_A_MINUTE,
            "of each caller at one node, evenly; 0 for no limit"));
    static final Setting<Integer> RATE_CALLS_BURST =
            add(Setting.number("rate.callsBurst", 120, 1, AuthSettings.MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> RATE_OPERATOR = add(Setting.number(
            "rate.operatorCallsPerMinute",
            0,
            0,
            AuthSettings.MOST_A_MINUTE,
            "of whoever runs the installation (http.token), instead; 0 for no limit"));
    static final Setting<Integer> RATE_OPERATOR_BURST = add(Setting.number(
            "rate.operatorCallsBurst", 10_000, 1, AuthSettings.MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> RATE_WORKERS = add(Setting.number(
            "rate.workersPerMinute", 60_000, 0, AuthSettings.MOST_A_MINUTE, "the same for workers' routes"));
    static final Setting<Integer> RATE_WORKERS_BURST = add(
            Setting.number("rate.workersBurst", 2_000, 1, AuthSettings.MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> RATE_WEBHOOKS = add(Setting.number(
            "rate.webhooksPerMinute",
            60_000,
            0,
            AuthSettings.MOST_A_MINUTE,
            "calls of each webhook at one node; 0 for no limit"));
    static final Setting<Integer> RATE_WEBHOOKS_BURST = add(Setting.number(
            "rate.webhooksBurst", 2_000, 1, AuthSettings.MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> RATE_EXECUTIONS = add(Setting.number(
            "rate.executionsPerMinute",
            0,
            0,
            AuthSettings.MOST_AT_ONCE,
            "starts of each workflow at one node, as many of them at once; 0 for no limit"));
    static final Setting<Boolean> RATE_LOOSE = add(Setting.flag(
            "rate.loose", false, "whether that holds for a server that asks for no token (auth.loose), too"));

    static final Setting<String> NODE_NAME = add(Setting.text(
            "node.name",
            "",
            "this node's name among others; one that survives a restart takes its shards back at once"));
    static final Setting<String> NODE_ADDRESS = add(Setting.text(
            "node.address", "", "HOST:PORT at which other nodes reach this one; without it, it stands alone"));
    static final Setting<String> NODE_HOST =
            add(Setting.text("node.host", "", "address to listen on for other nodes, if it isn't that host"));
    static final Setting<String> NODE_CERTIFICATE =
            add(Setting.text("node.certificate", "", "PEM file that it shows other nodes"));
    static final Setting<String> NODE_KEY = add(Setting.text("node.key", "", "PEM file of that certificate's key"));
    static final Setting<String> NODE_AUTHORITY =
            add(Setting.text("node.authority", "", "PEM file of the authority that makes nodes' certificates"));
    static final Setting<Duration> LEASE = add(Setting.time(
            "lease.timeToLive", LeaseConfig.DEFAULT.timeToLive(), "after which a silent node's shards go to others"));
    static final Setting<Duration> HAND_OVER = add(Setting.time(
            "lease.handOver",
            LeaseConfig.DEFAULT.handOver(),
            "for which a shard that moves to another node waits for its handlers"));

    /** The launcher of an installed Flowstone names another folder. */
    private static final String DATA_FOLDER = System.getProperty("flowstone.data", ".flowstone");

    static final Setting<String> DATA =
            add(Setting.text("database.data", DATA_FOLDER, "folder of the embedded PostgreSQL"));
    static final Setting<String> URL = add(Setting.text(
            "database.url", "", "JDBC URL of another PostgreSQL 15 or newer, instead of the embedded one"));
    static final Setting<String> USER =
            add(Setting.text("database.user", "postgres", "its user that may create roles and a schema"));
    static final Setting<String> PASSWORD = add(Setting.secret("database.password", "that user's password"));
    /** Each loop waits for its commit now and then, and more of them than that are in each other's way. */
    static final Setting<Integer> SHARDS = add(
            Setting.number(
                    "database.shards",
                    Math.clamp(Runtime.getRuntime().availableProcessors() + 1L, 3, 8),
                    1,
                    "loops that a new database is cut for, by default one more than this machine has processors, from 3 to 8; at least one for each node; fixed afterwards"));

    static final Setting<Integer> ENGINE_CONNECTIONS =
            add(Setting.number("database.engineConnections", 8, 1, "connections of the engine"));
    static final Setting<Integer> API_CONNECTIONS = add(Setting.number(
            "database.apiConnections", 8, 1, "connections of readers; half of them, at most, of transactional tasks"));
    static final Setting<RoleNames> ROLES = add(new Setting<>(
            "database.rolePrefix",
            "a name of a-z, 0-9 and _",
            "flowstone",
            "begins its roles' names; two Flowstones on one server need two",
            false,
            RoleNames::withPrefix));
    static final Setting<Boolean> PREPARE = add(Setting.flag(
            "database.prepare",
            true,
            "whether statements stay prepared; false behind a pooling proxy that forgets them"));
    static final Setting<Duration> SOCKET_TIMEOUT = add(
            Setting.time(
                    "database.socketTimeout",
                    PostgresConfig.SOCKET_TIMEOUT,
                    "after which the engine gives up a connection on which nothing came back; more than the 10 s of a wait for a lock"));

    private static final DagOptions.Defaults D = DagOptions.Defaults.DEFAULT;
    private static final DagOptions.Limits L = DagOptions.Limits.DEFAULT;

    static final Setting<Duration> ACTION_TIMEOUT =
            add(Setting.time("dag.actionTimeout", D.actionTimeout(), "of one attempt, unless the node says"));
    static final Setting<Duration> WORKFLOW_TIMEOUT =
            add(Setting.time("dag.workflowTimeout", D.workflowTimeout(), "of a run, from its start"));
    static final Setting<Integer> RETRIES = add(Setting.number(
            "dag.maxRetryAttempts", D.maxRetryAttempts(), 0, "retries after the first attempt, unless the node says"));
    static final Setting<Duration> INITIAL_DELAY =
            add(Setting.time("dag.initialDelay", D.initialDelay(), "before the first retry"));
    static final Setting<Double> BACKOFF =
            add(Setting.factor("dag.backoffFactor", D.backoffFactor(), "of each further delay"));
    static final Setting<Boolean> JITTER =
            add(Setting.flag("dag.jitter", D.jitter(), "whether delays are drawn between half and all of it"));
    static final Setting<Duration> RETRY_CAP =
            add(Setting.time("dag.maxRetryDelay", D.maxRetryDelay(), "no delay grows beyond this"));
    static final Setting<Duration> CHILD_TIMEOUT =
            add(Setting.time("child.timeout", D.childTimeout(), "of a subworkflow, unless the node says"));
    static final Setting<Boolean> DRY_RENDER = add(Setting.flag(
            "publish.validateParameterTemplates",
            DagOptions.DEFAULT.dryRender(),
            "whether a definition's parameters are rendered without data when it is saved and published"));
    static final Setting<Integer> SOURCE_BYTES =
            add(Setting.number("dag.maxSourceBytes", L.maxSourceBytes(), 1, "longest definition"));
    static final Setting<Integer> NESTING = add(Setting.number("dag.maxNesting", L.maxNesting(), 1, "of a definition"));
    static final Setting<Integer> NODES =
            add(Setting.number("dag.maxNodesPerWorkflow", L.maxNodesPerWorkflow(), 1, "of a definition"));
    static final Setting<Integer> EDGES =
            add(Setting.number("dag.maxEdgesPerWorkflow", L.maxEdgesPerWorkflow(), 1, "of a definition"));
    static final Setting<Integer> ID_LENGTH =
            add(Setting.number("dag.maxIdLength", L.maxIdLength(), 1, "of workflows' and nodes' ids"));
    static final Setting<Integer> MAX_RETRIES =
            add(Setting.number("dag.maxRetries", L.maxRetries(), 0, "that a definition may ask for"));
    static final Setting<Duration> MAX_TIMEOUT =
            add(Setting.time("dag.maxTimeout", L.maxTimeout(), "that a definition may give an attempt"));
    static final Setting<Duration> MAX_DELAY =
            add(Setting.time("dag.maxDelay", L.maxDelay(), "that a core.delay may wait"));
    static final Setting<Integer> FAULTS =
            add(Setting.number("dag.maxFaults", L.maxFaults(), 1, "that one answer shows"));

    private static final StatesOptions S = StatesOptions.DEFAULT;

    static final Setting<Integer> STATES_SOURCE_BYTES =
            add(Setting.number("states.maxSourceBytes", S.maxSourceBytes(), 1, "longest workflow as states"));
    static final Setting<Integer> STATES_NESTING =
            add(Setting.number("states.maxNesting", S.maxNesting(), 1, "of arrays and objects in its text"));
    static final Setting<Integer> STATES_STATES =
            add(Setting.number("states.maxStates", S.maxStates(), 1, "in all regions together"));
    static final Setting<Integer> STATES_EXPRESSIONS =
            add(Setting.number("states.maxExpressions", S.maxExpressions(), 1, "conditions and templates"));
    static final Setting<Integer> STATES_FAULTS =
            add(Setting.number("states.maxFaults", S.maxFaults(), 1, "that one answer shows"));
    static final Setting<Integer> STATES_MARKINGS =
            add(Setting.number("states.maxMarkings", S.maxMarkings(), 1, "that the search for deadlocks looks at"));

    private static final Bounds B = Bounds.DEFAULT;

    static final Setting<Integer> WORK = add(Setting.number(
            "engine.workPerDecision", B.workPerDecision(), 1, "openings and routings before a run yields to others"));
    static final Setting<Integer> VISITS = add(Setting.number(
            "engine.visitsWithoutWait", B.visitsWithoutWait(), 1, "of one node; beyond it is a runaway loop"));
    static final Setting<Integer> EVENT_BYTES =
            add(Setting.number("engine.eventBytes", B.eventBytes(), 1_024, "longest stored event"));
    static final Setting<Integer> INLINE_BYTES = add(Setting.number(
            "engine.inlineBytes", B.inlineBytes(), 64, "longest value in an event; others go to the payload store"));
    static final Setting<Integer> EXPRESSION_STEPS = add(Setting.number(
            "engine.expressionStepsPerDecision",
            B.expressionStepsPerDecision(),
            1,
            "of conditions and templates before a run yields to others; also the most for one node's conditions"));
    static final Setting<Integer> EXPRESSION_BYTES = add(Setting.number(
            "engine.expressionBytesPerDecision",
            B.expressionBytesPerDecision(),
            1,
            "that they produce before a run yields; also the most for one node's conditions"));
    static final Setting<Integer> PAYLOAD_BYTES = add(Setting.number(
            "engine.payloadBytes", B.payloadBytes(), 1_024, "longest rendered input, and output of several ends"));
    static final Setting<Integer> CONTEXT_BYTES = add(Setting.number(
            "engine.maxContextSizeBytes", B.contextBytes(), 64, "of a run's input and its nodes' results together"));
    static final Setting<Integer> VARIABLE_BYTES = add(Setting.number(
            "engine.variableBytes", B.variableBytes(), 64, "of a run's variables together, names included"));
    static final Setting<Integer> LIVE_ACTIVATIONS = add(Setting.number(
            "engine.liveActivations",
            B.forks().liveActivations(),
            1,
            "of a run that wait at once; beyond is an incident"));
    static final Setting<Integer> BRANCHES =
            add(Setting.number("engine.forkBranches", B.forks().branches(), 1, "of one fork"));
    static final Setting<Integer> BRANCH_NESTING =
            add(Setting.number("engine.forkNesting", B.forks().nesting(), 1, "scopes around a branch"));
    static final Setting<Long> JOIN_BYTES = add(Setting.count(
            "engine.joinResultBytes",
            B.forks().resultBytes(),
            0,
            "of outputs in one join's result; further ones show as a note"));
    static final Setting<Integer> SIGNAL_BUFFER = add(Setting.number(
            "engine.signalBuffer",
            B.messages().signalBuffer(),
            0,
            "signals that one channel keeps; further ones are refused"));
    static final Setting<Duration> SIGNAL_LIFE = add(Setting.life(
            "engine.signalLife",
            B.messages().signalLife(),
            "longest that a signal is kept, whatever its sender asks for"));
    static final Setting<Duration> DEDUPE_LIFE = add(Setting.life(
            "engine.dedupeLife", B.messages().dedupeLife(), "for how long a repetition of a named signal is dropped"));
    static final Setting<Integer> CALL_DEPTH = add(Setting.number(
            "engine.callDepth",
            B.messages().depth(),
            0,
            500,
            "of runs that call runs; one that nobody called has depth 0"));
    static final Setting<Boolean> RECURSION = add(Setting.flag(
            "engine.callRecursion", B.messages().recursion(), "whether a workflow may be called below itself"));
    static final Setting<Integer> BUFFERED_INPUTS = add(Setting.number(
            "engine.bufferedInputs",
            B.control().bufferedInputs(),
            0,
            "that a suspended run holds; one more is refused"));
    static final Setting<Integer> INPUTS_PER_DECISION = add(Setting.number(
            "engine.inputsPerDecision",
            B.control().inputsPerDecision(),
            1,
            "of those, decided at once after it is resumed"));
    static final Setting<Integer> ASSIGNEES =
            add(Setting.number("engine.taskAssignees", B.humans().assignees(), 1, "whom one human task asks at once"));
    static final Setting<Integer> DECISIONS =
            add(Setting.number("engine.taskDecisions", B.humans().decisions(), 1, "in one visit of a human task"));
    static final Setting<Integer> HANDLERS =
            add(Setting.number("engine.handlerConcurrency", 1_000, 1, "handlers running at once"));
    static final Setting<List<HandlerName>> WORKER_ACTIONS = add(new Setting<>(
            "worker.actions",
            "names with commas between them",
            "",
            "actions that workers in other processes do, such as orders.charge,orders.ship",
            false,
            NameLists::actions));

    static final Setting<Map<String, Integer>> LIMIT_AT_ONCE = add(Setting.byName(
            "limit.atOnce",
            "action=number pairs with commas between them",
            "attempts under way at once at one node, of an action or of a connector's, such as"
                    + " orders.charge=4,slack.*=20",
            NameLists::limited,
            Setting::positive));
    static final Setting<Map<String, Double>> LIMIT_PER_SECOND = add(Setting.byName(
            "limit.perSecond",
            "action=rate pairs with commas between them",
            "attempts that begin at one node in a second, such as slack.*=50,bank.pay=0.5",
            NameLists::limited,
            Setting::limitingRate));

    static final Setting<Set<WorkflowId>> BULK = add(new Setting<>(
            "work.bulk",
            "names with commas between them",
            "",
            "workflows that nobody waits for, such as nightly-import: theirs is every fourth turn while others wait",
            false,
            text -> NameLists.names(text).map(WorkflowId::new).collect(Collectors.toUnmodifiableSet())));

    private static final OutboundConfig O = OutboundConfig.DEFAULT;

    static final Setting<List<HostPattern>> OUTBOUND_HOSTS = add(new Setting<>(
            "outbound.allowedHosts",
            "names with commas between them",
            "",
            "hosts that may be called at addresses inside, such as crm.corp.example,*.lan.example",
            false,
            text -> NameLists.names(text).map(HostPattern::new).toList()));
    static final Setting<List<Network>> OUTBOUND_NETWORKS = add(new Setting<>(
            "outbound.allowedNetworks",
            "networks with commas between them",
            "",
            "networks inside that may be called, such as 10.1.0.0/16,fd00:1::/32,127.0.0.1",
            false,
            NameLists::networks));
    static final Setting<List<Network>> OUTBOUND_DENIED = add(new Setting<>(
            "outbound.deniedNetworks",
            "networks with commas between them",
            "",
            "networks that may not be called, public ones too, whatever else allows them",
            false,
            NameLists::networks));
    static final Setting<Duration> OUTBOUND_TIMEOUT = add(Setting.life(
            "outbound.timeout", O.deadline(), "of a whole call, its redirects included; a call may ask for less"));
    static final Setting<Duration> OUTBOUND_CONNECT = add(Setting.life(
            "outbound.connectTimeout", O.connectTimeout(), "for a connection, and again for its encryption"));
    static final Setting<Integer> OUTBOUND_BYTES = add(Setting.number(
            "outbound.maxResponseBytes",
            O.bodyBytes(),
            0,
            1 << 30,
            "of an answer's body that are kept; the rest is cut off"));
    static final Setting<Integer> OUTBOUND_REDIRECTS = add(Setting.number(
            "outbound.maxRedirects", O.redirects(), 0, 20, "that are followed; with 0 one is an answer like others"));
    static final Setting<Integer> OUTBOUND_CONNECTIONS = add(
            Setting.number("outbound.connections", O.connections(), 1, "at once to all hosts; others wait for one"));
    static final Setting<Integer> OUTBOUND_PER_HOST = add(Setting.number(
            "outbound.perHost", O.perHost(), 1, "calls to one host at once; others wait for their turn"));
    static final Setting<Double> OUTBOUND_RATE = add(Setting.rate(
            "outbound.perHostPerSecond", "calls to one host that begin in a second, evenly; 0 for no limit"));

    static final Setting<LogFormat> LOG_FORMAT =
            add(new Setting<>("log.format", "text or json", "text", "how the log is written", false, LogFormat::parse));
    static final Setting<Boolean> LOG_EMAIL = add(Setting.flag(
            "log.requesterEmail",
            false,
            "whether lines of runs name the e-mail address of whom they were started for"));

    static final Setting<String> TRACE_ENDPOINT = add(Setting.text(
            "trace.endpoint", "", "where spans go, as OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces"));
    static final Setting<Double> TRACE_RATIO =
            add(Setting.share("trace.ratio", 1, "of the traces that begin here and are sent there"));
    static final Setting<String> TRACE_SERVICE =
            add(Setting.text("trace.service", "flowstone", "the service's name in traces"));

    static final Setting<Double> STARTS = add(Setting.rate(
            "quota.startsPerSecond",
            "starts of each tenant at one node; 0 for no limit; beyond, they are told when to ask again"));
    static final Setting<Map<TenantId, Double>> TENANT_STARTS = add(Setting.byTenant(
            "quota.tenantStarts",
            "tenant=rate pairs with commas between them",
            "tenants' own, such as acme=500,globex=20",
            Setting::rate));
    static final Setting<Map<TenantId, Integer>> TENANT_WEIGHTS = add(Setting.byTenant(
            "quota.tenantWeights",
            "tenant=weight pairs (1 to 100) with commas between them",
            "turns that a tenant has to others' one while they wait, such as acme=4; else 1",
            Setting::weight));

    static final Setting<Duration> SWEEP_EVERY = add(Setting.time(
            "sweep.every", Duration.ofHours(1), "pause between rounds that remove what nobody needs any more"));
    static final Setting<Duration> SWEEP_SNAPSHOTS = add(Setting.time(
            "sweep.snapshots",
            Keeping.DEFAULTS.snapshots(),
            "of ended runs are kept; without one a run is read whole"));
    static final Setting<Duration> SWEEP_FEED = add(Setting.time(
            "sweep.feed", Keeping.DEFAULTS.feed(), "by which readers of events come back to where they were, is kept"));

    static final Setting<Integer> OUTBOX_AT_ONCE =
            add(Setting.number("outbox.atOnce", 8, 1, "deliveries of one node under way at once to one destination"));
    static final Setting<Integer> OUTBOX_ATTEMPTS = add(Setting.number(
            "outbox.attempts", OutboxConfig.DEFAULT.attempts(), 1, "to deliver a message; then it is a dead letter"));
    static final Setting<Duration> OUTBOX_EVIDENCE = add(Setting.time(
            "outbox.keepEvidence",
            Keeping.DEFAULTS.evidence(),
            "for which it is kept what came of each attempt to deliver a message"));

    static final Setting<Boolean> DEAD_LETTERS = add(Setting.flag(
            "deadLetter.enabled",
            DeadLetterConfig.DEFAULT.enabled(),
            "whether what can't be taken up is kept, to be tried again and looked at"));
    static final Setting<String> DEAD_LETTER_NAME = add(Setting.text(
            "deadLetter.name", DeadLetterConfig.DEFAULT.queue(), "what the place is called where it is kept"));
    static final Setting<Integer> DEAD_LETTER_RETRIES = add(Setting.number(
            "deadLetter.maxRetries",
            DeadLetterConfig.DEFAULT.maxRetries(),
            0,
            "of what could not be taken up; then it is dead"));
    static final Setting<Duration> DEAD_LETTER_DELAY =
            add(Setting.time("deadLetter.delay", DeadLetterConfig.DEFAULT.delay(), "before each of those retries"));

    /** Endpoints have names. */
    static final String WEBHOOKS = "webhook";

    static final Setting<String> WEBHOOK_URL = add(Setting.text(
            "webhook.NAME.url", "", "where core.webhook sends what is for the endpoint NAME (a-z, 0-9, hyphens)"));
    static final Setting<String> WEBHOOK_SECRET = add(Setting.secret(
            "webhook.NAME.secret", "that signs it: whsec_ and 24 to 64 bytes in Base64 (Standard Webhooks)"));
    static final Setting<String> WEBHOOK_PREVIOUS_SECRET = add(Setting.secret(
            "webhook.NAME.previousSecret", "that signs it, too, as long as the receiver may not know the new one"));
    static final Setting<Integer> WEBHOOK_AT_ONCE = add(Setting.number(
            "webhook.NAME.atOnce", 0, 0, "deliveries of one node to it under way at once; 0 for outbox.atOnce"));
    static final Setting<Double> WEBHOOK_PER_SECOND =
            add(Setting.rate("webhook.NAME.perSecond", "deliveries of one node to it that begin; 0 for any number"));

    /** Secrets have names. */
    static final String SECRETS = "secret";

    static final Setting<String> SECRET_VALUE = add(Setting.secret(
            "secret.NAME.value", "what core.http sends where a workflow names the secret NAME (a-z, 0-9, hyphens)"));
    static final Setting<List<String>> SECRET_ORIGINS = add(new Setting<>(
            "secret.NAME.origins",
            "origins with commas between them",
            "",
            "whom it may be sent to, such as https://api.example.com",
            false,
            text -> NameLists.names(text).toList()));
    static final Setting<Set<TenantId>> SECRET_TENANTS = add(new Setting<>(
            "secret.NAME.tenants",
            "names with commas between them",
            "",
            "whose workflows may name it; all unless some are named",
            false,
            text -> NameLists.names(text).map(TenantId::new).collect(Collectors.toUnmodifiableSet())));

    static final Setting<Integer> EVENTS_AT_ONCE = add(Setting.number(
            "events.atOnce",
            16,
            1,
            "events of one node under way at once to one endpoint or topic, unless webhook.NAME.atOnce says"));
    static final Setting<Duration> EVENTS_BROKEN_AFTER = add(Setting.life(
            "events.brokenAfter",
            Duration.ofHours(24),
            "for which a subscription may fail without getting on; then it is broken, and waits for somebody"));
    static final Setting<Duration> EVENTS_KEEP = add(Setting.time(
            "events.keepForSubscriptions",
            Keeping.DEFAULTS.subscriptions(),
            "for which the feed keeps what a subscription has yet to send, if that is longer than sweep.feed"));
    static final Setting<String> KAFKA_SERVERS = add(Setting.text(
            "kafka.bootstrapServers", "", "HOST:PORT of Kafka's brokers with commas between them; none for no Kafka"));
    static final Setting<String> KAFKA_PROPERTIES = add(Setting.text(
            "kafka.properties", "", "file with more of the producer's settings: TLS, SASL, batches, time limits"));
    static final Setting<List<String>> KAFKA_TOPICS = add(new Setting<>(
            "kafka.topics",
            "names with commas between them, each perhaps with a * at its end",
            "flowstone.*",
            "topics that subscriptions may name",
            false,
            NameLists::topics));

    static final Setting<Boolean> TRIGGER_WEBHOOKS = add(Setting.flag(
            "trigger.webhooks", true, "whether deliveries are taken at the addresses of webhook triggers"));
    static final Setting<Boolean> TRIGGER_EVENTS = add(
            Setting.flag("trigger.events", true, "whether events start what event triggers say, and are taken at all"));
    static final Setting<String> TRIGGER_BASE_PATH = add(Setting.text(
            "trigger.basePath",
            TriggerConfig.BASE_PATH,
            "path before webhooks' ids in their addresses, such as /hooks; they are at the usual one, too"));
    static final Setting<Boolean> TRIGGER_SCHEDULES = add(Setting.flag(
            "trigger.schedules", true, "whether schedules of this node's shards fire; the same at all nodes"));
    static final Setting<Duration> TRIGGER_MISSED = add(Setting.time(
            "trigger.missedAfter",
            TriggerConfig.MISSED_AFTER,
            "by which a schedule's tick may be late, and isn't missed yet; a second to ten minutes"));
    static final Setting<Duration> TRIGGER_KEEP = add(Setting.time(
            "trigger.keepDeliveries",
            Keeping.DEFAULTS.deliveries(),
            "for which it is kept what came for triggers, and what became of it; an hour at least"));

    static final Setting<Duration> SKEW_WAIT = add(Setting.time(
            "skew.wait", Duration.ofSeconds(30), "that something may wait at this node before the log warns of it"));
    static final Setting<Duration> SKEW_CLOCK = add(Setting.time(
            "skew.clock", Duration.ofSeconds(1), "between this node's clock and the database's before the log warns"));

    static final Setting<Duration> STUCK_AFTER = add(Setting.life(
            "stuck.after", Duration.ofMinutes(15), "without progress before a run counts as one that stands still"));
    static final Setting<Duration> STUCK_EVERY = add(Setting.life(
            "stuck.every", Duration.ofMinutes(1), "pause between looks for runs that stand still, a few pages each"));

    static final Setting<Long> HEALTH_OUTBOX =
            add(Setting.count("health.outboxPending", 10_000, 0, "messages that may wait to leave"));
    static final Setting<Duration> HEALTH_OUTBOX_OLDEST =
            add(Setting.life("health.outboxOldest", Duration.ofMinutes(5), "that the first of them may have been due"));
    static final Setting<Duration> HEALTH_INBOX_OLDEST =
            add(Setting.life("health.inboxOldest", Duration.ofMinutes(5), "that a message may wait for its run"));
    static final Setting<Duration> HEALTH_TRANSACTION = add(Setting.life(
            "health.oldestTransaction", Duration.ofMinutes(15), "that a transaction may keep the database's old rows"));
    static final Setting<Long> HEALTH_DEAD_ROWS =
            add(Setting.count("health.deadRows", 1_000_000, 0, "rows of one table that nothing needs any more"));
    static final Setting<Duration> HEALTH_PARTITIONS = add(Setting.life(
            "health.partitionsAhead", Duration.ofDays(30), "ahead, for which months must have their partitions"));
    static final Setting<Integer> HEALTH_CONNECTIONS =
            add(Setting.number("health.freeConnections", 10, 0, "connections that the database must have left"));
    static final Setting<Integer> HEALTH_DISK = add(Setting.number(
            "health.freeDiskMegabytes", 1_024, 0, "that the disk of the embedded database must have left"));

    static final Setting<Boolean> DRAFTS = add(Setting.flag(
            "catalog.allowDraftExecution", false, "whether drafts may be run, as version 0; for development"));

    static {
        ALL.addAll(OptionSettings.all());
    }

    private Settings() {}

    public static List<Setting<?>> all() {
        return List.copyOf(ALL);
    }

    static Optional<Setting<?>> named(String name) {
        return ALL.stream()
                .filter(setting -> setting.isFamily()
                        ? isOf(setting, name)
                        : setting.name().equals(name))
                .findFirst();
    }

    private static boolean isOf(Setting<?> family, String name) {
        return Sources.memberName(name)
                .map(member -> family.of(member).name().equals(name))
                .orElse(false);
    }

    private static <T> Setting<T> add(Setting<T> setting) {
        ALL.add(setting);
        return setting;
    }
}
