package dev.flowstone.server.cli;

import static java.util.stream.Collectors.joining;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.client.ServerAnswer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls a batch route until it has nothing more, and tells each batch as soon as it is done. All batches do the same: a version
 * that the caller left open is the one that the first answer names. Whoever interrupts it has read where to go on, and a batch
 * that is repeated does no harm.
 */
final class Batches {
    private static final String AFTER = "after";
    private static final String VERSION = "version";
    private static final List<String> COUNTED = List.of("moved", "possible", "skipped", "refused");

    private final Terminal terminal;
    private final AnswerText answers;
    private final boolean json;
    private final Report.Batches report;
    private final Map<String, Long> sums = new LinkedHashMap<>();

    Batches(Terminal terminal, AnswerText answers, boolean json, Report.Batches report) {
        this.terminal = terminal;
        this.answers = answers;
        this.json = json;
        this.report = report;
    }

    /** One call. */
    @FunctionalInterface
    interface Page {
        ServerAnswer call(JsonObject body) throws InterruptedException;
    }

    /** Succeeds if every run of every batch can do, or has done, what is asked. */
    int run(JsonObject asked, Page route) throws InterruptedException {
        Map<String, JsonValue> body = new LinkedHashMap<>(asked.members());
        long most = body.remove(report.most()) instanceof JsonNumber number ? number.longValue() : Long.MAX_VALUE;
        for (long batch = 1; batch <= most; batch++) {
            ServerAnswer answer = route.call(JsonObject.of(body));
            if (!(answer instanceof ServerAnswer.Done(JsonObject page, OptionalLong _))) {
                int exit = answers.tell(answer);
                if (body.get(AFTER) instanceof JsonString(String last)) {
                    answers.complain("what was done before stays done; go on with --after " + last
                            + (asked.get(VERSION) == null ? pinned(body.get(VERSION)) : ""));
                }
                return exit;
            }
            if (page.get("toVersion") instanceof JsonNumber chosen) {
                // Somebody may publish another one meanwhile.
                body.putIfAbsent(VERSION, chosen);
            }
            tell(batch, page, asked.get(VERSION) == null ? pinned(body.get(VERSION)) : "");
            if (!(page.get("next") instanceof JsonString next)) {
                break;
            }
            body.put(AFTER, next);
        }
        if (!json) {
            terminal.out().println(Printable.text("In all: " + counts(sums) + "."));
        }
        return sums.getOrDefault("refused", 0L) == 0 ? Exit.SUCCEEDED : Exit.FAILED;
    }

    /** What whoever goes on by hand has to say too. */
    private static String pinned(@Nullable JsonValue version) {
        return version instanceof JsonNumber number ? " --version " + number.longValue() : "";
    }

    private void tell(long batch, JsonObject page, String pinned) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String name : COUNTED) {
            if (page.get(name) instanceof JsonNumber number) {
                counts.put(name, number.longValue());
                sums.merge(name, number.longValue(), Long::sum);
            }
        }
        if (json) {
            terminal.out().println(CanonicalJson.exactText(page));
            return;
        }
        String next = page.get("next") instanceof JsonString(String run) ? "; on with --after " + run + pinned : "";
        terminal.out().println(Printable.text("Batch " + batch + ": " + counts(counts)) + terminal.dim(next));
        for (JsonObject item : AnswerText.items(page)) {
            if (item.get("code") != null) {
                terminal.out()
                        .println(Printable.text("  " + AnswerText.cell(item.find("executionId")) + "  v"
                                + AnswerText.cell(item.find("fromVersion")) + "  "
                                + AnswerText.cell(item.find("code")) + ": "
                                + AnswerText.cell(item.find("reasons"))));
            }
        }
    }

    /** {@code 49 moved, 1 already there}. */
    private static String counts(Map<String, Long> counts) {
        if (counts.isEmpty()) {
            return "nothing";
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + word(entry.getKey()))
                .collect(joining(", "));
    }

    private static String word(String outcome) {
        return switch (outcome) {
            case "possible" -> "can be moved";
            case "skipped" -> "already there";
            case "refused" -> "can't be moved";
            default -> outcome;
        };
    }
}
