package dev.flowstone.server.trace;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import java.time.Instant;
import java.util.Optional;

/** One visit of a node, as the events of its run tell it. Belongs to one thread. */
final class NodeTime {
    final ActivationId activation;
    final Instant began;
    Optional<Instant> ended = Optional.empty();
    Optional<String> status = Optional.empty();
    Optional<String> error = Optional.empty();
    Optional<HandlerName> action = Optional.empty();
    int attempts;

    NodeTime(ActivationId activation, Instant began) {
        this.activation = activation;
        this.began = began;
    }

    /** Something happened to it. */
    void heed(EventBody body, Instant at) {
        switch (body) {
            case EventBody.TaskScheduled task -> {
                action = Optional.of(task.handler());
                attempts = task.attempt();
            }
            case EventBody.TaskFailed task -> {
                if (task.settles()) {
                    error = Optional.of(task.error().code());
                    end("failure", at);
                }
            }
            case EventBody.TaskTimedOut task -> {
                if (task.settles()) {
                    error = Optional.of("TIMEOUT");
                    end("failure", at);
                }
            }
            case EventBody.TaskCompleted _ -> end("success", at);
            case EventBody.TaskSkipped _, EventBody.ActivationSkipped _ -> end("skipped", at);
            case EventBody.ActivationCanceled _ -> end("canceled", at);
            case EventBody.Transitioned gone -> end(gone.outcome().name(), at);
            default -> {}
        }
    }

    /** Once: what comes later is what followed. */
    private void end(String how, Instant at) {
        if (ended.isEmpty()) {
            ended = Optional.of(at);
            status = Optional.of(how);
        }
    }

    /** Whose visit an event is about, of those that say something of its times. */
    static Optional<ActivationId> of(EventBody body) {
        return switch (body) {
            case EventBody.ActivationOpened opened -> Optional.of(opened.activation());
            case EventBody.TaskScheduled task -> Optional.of(task.activation());
            case EventBody.TaskFailed task -> Optional.of(task.activation());
            case EventBody.TaskTimedOut task -> Optional.of(task.activation());
            case EventBody.TaskCompleted task -> Optional.of(task.activation());
            case EventBody.TaskSkipped task -> Optional.of(task.activation());
            case EventBody.ActivationSkipped skipped -> Optional.of(skipped.activation());
            case EventBody.ActivationCanceled canceled -> Optional.of(canceled.activation());
            case EventBody.Transitioned gone -> Optional.of(gone.activation());
            default -> Optional.empty();
        };
    }
}
