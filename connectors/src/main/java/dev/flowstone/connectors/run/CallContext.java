package dev.flowstone.connectors.run;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.Credential;
import dev.flowstone.action.CredentialProvider;
import dev.flowstone.action.CredentialRequest;
import dev.flowstone.action.FoundLink;
import dev.flowstone.action.LookupFailedException;
import dev.flowstone.action.Requester;
import dev.flowstone.connectors.credential.EnvironmentCredentials;
import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.dialect.dag.trigger.Jackson;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.TaskCall;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The engine's call as an action sees it. Remembers which secrets it gave out, so that none is told. */
final class CallContext implements ActionContext {
    private static final int SHORTEST_LINE = 8;
    private static final String AROUND_A_KEY = "-----";

    private final TaskCall call;
    private final String connectorId;
    private final CredentialProvider credentials;
    private final JsonNode config;
    private final JsonNode raw;
    private final Queue<String> revealed = new ConcurrentLinkedQueue<>();
    private @Nullable Requester requester;

    CallContext(TaskCall call, String connectorId, JsonNode config, CredentialProvider credentials) {
        this.call = requireNonNull(call);
        this.connectorId = requireNonNull(connectorId);
        this.config = requireNonNull(config);
        this.credentials = requireNonNull(credentials);
        this.raw = Jackson.node(call.input());
    }

    /** What it gave out. */
    Hidden secrets() {
        return Hidden.of(revealed.stream().distinct().flatMap(CallContext::lines));
    }

    /** A key of several lines is also found line by line, but for short ones, and those around it: they are no secret, and stand everywhere. */
    private static Stream<String> lines(String secret) {
        Stream<String> lines =
                secret.indexOf('\n') < 0 ? Stream.empty() : secret.lines().map(String::strip);
        return Stream.concat(
                Stream.of(secret),
                lines.filter(line -> line.length() >= SHORTEST_LINE && !line.startsWith(AROUND_A_KEY)));
    }

    @Override
    public String tenantId() {
        return call.tenant().value();
    }

    @Override
    public String workflowId() {
        return call.workflow().value();
    }

    @Override
    public String executionId() {
        return call.run().toString();
    }

    @Override
    public String nodeId() {
        return call.activation().node().value();
    }

    @Override
    public int attempt() {
        return call.attempt();
    }

    @Override
    public Duration timeout() {
        return call.timeout();
    }

    @Override
    public JsonNode rawParameters() {
        return raw;
    }

    /** A copy: what is in it is every attempt's. */
    @Override
    public JsonNode config() {
        return config.deepCopy();
    }

    @Override
    public String correlationId() {
        return call.correlation();
    }

    @Override
    public Optional<String> traceparent() {
        return call.traceparent();
    }

    @Override
    public synchronized Requester requester() {
        if (requester == null) {
            try {
                requester = Requesters.of(call.requester().find());
            } catch (JournalException e) {
                throw new LookupFailedException("whom the execution was started for can't be read now", e);
            }
        }
        return requester;
    }

    @Override
    public String idempotencyKey() {
        return call.key().toString();
    }

    @Override
    public Optional<FoundLink> findLink(String system, String type, String key) {
        try {
            return call.links().find(Links.type(system, type), key).map(found -> Links.found(found, system, type, key));
        } catch (JournalException e) {
            throw new LookupFailedException("whether there is such a link can't be read now", e);
        }
    }

    @Override
    public Optional<Credential> credential(String connector) {
        Optional<Credential> found = credentials.find(new CredentialRequest(connector, tenantId(), this::requester));
        found.map(Credential::reveal).ifPresent(revealed::add);
        return found;
    }

    @Override
    public Credential requiredCredential() throws ActionFailure {
        return credential(connectorId)
                .orElseThrow(() -> new ActionFailure(ActionResult.failed(
                        "NO_CREDENTIAL",
                        "the connector " + connectorId + " needs a credential: whoever runs the server sets "
                                + EnvironmentCredentials.variable(connectorId)
                                + ", or puts the file " + connectorId + " into the folder connector.credentials")));
    }

    @Override
    public boolean isCanceled() {
        return call.canceled().getAsBoolean() || Thread.currentThread().isInterrupted();
    }
}
