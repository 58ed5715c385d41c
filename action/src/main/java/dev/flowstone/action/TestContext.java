package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An attempt for the tests of an action: the first one of the node {@code node}, for nobody, with nothing linked, no credential and no
 * configuration, until something else is said. Grows with {@link ActionContext}.
 */
public final class TestContext implements ActionContext {
    private final Map<String, Credential> credentials = new HashMap<>();
    private final Map<String, FoundLink> links = new HashMap<>();
    private final String connectorId;
    private JsonNode parameters = JsonNodeFactory.instance.objectNode();
    private JsonNode config = JsonNodeFactory.instance.objectNode();
    private Requester requester = new Requester("system", Optional.empty(), Optional.of("System"));
    private int attempt = 1;
    private volatile boolean canceled;

    /** For an action of this connector. */
    public TestContext(String connectorId) {
        this.connectorId = requireNonNull(connectorId);
    }

    /** The connector's own. */
    public TestContext credential(Credential own) {
        credentials.put(connectorId, own);
        return this;
    }

    /** What is set for the connector. */
    public TestContext config(JsonNode set) {
        config = requireNonNull(set);
        return this;
    }

    /** As they were rendered. */
    public TestContext rawParameters(JsonNode rendered) {
        parameters = requireNonNull(rendered);
        return this;
    }

    /** For whom it is. */
    public TestContext requester(Requester who) {
        requester = requireNonNull(who);
        return this;
    }

    /** From 1. */
    public TestContext attempt(int number) {
        attempt = number;
        return this;
    }

    /** It is linked already, by another execution. */
    public TestContext linked(ResourceLink link) {
        links.put(key(link.system(), link.type(), link.key()), new FoundLink("another", link));
        return this;
    }

    /** Nobody waits for it from now on. */
    public TestContext cancel() {
        canceled = true;
        return this;
    }

    @Override
    public String tenantId() {
        return "default";
    }

    @Override
    public String workflowId() {
        return "workflow";
    }

    @Override
    public String executionId() {
        return "execution";
    }

    @Override
    public String nodeId() {
        return "node";
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public Duration timeout() {
        return Duration.ofSeconds(30);
    }

    @Override
    public JsonNode rawParameters() {
        return parameters;
    }

    @Override
    public JsonNode config() {
        return config;
    }

    @Override
    public String correlationId() {
        return "correlation";
    }

    @Override
    public Optional<String> traceparent() {
        return Optional.empty();
    }

    @Override
    public Requester requester() {
        return requester;
    }

    @Override
    public String idempotencyKey() {
        return "execution-node";
    }

    @Override
    public Optional<FoundLink> findLink(String system, String type, String key) {
        return Optional.ofNullable(links.get(key(system, type, key)));
    }

    @Override
    public Optional<Credential> credential(String connector) {
        return Optional.ofNullable(credentials.get(connector));
    }

    @Override
    public Credential requiredCredential() throws ActionFailure {
        return credential(connectorId)
                .orElseThrow(() -> new ActionFailure(
                        ActionResult.failed("NO_CREDENTIAL", "the connector " + connectorId + " needs a credential")));
    }

    @Override
    public boolean isCanceled() {
        return canceled;
    }

    private static String key(String system, String type, String key) {
        return system + '/' + type + '/' + key;
    }
}
