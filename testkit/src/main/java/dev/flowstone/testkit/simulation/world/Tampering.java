package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.shard.DecisionRule;
import dev.flowstone.engine.task.Transactions;

/**
 * What a test changes about the engine's surroundings so that it breaks a rule: the simulator has to notice. Between the
 * faults and the database, so that the simulator's own observations aren't touched.
 */
public interface Tampering {
    /** Nothing is tampered with. */
    Tampering NONE = new Tampering() {};

    /** The journal that one incarnation of a node gets. */
    default Journal journal(Ports database) {
        return database.journal();
    }

    /** The transactions with subjects that one incarnation of a node gets. */
    default Transactions transactions(Ports database) {
        return database.transactions();
    }

    /** What is set for scopes, as one incarnation of a node gets it. */
    default Settings settings(Ports database) {
        return database.settings();
    }

    /** The published policies, as one incarnation of a node gets them. */
    default PolicyStore policies(Ports database) {
        return database.policies();
    }

    /** How nodes decide. */
    default DecisionRule rule(DecisionRule kernel) {
        return kernel;
    }
}
