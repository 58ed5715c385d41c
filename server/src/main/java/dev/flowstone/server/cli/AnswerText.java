package dev.flowstone.server.cli;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Tells what a server answered: to people in tables and sentences, to machines as it came; with its exit code. */
final class AnswerText {
    private static final Pattern INSTANT = Pattern.compile("^([0-9-]{10}T[0-9:]{8})\\.[0-9]+Z$");
    private static final int UNAUTHENTICATED = 401;

    private final Terminal terminal;
    private final Verb verb;
    private final Map<String, String> words;
    private final boolean json;

    /** @param words the arguments by name */
    AnswerText(Terminal terminal, Verb verb, Map<String, String> words, boolean json) {
        this.terminal = terminal;
        this.verb = verb;
        this.words = Map.copyOf(words);
        this.json = json;
    }

    int tell(ServerAnswer answer) {
        return switch (answer) {
            case ServerAnswer.Done(JsonObject body, OptionalLong _) -> done(body);
            case ServerAnswer.Refused(int status, JsonObject problem) -> refused(status, problem);
            case ServerAnswer.Silent(String reason) -> {
                complain(reason + "; start one with `" + Hints.COMMAND + " serve`, or name it with --server");
                yield Exit.CANNOT_START;
            }
        };
    }

    private int done(JsonObject body) {
        if (json) {
            terminal.out().println(CanonicalJson.exactText(body));
            return Exit.SUCCEEDED;
        }
        switch (verb.report()) {
            case Report.Change _ -> change(body);
            case Report.Fate _ -> fate(body);
            case Report.Rows rows -> page(rows, body);
            case Report.One _, Report.Batches _ -> members(body);
            case Report.Text text -> cell(body.find(text.member())).lines().forEach(this::say);
            case Report.Members members ->
                members(body.get(members.member()) instanceof JsonObject object ? object : JsonObject.EMPTY);
        }
        return Exit.SUCCEEDED;
    }

    private void change(JsonObject body) {
        if (body.members().isEmpty()) {
            say("Done.");
            return;
        }
        if (body.get("events") == null) {
            members(body);
            return;
        }
        if (is(body, "repeated")) {
            say("Was done before under this idempotency key; nothing is done again.");
        } else if (is(body, "buffered")) {
            say("Recorded: the run is suspended, and decides it when it is resumed.");
        } else if (body.get("events") instanceof JsonArray(List<JsonValue> events) && events.isEmpty()) {
            say("Nothing to do: it is so already.");
        } else {
            say("Done: " + cell(body.find("events")) + " (event " + cell(body.find("lastSeq")) + ").");
        }
        if (is(body, "settled")) {
            say(cell(body.find("activation")) + " is settled: " + cell(body.find("outcome")) + ".");
        }
    }

    private void fate(JsonObject body) {
        String fate = cell(body.find("fate"));
        say(
                switch (fate) {
                    case "delivered" -> "Delivered.";
                    case "kept" -> "Kept until somebody waits for it.";
                    case "unheard" -> "Nobody waits for it; it is dropped.";
                    case "duplicate" -> "Dropped: one of the same --dedupe came before.";
                    case "repeated" -> "Was sent before under this idempotency key; nothing is done again.";
                    default -> fate;
                });
    }

    private void page(Report.Rows rows, JsonObject body) {
        rows(rows, items(body));
        if (body.get("next") instanceof JsonString(String next)) {
            terminal.err().println(terminal.dim("More: --after " + Printable.text(next) + ", or --all"));
        }
    }

    /** Several of a list. */
    void rows(Report.Rows rows, List<JsonObject> items) {
        if (json) {
            items.forEach(item -> terminal.out().println(CanonicalJson.exactText(item)));
            return;
        }
        if (items.isEmpty()) {
            terminal.err().println(rows.none());
            return;
        }
        Table table = new Table(
                rows.columns().stream().map(Column::title).toList(),
                rows.columns().stream()
                        .filter(Column::isWhole)
                        .map(Column::title)
                        .collect(toSet()));
        for (JsonObject item : items) {
            table.add(rows.columns().stream()
                    .map(column -> cell(item.find(column.member())))
                    .map(AnswerText::toTheSecond)
                    .toList());
        }
        table.print(terminal);
    }

