package dev.flowstone.vendors;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.action.Connector;
import dev.flowstone.action.Credential;
import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.connectors.registry.FoundConnector;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.RequesterLookup;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.outbound.AddressPolicy;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.vendors.standin.ConfluenceStandIn;
import dev.flowstone.vendors.standin.MondayStandIn;
import dev.flowstone.vendors.standin.SlackStandIn;
import dev.flowstone.vendors.web.WebConnector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The three vendors, and their connectors as a node has them: found, bound, run, their answers told without secrets. */
final class Rig implements AutoCloseable {
    static final String TOKEN = "xoxb-hunter2/&=-Zq";

    private static final RunId RUN = new RunId(UUID.fromString("01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d"));

    final SlackStandIn slack = new SlackStandIn(TOKEN);
    final MondayStandIn monday = new MondayStandIn(TOKEN);
    final ConfluenceStandIn confluence = new ConfluenceStandIn(TOKEN);

    private final Map<String, TaskResult.Link> links = new ConcurrentHashMap<>();
    /** Of all rigs: a client takes a while to open, and keeps nothing of what it sent. */
    private static final OutboundClient OPEN = client(AddressPolicy.PUBLIC_ONLY.withAllowedNetworks("127.0.0.0/8"));

    private final OutboundClient client;
    private final HandlerRegistry handlers;

    Rig() throws Exception {
        this(OPEN, true, TOKEN);
    }

    /** Whose connectors have this credential. */
    static Rig showing(String token) throws Exception {
        return new Rig(OPEN, true, token);
    }

    /** Which sends nothing to private addresses. */
    static Rig closed(boolean configured) throws Exception {
        return new Rig(client(AddressPolicy.PUBLIC_ONLY), configured, TOKEN);
    }

    private Rig(OutboundClient client, boolean configured, String token) throws Exception {
        this.client = client;
        List<FoundConnector> found = ServiceLoader.load(Connector.class).stream()
                .map(ServiceLoader.Provider::get)
                .map(WebConnector.class::cast)
                .map(web -> new FoundConnector(web.through(() -> client), "here"))
                .toList();
        HandlerRegistry.Builder all = HandlerRegistry.builder();
        ConnectorRegistry.of(
                        found,
                        configured
                                ? Map.of(
                                        "slack", config(slack.url()),
                                        "monday", config(monday.url() + "/"),
                                        "confluence", config(confluence.url()))
                                : Map.of(),
                        _ -> Optional.of(new Credential(token)))
                .register(all);
        handlers = all.build();
    }

    private static OutboundClient client(AddressPolicy policy) {
        return new OutboundClient(OutboundConfig.DEFAULT.withPolicy(policy));
    }

    private static JsonObject config(String url) {
        return JsonObject.builder().put("url", url).build();
    }

    /** An attempt of a node, whose links are kept if it succeeds. */
    TaskResult run(String action, String parameters, String node, int attempt, Duration timeout) throws Exception {
        HandlerName name = new HandlerName(action);
        LinkLookup lookup = (type, key) ->
                Optional.ofNullable(links.get(type + '/' + key)).map(link -> new LinkLookup.Found(RUN, link.content()));
        RequesterLookup requester = () -> new RequesterLookup.Found(
                new Actor("user", "U123"),
                new Requested(Optional.of("Jürgen"), Optional.of("j@example.com"), Optional.empty()));
        TaskCall call = new TaskCall(
                new TenantId("acme"),
                new WorkflowId("w"),
                RUN,
                "corr-1",
                new ActivationId(new NodeId(node), 1),
                attempt,
                name,
                JsonParser.parse(parameters.getBytes(UTF_8)),
                JsonObject.EMPTY,
                Sha256.digest(node.getBytes(UTF_8)),
                timeout,
                lookup,
                requester,
                () -> false,
                Optional.of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        TaskResult result = handlers.handler(name).orElseThrow().handle(call);
        if (result instanceof TaskResult.Ok ok) {
            ok.links().forEach(link -> links.put(link.type() + '/' + link.key(), link));
        }
        return result;
    }

    /** The first attempt of a node. */
    TaskResult run(String action, String parameters) throws Exception {
        return run(action, parameters, "node", 1, Duration.ofSeconds(30));
    }

    /** Another attempt of the same node. */
    TaskResult again(String action, String parameters) throws Exception {
        return run(action, parameters, "node", 2, Duration.ofSeconds(30));
    }

    @Override
    public void close() {
        if (client != OPEN) {
            client.close();
        }
        slack.close();
        monday.close();
        confluence.close();
    }
}
