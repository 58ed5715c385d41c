package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.client.ServerClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads a list to its end, or to the item that is meant, page by page. */
final class Pages {
    /** A server's most. */
    private static final int PAGE = 200;

    /** Rows under one line of titles; more begin another table, so that a list of any length fits into memory. */
    private static final int MOST_ROWS = 5_000;

    private final ServerClient client;
    private final ServerCall list;
    private final AnswerText answers;

    Pages(ServerClient client, ServerCall list, AnswerText answers) {
        this.client = client;
        this.list = list;
        this.answers = answers;
    }

    /** Looks for the item of which this member says so. */
    int one(String member, String wanted) throws InterruptedException {
        ServerCall call = list;
        while (true) {
            ServerAnswer answer = client.call(call);
            if (!(answer instanceof ServerAnswer.Done(JsonObject page, OptionalLong _))) {
                return answers.tell(answer);
            }
            Optional<JsonObject> found = AnswerText.items(page).stream()
                    .filter(item -> item.find(member)
                            .map(AnswerText::plain)
                            .filter(wanted::equals)
                            .isPresent())
                    .findFirst();
            if (found.isPresent()) {
                return answers.show(found.get());
            }
            Optional<String> next = next(page);
            if (next.isEmpty()) {
                return answers.missing(wanted);
            }
            call = call.asking("after", next.get());
        }
    }

    /** Tells every page. */
    int all(Report.Rows rows) throws InterruptedException {
        ServerCall call = list.query().containsKey("limit") ? list : list.asking("limit", Integer.toString(PAGE));
        List<JsonObject> items = new ArrayList<>();
        boolean told = false;
        while (true) {
            ServerAnswer answer = client.call(call);
            if (!(answer instanceof ServerAnswer.Done(JsonObject page, OptionalLong _))) {
                if (!items.isEmpty()) {
                    answers.rows(rows, items);
                }
                return answers.tell(answer);
            }
            items.addAll(AnswerText.items(page));
            Optional<String> next = next(page);
            if (next.isEmpty()) {
                if (!told || !items.isEmpty()) {
                    answers.rows(rows, items);
                }
                return Exit.SUCCEEDED;
            }
            if (items.size() >= MOST_ROWS) {
                answers.rows(rows, items);
                items.clear();
                told = true;
            }
            call = call.asking("after", next.get());
        }
    }

    private static Optional<String> next(JsonObject page) {
        return page.find("next")
                .filter(JsonString.class::isInstance)
                .map(JsonValue.class::cast)
                .map(AnswerText::plain);
    }
}