    /** An instant, without what nobody reads of it in a table; anything else as it is. */
    private static String toTheSecond(String cell) {
        return INSTANT.matcher(cell).replaceFirst("$1Z");
    }

    /** One thing, whole. */
    int show(JsonObject item) {
        if (json) {
            terminal.out().println(CanonicalJson.exactText(item));
        } else {
            members(item);
        }
        return Exit.SUCCEEDED;
    }

    int missing(String wanted) {
        complain("there is no '" + wanted + "' open in run " + words.getOrDefault("id", ""));
        return Exit.FAILED;
    }

    private void members(JsonObject object) {
        int width = object.members().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        if (width == 0) {
            terminal.err().println("Nothing.");
        }
        object.members().forEach((name, value) -> {
            String label = Printable.text(name) + " ".repeat(width - name.length());
            terminal.out()
                    .println((terminal.dim(label) + "  " + Printable.text(cell(Optional.of(value)))).stripTrailing());
        });
    }

    private int refused(int status, JsonObject problem) {
        if (json) {
            terminal.out().println(CanonicalJson.exactText(problem));
        }
        String code = cell(problem.find("code"));
        complain(cell(problem.find("detail")) + (code.isEmpty() ? " (" + status + ")" : " (" + code + ")"));
        if (problem.get("faults") instanceof JsonArray(List<JsonValue> faults)) {
            for (JsonValue fault : faults) {
                if (fault instanceof JsonObject each) {
                    terminal.err()
                            .println("    "
                                    + Printable.text(cell(each.find("pointer")) + ": " + cell(each.find("message"))
                                            + " → " + cell(each.find("remedy"))));
                }
            }
        }
        if (status == UNAUTHENTICATED) {
            terminal.err().println("    → " + remedy(cell(problem.find("detail"))));
        }
        if (ProblemCode.of(code).isPresent()) {
            terminal.err().println(terminal.dim("What it means: ") + Hints.COMMAND + " explain " + code);
        }
        return RemoteExit.of(status);
    }

    /** What a caller does about the word with which the server begins (docs/security.md). */
    private static String remedy(String detail) {
        if (detail.startsWith("TOKEN_NOT_YET_VALID")) {
            return "wait, or set the clocks right";
        }
        String which = detail.startsWith("TOKEN_EXPIRED")
                ? "get a new token from the issuer and put it"
                : detail.startsWith("TOKEN_")
                        ? "get a token of the kind that the server takes and put it"
                        : "put the server's token";
        return which + " into the variable " + RemoteOptions.TOKEN;
    }

    private void say(String sentence) {
        terminal.out().println(Printable.text(sentence));
    }

    void complain(String sentence) {
        terminal.err().println(terminal.red("flowstone:") + " " + Printable.text(sentence));
    }

    static List<JsonObject> items(JsonObject page) {
        return page.get("items") instanceof JsonArray(List<JsonValue> items)
                ? items.stream()
                        .filter(JsonObject.class::isInstance)
                        .map(JsonObject.class::cast)
                        .toList()
                : List.of();
    }

    private static boolean is(JsonObject object, String member) {
        return JsonBoolean.of(true).equals(object.get(member));
    }

    static String cell(Optional<JsonValue> value) {
        return value.map(it -> it instanceof JsonArray(List<JsonValue> items)
                        ? items.stream().map(AnswerText::plain).collect(joining(", "))
                        : plain(it))
                .orElse("");
    }

    /** A whole number of an answer; 0 where there is none. */
    static long number(JsonObject body, String member) {
        return body.get(member) instanceof JsonNumber number ? number.longValue() : 0;
    }

    /** A text as it is, anything else as JSON, nothing as nothing. */
    static String plain(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> text;
            case JsonNull _ -> "";
            default -> CanonicalJson.exactText(value);
        };
    }
}
