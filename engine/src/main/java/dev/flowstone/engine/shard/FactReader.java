package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Fetches what the decisions of a batch asked for: each thing once, however many turns want it (R1). */
final class FactReader {
    private final PayloadCache payloads;
    private final WorkflowStore workflows;
    private final PolicyStore policies;

    FactReader(PayloadCache payloads, WorkflowStore workflows, PolicyStore policies) {
        this.policies = policies;
        this.payloads = payloads;
        this.workflows = workflows;
    }

    /** Gives each turn its facts; one whose fact is gone for good is broken off. */
    void fetch(Map<Turn, Set<Fact>> asking) throws JournalException {
        Map<TenantId, Map<Sha256, JsonValue>> values = values(asking);
        Map<Called, JsonValue> programs = new HashMap<>();
        Map<Ruled, JsonValue> bundles = new HashMap<>();
        for (Map.Entry<Turn, Set<Fact>> entry : asking.entrySet()) {
            Turn turn = entry.getKey();
            for (Fact fact : entry.getValue()) {
                if (turn.facts().containsKey(fact)) {
                    continue;
                }
                JsonValue value = switch (fact) {
                    case Fact.StoredValue stored ->
                        values.getOrDefault(turn.key.tenant(), Map.of()).get(stored.hash());
                    case Fact.CalledProgram called -> {
                        Called key = new Called(turn.key.tenant(), called);
                        JsonValue known = programs.get(key);
                        if (known == null) {
                            known = program(key);
                            programs.put(key, known);
                        }
                        yield known;
                    }
                    case Fact.Policy policy -> {
                        Ruled key = new Ruled(turn.key.tenant(), policy.bundle());
                        JsonValue known = bundles.get(key);
                        if (known == null) {
                            known = bundle(key);
                            bundles.put(key, known);
                        }
                        yield known;
                    }
                };
                if (value == null) {
                    turn.breakOff("the fact " + fact + " is missing or damaged");
                    break;
                }
                turn.learn(fact, value);
            }
        }
    }

    /** Payloads that come with the turns themselves aren't in the store yet. */
    private Map<TenantId, Map<Sha256, JsonValue>> values(Map<Turn, Set<Fact>> asking) throws JournalException {
        Map<TenantId, Set<Sha256>> missing = new HashMap<>();
        asking.forEach((turn, facts) -> {
            for (Fact fact : facts) {
                if (fact instanceof Fact.StoredValue stored) {
                    StoredPayload carried = turn.carried(stored.hash());
                    if (carried != null) {
                        turn.learn(fact, payloads.keep(turn.key.tenant(), carried));
                    } else {
                        missing.computeIfAbsent(turn.key.tenant(), tenant -> new LinkedHashSet<>())
                                .add(stored.hash());
                    }
                }
            }
        });
        Map<TenantId, Map<Sha256, JsonValue>> found = new HashMap<>();
        for (Map.Entry<TenantId, Set<Sha256>> ofTenant : missing.entrySet()) {
            found.put(ofTenant.getKey(), payloads.read(ofTenant.getKey(), ofTenant.getValue()));
        }
        return found;
    }

    private record Ruled(TenantId tenant, PolicyName policy) {}

    /** Null if nothing was published under this name. */
    private JsonValue bundle(Ruled ruled) throws JournalException {
        return policies.current(ruled.tenant(), ruled.policy())
                .<JsonValue>map(it -> JsonObject.builder()
                        .put("version", it.version())
                        .put("hash", it.hash().toString())
                        .put("bundle", it.bundle())
                        .build())
                .orElse(JsonNull.NULL);
    }

    private record Called(TenantId tenant, Fact.CalledProgram fact) {}

    /** Null if there is no such version, or nothing of the workflow may be started. */
    private JsonValue program(Called called) throws JournalException {
        Fact.CalledProgram fact = called.fact();
        Optional<WorkflowRow> row = workflows.find(called.tenant(), fact.workflow());
        if (row.isEmpty() || !row.get().enabled() || row.get().status() != WorkflowStatus.ACTIVE) {
            return JsonNull.NULL;
        }
        int version = fact.version().orElse(row.get().currentVersion());
        Optional<WorkflowVersion> found = workflows.version(called.tenant(), fact.workflow(), version);
        return found.<JsonValue>map(it -> JsonObject.builder()
                        .put("version", it.version())
                        .put("program", it.program().toString())
                        .build())
                .orElse(JsonNull.NULL);
    }
}
