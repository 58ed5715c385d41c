package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.http.Percent;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Shows a server's execution from its first event to its last, waiting for those to come if that is wanted. */
final class RemoteFollower {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int PAGE = 200;

    private final PatientReader reader;
    private final ServerCall look;
    private final EventPrinter printer;
    private final AnswerText answers;
    private Optional<String> place = Optional.empty();
    private long told;

    RemoteFollower(PatientReader reader, String run, EventPrinter printer, AnswerText answers) {
        this.reader = reader;
        this.look = ServerCall.of("GET", "/executions/" + Percent.segment(run));
        this.printer = printer;
        this.answers = answers;
    }

    /**
     * Answers the exit code: that of the execution if it is over.
     *
     * @param wait whether for events that there are not yet
     */
    int follow(boolean wait) throws InterruptedException {
        while (true) {
            // First how it stands, then the events: what is over has no more of them than are there now.
            ServerAnswer answer = reader.read(look);
            if (!(answer instanceof ServerAnswer.Done(JsonObject execution, OptionalLong _))) {
                return answers.tell(answer);
            }
            RunEnd end = RunEnd.of(execution);
            if (end.lastSequence() > told) {
                Optional<ServerAnswer> refused = tell();
                if (refused.isPresent()) {
                    return answers.tell(refused.get());
                }
            }
            if (end.isOver() || !wait) {
                printer.result(end);
                return end.isOver() && !end.succeeded() ? Exit.FAILED : Exit.SUCCEEDED;
            }
            Thread.sleep(PAUSE);
        }
    }

    /** Tells the events that there are and were not told; answers what kept it from that. */
    private Optional<ServerAnswer> tell() throws InterruptedException {
        while (true) {
            ServerCall page = look.asking("include", "events").asking("limit", Integer.toString(PAGE));
            ServerAnswer answer =
                    reader.read(place.map(it -> page.asking("eventsAfter", it)).orElse(page));
            if (!(answer instanceof ServerAnswer.Done(JsonObject execution, OptionalLong _))) {
                return Optional.of(answer);
            }
            JsonObject events = execution.get("events") instanceof JsonObject it ? it : JsonObject.EMPTY;
            for (JsonObject event : AnswerText.items(events)) {
                long sequence = AnswerText.number(event, "sequence_number");
                if (sequence > told) {
                    printer.event(event);
                    told = sequence;
                }
            }
            if (!(events.get("next") instanceof JsonString(String next))) {
                // A page that isn't full has no place behind it: it is read again when there is more.
                return Optional.empty();
            }
            place = Optional.of(next);
        }
    }
}
