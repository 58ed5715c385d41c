package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.PolicyDecision;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.Policies;
import dev.flowstone.kernel.policy.PolicyEvaluator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * R1: every decision names the version of a policy that was the published one when it was read, and that is the one of its
 * round; and only a decision asks, so that replaying a history asks none.
 */
public final class PolicyBook {
    /** Of bundles that every process evaluates. */
    public static final String RULES = "rules";

    /** Of bundles that a process may lack the evaluator of; their form is that of rules. */
    public static final String LACKING = "sim";

    private final World world;
    private final PolicyStore store;
    private final Set<Question> open = new HashSet<>();

    PolicyBook(World world, PolicyStore store) {
        this.world = world;
        this.store = store;
    }

    private record Question(String node, PolicyName policy) {}

    /** How a policy may come out. */
    public enum Outcome {
        ALLOWED,
        DENIED,
        /** A rule of it couldn't be evaluated. */
        ERRED,
        /** Nothing is published under its name. */
        MISSING,
        /** The process has no evaluator of its kind. */
        NOT_EVALUATED;

        /** Of one that was asked; empty if it was a condition. */
        static Optional<Outcome> of(EventBody.EvaluatedCondition condition) {
            return condition
                    .policy()
                    .map(policy -> condition
                            .error()
                            .map(error -> switch (error.code()) {
                                case "POLICY_MISSING" -> MISSING;
                                case "POLICY_KIND_UNKNOWN" -> NOT_EVALUATED;
                                default -> ERRED;
                            })
                            .orElse(policy.allowed() ? ALLOWED : DENIED));
        }
    }

    /** Makes a bundle the current version. */
    public PolicyVersion publish(PolicyName name, JsonObject bundle) {
        try {
            PolicyVersion version = store.publish(World.TENANT, name, bundle, Actor.ENGINE, world.now());
            world.say(() -> "policy " + name + " has version " + version.version() + " now");
            return version;
        } catch (JournalException e) {
            throw new IllegalStateException("policies in memory can't fail", e);
        }
    }

    /** What a process evaluates. */
    Policies evaluators(boolean lacksOne) {
        PolicyEvaluator rules =
                Objects.requireNonNull(Policies.BUILT_IN.byKind().get(RULES), "rules are built in");
        return new Policies(lacksOne ? Map.of(RULES, rules) : Map.of(RULES, rules, LACKING, rules));
    }

    /** A node can't decide without these. */
    void asked(SimulatedNode node, Set<Fact> facts) {
        for (Fact fact : facts) {
            if (fact instanceof Fact.Policy policy) {
                open.add(new Question(node.name(), policy.bundle()));
            }
        }
    }

    /** A node reads a policy. */
    void read(SimulatedNode node, PolicyName name) {
        if (!open.remove(new Question(node.name(), name))) {
            broken(node.name() + " reads policy " + name + ", which nothing that it decides has asked for");
        }
    }

    /** A node has decided. What it read, it read in the same round: nothing was published since. */
    void decided(SimulatedNode node, List<EventBody> events) {
        for (EventBody event : events) {
            if (event instanceof EventBody.Transitioned body) {
                for (EventBody.EvaluatedCondition condition : body.conditions()) {
                    condition.policy().ifPresent(policy -> isCurrent(node, body, policy));
                }
            }
        }
    }

    private void isCurrent(SimulatedNode node, EventBody.Transitioned body, PolicyDecision policy) {
        Optional<PolicyVersion> current = current(policy.bundle());
        int version = current.map(PolicyVersion::version).orElse(0);
        Sha256 hash = current.map(PolicyVersion::hash).orElse(Sha256.ZERO);
        if (policy.version() != version || !policy.hash().equals(hash)) {
            broken(node.name() + " decides " + body.activation() + " by " + policy + ", but version " + version
                    + " is published");
        }
    }

    private Optional<PolicyVersion> current(PolicyName name) {
        try {
            return store.current(World.TENANT, name);
        } catch (JournalException e) {
            throw new IllegalStateException("policies in memory can't fail", e);
        }
    }

    private void broken(String what) {
        world.violate(new Violation("R1", what));
    }
}
