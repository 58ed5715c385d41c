package dev.flowstone.testkit.scenario;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A program in a workflow store, as a version of its workflow, ready to be started. */
public record Published(TenantId tenant, Program program, Sha256 hash, int version) {
    public Published {
        requireNonNull(tenant);
        requireNonNull(program);
        requireNonNull(hash);
    }

    /** Stores the program, unless it is there. */
    public static Published in(WorkflowStore store, TenantId tenant, Program program, Instant now) {
        byte[] bytes = ProgramCodec.encode(program);
        Sha256 hash = Sha256.digest(bytes);
        WorkflowRow row = new WorkflowRow(
                tenant,
                program.workflow(),
                program.workflow().value(),
                Optional.empty(),
                WorkflowStatus.ACTIVE,
                true,
                1,
                1,
                Optional.empty(),
                now,
                now,
                0);
        WorkflowVersion version = new WorkflowVersion(tenant, program.workflow(), 1, bytes, hash, hash, bytes, now);
        try {
            if (store.program(tenant, hash).isEmpty()
                    && store.save(row, 0, Optional.of(version)).isEmpty()) {
                throw new IllegalStateException("the workflow " + program.workflow() + " exists with another program");
            }
        } catch (JournalException e) {
            throw new IllegalStateException("the program can't be stored", e);
        }
        return new Published(tenant, program, hash, 1);
    }

    /** Stores the program as the next version of a workflow that is there, and makes it the current one. */
    public static Published next(WorkflowStore store, TenantId tenant, Program program, Instant now) {
        byte[] bytes = ProgramCodec.encode(program);
        Sha256 hash = Sha256.digest(bytes);
        try {
            WorkflowRow row = store.find(tenant, program.workflow())
                    .orElseThrow(() -> new IllegalStateException("there is no workflow " + program.workflow()));
            int number = row.latestVersion() + 1;
            WorkflowVersion version =
                    new WorkflowVersion(tenant, program.workflow(), number, bytes, hash, hash, bytes, now);
            WorkflowRow current = new WorkflowRow(
                    tenant,
                    row.id(),
                    row.displayName(),
                    row.description(),
                    row.status(),
                    row.enabled(),
                    number,
                    number,
                    row.draft(),
                    row.createdAt(),
                    now,
                    row.revision());
            if (store.save(current, row.revision(), Optional.of(version)).isEmpty()) {
                throw new IllegalStateException("somebody else publishes the workflow " + program.workflow());
            }
            return new Published(tenant, program, hash, number);
        } catch (JournalException e) {
            throw new IllegalStateException("the program can't be stored", e);
        }
    }

    public StartRequest start() {
        return start(Optional.empty(), Map.of());
    }

    public StartRequest start(String requestId) {
        return start(Optional.of(requestId), Map.of());
    }

    public StartRequest start(Optional<String> requestId, Map<String, JsonValue> input) {
        return new StartRequest(
                tenant,
                program.workflow(),
                version,
                hash,
                requestId,
                input,
                new Actor("user", "tester"),
                "a correlation");
    }
}
