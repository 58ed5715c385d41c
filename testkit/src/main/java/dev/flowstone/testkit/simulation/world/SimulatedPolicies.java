package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** One node's way to the published policies: reads of them fail here, and each is watched. */
final class SimulatedPolicies implements PolicyStore {
    private final World world;
    private final SimulatedNode node;
    private final PolicyStore database;

    SimulatedPolicies(World world, SimulatedNode node, PolicyStore database) {
        this.world = world;
        this.node = node;
        this.database = database;
    }

    @Override
    public PolicyVersion publish(TenantId tenant, PolicyName name, JsonObject bundle, Actor by, Instant at)
            throws JournalException {
        return database.publish(tenant, name, bundle, by, at);
    }

    @Override
    public Optional<PolicyVersion> current(TenantId tenant, PolicyName name) throws JournalException {
        world.policies().read(node, name);
        node.strikes().policy();
        return database.current(tenant, name);
    }

    @Override
    public Optional<PolicyVersion> version(TenantId tenant, PolicyName name, int version) throws JournalException {
        return database.version(tenant, name, version);
    }
}
