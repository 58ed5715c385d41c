package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.control.SettingMode;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;
import java.util.Map;

/**
 * Which due messages are asked for.
 *
 * @param limit in all
 * @param each of one destination that isn't among {@code of}
 * @param of by destination; 0 for none
 * @param scopes settings in force, of which the narrowest counts for a run; empty if none of them suspends anything
 */
public record Wanted(int limit, int each, Map<String, Integer> of, List<ScopeSetting> scopes) {
    public Wanted {
        of = Map.copyOf(of);
        scopes = List.copyOf(scopes);
    }

    /** Of all destinations, and nothing is held. */
    public static Wanted all(int limit) {
        return new Wanted(limit, limit, Map.of(), List.of());
    }

    /** The settings in force, if any of them suspends something. */
    static List<ScopeSetting> suspending(SettingLog log) {
        if (log.isEmpty()) {
            return List.of();
        }
        List<ScopeSetting> inForce = List.copyOf(log.inForce());
        return inForce.stream().anyMatch(setting -> setting.mode() == SettingMode.SUSPEND) ? inForce : List.of();
    }

    /** Of one destination. */
    public int of(String destination) {
        return of.getOrDefault(requireNonNull(destination), each);
    }

    /** Whether a workflow's runs are suspended by their scope. */
    public boolean suspends(TenantId tenant, WorkflowId workflow) {
        int narrowest = 0;
        boolean suspended = false;
        for (ScopeSetting setting : scopes) {
            boolean applies = setting.scope().tenantId().map(tenant::equals).orElse(true)
                    && setting.scope().workflowId().map(workflow::equals).orElse(true);
            int depth = 1
                    + (setting.scope().tenantId().isPresent() ? 1 : 0)
                    + (setting.scope().workflowId().isPresent() ? 1 : 0);
            if (applies && depth > narrowest) {
                narrowest = depth;
                suspended = setting.mode() == SettingMode.SUSPEND;
            }
        }
        return suspended;
    }
}
