package dev.flowstone.engine.start;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;
import java.util.Optional;

/**
 * A start whose version has been resolved at the border.
 *
 * @param version 0 for a draft's program
 * @param requestId makes it repeatable: the same id of the same tenant meets the run that was started before
 * @param input by root name: {@code trigger}, {@code spec}
 * @param requested what else the caller said
 * @param subject what the run is about; its request id is then one of this subject's
 */
public record StartRequest(
        TenantId tenant,
        WorkflowId workflow,
        int version,
        Sha256 program,
        Optional<String> requestId,
        Map<String, JsonValue> input,
        Actor actor,
        String correlation,
        Requested requested,
        Optional<SubjectBinding> subject) {
    /** A start of a run that is about nothing in particular. */
    public StartRequest(
            TenantId tenant,
            WorkflowId workflow,
            int version,
            Sha256 program,
            Optional<String> requestId,
            Map<String, JsonValue> input,
            Actor actor,
            String correlation,
            Requested requested) {
        this(tenant, workflow, version, program, requestId, input, actor, correlation, requested, Optional.empty());
    }

    public StartRequest(
            TenantId tenant,
            WorkflowId workflow,
            int version,
            Sha256 program,
            Optional<String> requestId,
            Map<String, JsonValue> input,
            Actor actor,
            String correlation) {
        this(tenant, workflow, version, program, requestId, input, actor, correlation, Requested.NOTHING);
    }

    public StartRequest {
        requireNonNull(tenant);
        requireNonNull(workflow);
        requireNonNull(program);
        requireNonNull(requestId);
        input = Map.copyOf(input);
        requireNonNull(actor);
        requireNonNull(correlation);
        requireNonNull(requested);
        requireNonNull(subject);
    }

    /** The same, about a subject. */
    public StartRequest about(SubjectBinding binding) {
        return new StartRequest(
                tenant,
                workflow,
                version,
                program,
                requestId,
                input,
                actor,
                correlation,
                requested,
                Optional.of(binding));
    }
}
