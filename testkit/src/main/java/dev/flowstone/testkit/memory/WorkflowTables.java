package dev.flowstone.testkit.memory;

import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The tables that hold definitions. Guarded by its own monitor. */
final class WorkflowTables {
    final NavigableMap<WorkflowKey, WorkflowRow> rows = new TreeMap<>();
    final Map<VersionKey, WorkflowVersion> versions = new HashMap<>();
    final Map<ProgramKey, byte[]> programs = new HashMap<>();

    record WorkflowKey(TenantId tenant, WorkflowId workflow) implements Comparable<WorkflowKey> {
        private static final Comparator<WorkflowKey> ORDER =
                Comparator.comparing(WorkflowKey::tenant).thenComparing(WorkflowKey::workflow);

        @Override
        public int compareTo(WorkflowKey other) {
            return ORDER.compare(this, other);
        }
    }

    record VersionKey(WorkflowKey workflow, int version) {}

    record ProgramKey(TenantId tenant, Sha256 hash) {}
}
