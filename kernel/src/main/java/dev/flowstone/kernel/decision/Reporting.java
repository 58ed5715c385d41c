package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Failure;
import dev.flowstone.kernel.state.Parentage;
import java.util.Optional;

/** A child tells its parent how it ended, once: with its final event (R22). */
final class Reporting {
    private Reporting() {}

    static void ended(Deciding deciding) {
        Draft state = deciding.state();
        Optional<Parentage> parentage = state.post().parentage().filter(known -> !known.detached());
        if (parentage.isEmpty()) {
            return;
        }
        Optional<TaskError> error = state.failure().map(Failure::error).or(() -> stopped(state));
        Ended ended = switch (state.status()) {
            case SUCCEEDED -> Ended.SUCCEEDED;
            case FAILED -> Ended.FAILED;
            case CANCELED, TERMINATED -> Ended.CANCELED;
            case RUNNING, FAILING, COMPENSATING, CANCELING ->
                throw new IllegalStateException("not over: " + state.status());
        };
        deciding.send(
                parentage.get().parent(),
                new Message.ChildSettled(
                        parentage.get().activation(),
                        ended,
                        state.output().orElse(Payload.of(JsonNull.NULL)),
                        ended == Ended.SUCCEEDED
                                ? Optional.empty()
                                : error.map(it -> new Message.Reason(it.code(), it.message(), it.details()))));
    }

    /** Somebody has ended it. */
    private static Optional<TaskError> stopped(Draft state) {
        return Optional.ofNullable(state.control().canceling())
                .map(why -> TaskError.of("CHILD_" + state.status(), why.reason()));
    }
}
