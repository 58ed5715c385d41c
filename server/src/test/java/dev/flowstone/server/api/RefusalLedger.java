package dev.flowstone.server.api;

import dev.flowstone.kernel.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which refusals the served documents name, and which of them were given to some test: a line for each operation, status and
 * code, once, in {@code target/refusals.txt}. {@code ./flowstone check} removes the file before the tests and fails after them if one
 * that is named was given to nobody (build/Refusals.java).
 */
final class RefusalLedger {
    private static final Path FILE = Path.of("target", "refusals.txt");
    private static final Set<String> WRITTEN = ConcurrentHashMap.newKeySet();

    private RefusalLedger() {}

    /** All that a document names. */
    static void named(JsonObject document) {
        write(Operation.of(document).stream()
                .flatMap(operation -> operation.refusalsByStatus().entrySet().stream()
                        .flatMap(status -> status.getValue().stream()
                                .map(code -> "named " + line(operation.id(), status.getKey(), code))))
                .toList());
    }

    /** A refusal that a test was given, and that is as the document says. */
    static void given(String operation, RestFixture.Answer answer) {
        if (answer.status() >= 400 && !answer.response().body().isEmpty()) {
            given(operation, answer.status(), answer.text("/code"));
        }
    }

    /** One that a test has read by hand. */
    static void given(String operation, int status, String code) {
        write(List.of("given " + line(operation, Integer.toString(status), code)));
    }

    private static String line(String operation, String status, String code) {
        return operation + " " + status + " " + code;
    }

    private static synchronized void write(List<String> lines) {
        List<String> fresh = lines.stream().filter(WRITTEN::add).toList();
        if (fresh.isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, fresh, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
