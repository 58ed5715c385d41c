package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Calls a handler and turns whatever it does into what the server is told: an error of the virtual machine, too. */
final class Execution implements Runnable {
    private static final int LONGEST_MESSAGE = 2_000;
    private static final int LONGEST_CODE = 200;

    private final Held held;
    private final Registry registry;
    private final JsonMapper json;
    private final Meter meter;
    private final Ended ended;

    Execution(Held held, Registry registry, JsonMapper json, Meter meter, Ended ended) {
        this.held = requireNonNull(held);
        this.registry = requireNonNull(registry);
        this.json = requireNonNull(json);
        this.meter = requireNonNull(meter);
        this.ended = requireNonNull(ended);
    }

    /** Is told, on the handler's thread, how it ended. */
    @FunctionalInterface
    interface Ended {
        void ended(Held held, boolean worked, byte[] answer);
    }

    @Override
    public void run() {
        held.begins(Thread.currentThread());
        meter.begins(held.offer.action());
        long begin = System.nanoTime();
        boolean worked = true;
        byte[] answer;
        try {
            @Nullable Object output = registry.call(held, json);
            answer = ok(output);
        } catch (TaskSkipped e) {
            answer = bytes(held.offer.named(json).put("skipped", cut(e.reason(), LONGEST_MESSAGE)));
        } catch (TaskFailure e) {
            worked = false;
            answer = failed(e);
        } catch (Exception | Error e) {
            worked = false;
            answer = failed(TaskFailure.retryable("HANDLER_THREW", described(e)));
        }
        meter.ends(held.offer.action(), worked, System.nanoTime() - begin);
        if (held.ends()) {
            ended.ended(held, worked, answer);
        }
        held.through();
    }

    private byte[] ok(@Nullable Object output) throws TaskFailure {
        try {
            ObjectNode answer = held.offer.named(json);
            answer.set("output", json.valueToTree(output));
            if (!held.links().isEmpty()) {
                answer.set("links", Task.links(json, held.links()));
            }
            return bytes(answer);
        } catch (RuntimeException | StackOverflowError e) {
            // A getter that throws, a circle, a type that Jackson doesn't know.
            throw TaskFailure.permanent("OUTPUT_NOT_JSON", "the output can't be written as JSON: " + described(e));
        }
    }

    private byte[] failed(TaskFailure failure) {
        return failed(held, failure, json);
    }

    /** A failure as the server is told. Details that can't be written are left out. */
    static byte[] failed(Held held, TaskFailure failure, JsonMapper json) {
        ObjectNode error =
                json.createObjectNode().put("code", name(failure.code())).put("message", message(failure.message()));
        details(failure.details(), json).ifPresent(details -> error.set("details", details));
        ObjectNode answer =
                held.offer.named(json).put("errorClass", failure.errorClass().wire());
        answer.set("error", error);
        failure.retryAfter()
                .ifPresent(wait -> answer.put(
                        "retryAfterSeconds", Math.clamp(wait.plusMillis(999).toSeconds(), 0, 7 * 24 * 3_600)));
        return json.writeValueAsBytes(answer);
    }

    private static Optional<ObjectNode> details(Map<String, Object> details, JsonMapper json) {
        try {
            return !details.isEmpty() && json.valueToTree(details) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (RuntimeException | StackOverflowError e) {
            return Optional.empty();
        }
    }

    private byte[] bytes(ObjectNode answer) {
        return json.writeValueAsBytes(answer);
    }

    /** Without its stack trace: events are no log. */
    private static String described(Throwable thrown) {
        String name = thrown.getClass().getName();
        return thrown.getMessage() == null ? name : name + ": " + thrown.getMessage();
    }

    private static String name(String code) {
        String clean = cut(code, LONGEST_CODE).replaceAll("\\p{Cntrl}", " ");
        return clean.isBlank() ? "FAILED" : clean;
    }

    private static String message(String text) {
        String kept = cut(text, LONGEST_MESSAGE);
        return kept.isBlank() ? "no message" : kept;
    }

    /** At most so many characters, and a replacement for what has no UTF-8 form. */
    private static String cut(String text, int most) {
        int end = Math.min(text.length(), most);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        StringBuilder kept = new StringBuilder(end);
        text.substring(0, end)
                .codePoints()
                .forEach(c -> kept.appendCodePoint(
                        c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '\ufffd' : c));
        return kept.toString();
    }
}
