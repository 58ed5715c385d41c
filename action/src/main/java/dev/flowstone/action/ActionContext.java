package dev.flowstone.action;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One attempt, as its action sees it. To be used on the thread that the action runs on, until it answers. Flowstone alone implements it,
 * and methods are added; tests of actions take a {@link TestContext}.
 */
public interface ActionContext {
    /** Whose execution it is. */
    String tenantId();

    String workflowId();

    String executionId();

    String nodeId();

    /** From 1. */
    int attempt();

    /** After which the attempt has failed; its thread is interrupted then. */
    Duration timeout();

    /** The parameters as they were rendered, before they were bound. */
    JsonNode rawParameters();

    /**
     * What whoever runs the server has set for the connector ({@code connector.config}), as its {@link ConnectorSpec#configSchema} has it;
     * an empty object if that is nothing.
     */
    JsonNode config();

    /** Of the execution: the same for all that belongs to one request, here and elsewhere. */
    String correlationId();

    /** W3C trace context; hand it on as the header {@code traceparent}. */
    Optional<String> traceparent();

    /**
     * For whom the execution was started; of a child, whom its parent was started for. Read when it is asked for.
     *
     * @throws LookupFailedException if nobody can say now
     */
    Requester requester();

    /**
     * The same for every attempt of this visit of the node, and of no other; printable ASCII, at most 255 characters: hand it to the
     * other side, which then drops repetitions.
     */
    String idempotencyKey();

    /**
     * Whether this tenant has linked a thing outside already. Look before you make it: a link is recorded with the success of
     * the attempt that made the thing.
     *
     * @param key of the link: what {@link ResourceLink#foundBy} said, else its id
     * @throws LookupFailedException if nobody can say now
     */
    Optional<FoundLink> findLink(String system, String type, String key);

    /**
     * The credential of a connector; empty if there is none. Ask in every attempt: what was given out in it is taken out of all that it
     * tells.
     *
     * @throws LookupFailedException if nobody can say now
     */
    Optional<Credential> credential(String connectorId);

    /**
     * The credential without which the action can't work, of its own connector.
     *
     * @throws ActionFailure that ends the node and says where a credential is put
     */
    Credential requiredCredential() throws ActionFailure;

    /**
     * Whether nobody waits for it any more: it should end early, in good order. What blocks is interrupted then. It stays true, whoever
     * takes the interrupt; any thread may ask.
     */
    boolean isCanceled();
}
