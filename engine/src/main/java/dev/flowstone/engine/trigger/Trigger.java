package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * What starts executions of a workflow.
 *
 * @param revision grows with each change of the trigger; not with its workflow's
 * @param enabled whether it is to fire while its workflow takes executions
 * @param config of the kind's own form, without secrets
 * @param secrets how many sign its deliveries
 * @param condition under which it starts something; empty for always
 */
public record Trigger(
        TriggerKey key,
        long revision,
        Target target,
        TriggerKind kind,
        boolean enabled,
        JsonObject config,
        int secrets,
        Optional<String> condition,
        Mark created,
        Mark changed) {
    public Trigger {
        requireNonNull(key);
        requireNonNull(target);
        requireNonNull(kind);
        requireNonNull(config);
        requireNonNull(condition);
        requireNonNull(created);
        requireNonNull(changed);
    }

    /** What it starts, as it was when the trigger was read. */
    public record Target(WorkflowId workflow, WorkflowStatus status, boolean enabled) {
        public Target {
            requireNonNull(workflow);
            requireNonNull(status);
        }

        /** Whether it takes executions. */
        public boolean isOpen() {
            return status == WorkflowStatus.ACTIVE && enabled;
        }
    }

    /** When, and by whom. */
    public record Mark(Instant at, Actor by) {
        public Mark {
            requireNonNull(at);
            requireNonNull(by);
        }
    }

    /** Whether it fires now. */
    public boolean fires() {
        return enabled && target.isOpen();
    }
}
