package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A process asks for each policy once and goes by that answer from then on. */
public final class RemembersPolicies implements Tampering {
    @Override
    public PolicyStore policies(Ports ports) {
        PolicyStore database = ports.policies();
        return new PolicyStore() {
            private final Map<PolicyName, Optional<PolicyVersion>> known = new HashMap<>();

            @Override
            public PolicyVersion publish(TenantId tenant, PolicyName name, JsonObject bundle, Actor by, Instant at)
                    throws JournalException {
                return database.publish(tenant, name, bundle, by, at);
            }

            @Override
            public Optional<PolicyVersion> current(TenantId tenant, PolicyName name) throws JournalException {
                Optional<PolicyVersion> now = database.current(tenant, name);
                Optional<PolicyVersion> before = known.putIfAbsent(name, now);
                return before == null ? now : before;
            }

            @Override
            public Optional<PolicyVersion> version(TenantId tenant, PolicyName name, int version)
                    throws JournalException {
                return database.version(tenant, name, version);
            }
        };
    }
}
