package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.client.ServerClient;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cluster}: which nodes there are, and who has which shard. */
@Command(
        name = "cluster",
        header = "Show the nodes of a running installation, their shards, and how far each is behind.",
        description = "Speaks to any of its servers: --server URL, or FLOWSTONE_SERVER.%n",
        footer = {
            "",
            "Examples:",
            "  flowstone cluster",
            "  flowstone cluster --server http://10.0.0.7:8080 --json",
            "",
            RemoteExit.HELP
        })
final class ClusterCommand implements Callable<Integer> {
    private static final List<String> NODES = List.of("node", "shards", "address", "release", "since");
    private static final List<String> SHARDS =
            List.of("shard", "node", "epoch", "status", "waiting", "timersLateSeconds", "leaseSeconds");

    private static final Verb VERB =
            Verb.get("cluster", "Show the nodes.", "/cluster", new Report.Members("nodes"), "cluster");

    private final Terminal terminal;

    @Mixin
    private RemoteOptions remote = new RemoteOptions(System.getenv());

    ClusterCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        try (ServerClient client = remote.client()) {
            ServerAnswer answer = client.call(ServerCall.of(VERB.method(), VERB.path()));
            if (answer instanceof ServerAnswer.Done(JsonObject body, OptionalLong _) && !remote.json()) {
                print(body);
                return Exit.SUCCEEDED;
            }
            return new AnswerText(terminal, VERB, Map.of(), remote.json()).tell(answer);
        }
    }

    private void print(JsonObject body) {
        if (items(body, "nodes").isEmpty()) {
            terminal.out().println("One node, which shares its shards with nobody (no node.address is set).");
        } else {
            table(NODES, items(body, "nodes"));
        }
        terminal.out().println();
        table(SHARDS, items(body, "shards"));
    }

    private void table(List<String> columns, List<JsonObject> rows) {
        Table table = new Table(columns.stream().map(ClusterCommand::title).toList(), Set.of());
        for (JsonObject row : rows) {
            table.add(columns.stream()
                    .map(column -> AnswerText.cell(row.find(column)))
                    .toList());
        }
        table.print(terminal);
    }

    /** {@code timersLateSeconds} as {@code TIMERS LATE SECONDS}. */
    private static String title(String member) {
        return member.replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT);
    }

    private static List<JsonObject> items(JsonObject body, String member) {
        Stream<JsonValue> all =
                body.get(member) instanceof JsonArray(List<JsonValue> items) ? items.stream() : Stream.of();
        return all.filter(JsonObject.class::isInstance)
                .map(JsonObject.class::cast)
                .toList();
    }
}
