package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerClient;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code health}: how a server and its database fare. */
@Command(
        name = "health",
        header = "Show how a running server and its database fare, and what to do about what isn't well.",
        description = "Speaks to a running server: --server URL, or FLOWSTONE_SERVER.%n",
        footer = {
            "",
            "Examples:",
            "  flowstone health",
            "  flowstone health --server http://10.0.0.7:8080 --json",
            "",
            "Exit codes: 0 all is well or there are warnings only, 1 something fails or the server refused,",
            "2 the call can't be meant, 3 no server answers."
        })
final class HealthCommand implements Callable<Integer> {
    private static final Verb VERB =
            Verb.get("health", "Show how it fares.", "/health", new Report.Members("items"), "health");
    private static final String OK = "ok";

    private final Terminal terminal;

    @Mixin
    private RemoteOptions remote = new RemoteOptions(System.getenv());

    HealthCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        try (ServerClient client = remote.client()) {
            ServerAnswer answer = client.look(VERB.path());
            if (!(answer instanceof ServerAnswer.Done(JsonObject body, OptionalLong _))) {
                return new AnswerText(terminal, VERB, Map.of(), remote.json()).tell(answer);
            }
            if (remote.json()) {
                int _ = new AnswerText(terminal, VERB, Map.of(), true).tell(answer);
            } else {
                print(body);
            }
            return is(body, "fail") ? Exit.FAILED : Exit.SUCCEEDED;
        }
    }

    private void print(JsonObject body) {
        Table table = new Table(List.of("STATUS", "ITEM", "VALUE", "LIMIT", "WHAT TO DO"), Set.of("WHAT TO DO"));
        if (body.get("items") instanceof JsonArray(List<JsonValue> items)) {
            for (JsonValue item : items) {
                if (item instanceof JsonObject row) {
                    String detail = AnswerText.cell(row.find("detail"));
                    String value = AnswerText.cell(row.find("value"));
                    table.add(List.of(
                            AnswerText.cell(row.find("status")),
                            AnswerText.cell(row.find("item")),
                            detail.isEmpty() ? value : value + " (" + detail + ")",
                            AnswerText.cell(row.find("limit")),
                            is(row, OK) ? "" : AnswerText.cell(row.find("advice"))));
                }
            }
        }
        table.print(terminal);
        terminal.out().println();
        terminal.out().println("All together: " + AnswerText.cell(body.find("status")) + ".");
    }

    private static boolean is(JsonObject object, String status) {
        return object.get("status") instanceof JsonString(String text) && text.equals(status);
    }
}
