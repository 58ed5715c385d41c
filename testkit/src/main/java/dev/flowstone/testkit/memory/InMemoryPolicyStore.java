package dev.flowstone.testkit.memory;

import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Policies in memory, as the database keeps them. */
final class InMemoryPolicyStore implements PolicyStore {
    private final Map<Key, List<PolicyVersion>> policies = new HashMap<>();

    private record Key(TenantId tenant, PolicyName name) {}

    @Override
    public synchronized PolicyVersion publish(
            TenantId tenant, PolicyName name, JsonObject bundle, Actor by, Instant at) {
        List<PolicyVersion> versions = policies.computeIfAbsent(new Key(tenant, name), key -> new ArrayList<>());
        Sha256 hash = PolicyVersion.hash(bundle);
        if (!versions.isEmpty() && versions.getLast().hash().equals(hash)) {
            return versions.getLast();
        }
        PolicyVersion version = new PolicyVersion(name, versions.size() + 1, bundle, hash, at, Optional.of(by));
        versions.add(version);
        return version;
    }

    @Override
    public synchronized Optional<PolicyVersion> current(TenantId tenant, PolicyName name) {
        List<PolicyVersion> versions = policies.getOrDefault(new Key(tenant, name), List.of());
        return versions.isEmpty() ? Optional.empty() : Optional.of(versions.getLast());
    }

    @Override
    public synchronized Optional<PolicyVersion> version(TenantId tenant, PolicyName name, int version) {
        List<PolicyVersion> versions = policies.getOrDefault(new Key(tenant, name), List.of());
        return version < 1 || version > versions.size() ? Optional.empty() : Optional.of(versions.get(version - 1));
    }
}
