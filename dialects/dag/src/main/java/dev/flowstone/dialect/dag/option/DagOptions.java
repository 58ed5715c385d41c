package dev.flowstone.dialect.dag.option;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What a definition leaves open, and what it may not exceed (dataflow.md §10). The defaults go into the compiled program,
 * so changing one changes the programs of later publications and no published one.
 *
 * @param dryRender whether every node's parameters are rendered where there are no data (§9.1.1); dear
 */
public record DagOptions(Defaults defaults, Limits limits, boolean dryRender) {
    public static final DagOptions DEFAULT = new DagOptions(Defaults.DEFAULT, Limits.DEFAULT, false);

    public DagOptions {
        requireNonNull(defaults);
        requireNonNull(limits);
    }

    public DagOptions withLimits(UnaryOperator<Limits> change) {
        return new DagOptions(defaults, change.apply(limits), dryRender);
    }

    public DagOptions withDefaults(UnaryOperator<Defaults> change) {
        return new DagOptions(change.apply(defaults), limits, dryRender);
    }

    public DagOptions rendering(boolean dry) {
        return new DagOptions(defaults, limits, dry);
    }

    /**
     * What holds where a definition says nothing (§10.1).
     *
     * @param actionTimeout of one attempt
     * @param workflowTimeout of a run, from its start
     * @param maxRetryAttempts retries after the first attempt
     * @param initialDelay before the first retry
     * @param backoffFactor each further delay is this many times the one before
     * @param jitter whether a delay is drawn between half of it and all of it
     * @param maxRetryDelay no delay grows beyond this, unless the definition's own first delay is longer
     * @param childTimeout of a subworkflow that is waited for (§10.5)
     * @param context what is kept of a run's data (§8.4)
     */
    public record Defaults(
            Duration actionTimeout,
            Duration workflowTimeout,
            int maxRetryAttempts,
            Duration initialDelay,
            double backoffFactor,
            boolean jitter,
            Duration maxRetryDelay,
            Duration childTimeout,
            ContextDefaults context) {
        public static final Defaults DEFAULT = new Defaults(
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                3,
                Duration.ofSeconds(2),
                2.0,
                true,
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                ContextDefaults.DEFAULT);

        public Defaults {
            Require.positive("actionTimeout", actionTimeout);
            Require.positive("workflowTimeout", workflowTimeout);
            Require.positive("maxRetryDelay", maxRetryDelay);
            Require.positive("childTimeout", childTimeout);
            requireNonNull(context);
            if (maxRetryAttempts < 0 || initialDelay.isNegative() || !(backoffFactor >= 1)) {
                throw new IllegalArgumentException(
                        "not a retry rule: " + maxRetryAttempts + " × " + initialDelay + " × " + backoffFactor);
            }
        }

        public Defaults withWorkflowTimeout(Duration timeout) {
            return new Defaults(
                    actionTimeout,
                    timeout,
                    maxRetryAttempts,
                    initialDelay,
                    backoffFactor,
                    jitter,
                    maxRetryDelay,
                    childTimeout,
                    context);
        }

        public Defaults withContext(ContextDefaults kept) {
            return new Defaults(
                    actionTimeout,
                    workflowTimeout,
                    maxRetryAttempts,
                    initialDelay,
                    backoffFactor,
                    jitter,
                    maxRetryDelay,
                    childTimeout,
                    kept);
        }

        public Defaults withChildTimeout(Duration timeout) {
            return new Defaults(
                    actionTimeout,
                    workflowTimeout,
                    maxRetryAttempts,
                    initialDelay,
                    backoffFactor,
                    jitter,
                    maxRetryDelay,
                    timeout,
                    context);
        }

        public Defaults withActionTimeout(Duration timeout) {
            return new Defaults(
                    timeout,
                    workflowTimeout,
                    maxRetryAttempts,
                    initialDelay,
                    backoffFactor,
                    jitter,
                    maxRetryDelay,
                    childTimeout,
                    context);
        }
    }

    /**
     * What a definition may not exceed. Messages name a limit as configuration does: {@code dag.} and its component's name.
     *
     * @param maxSourceBytes of the text; at most what the JSON parser takes
     * @param maxNesting of arrays and objects in the text
     * @param maxNodesPerWorkflow §10.3
     * @param maxEdgesPerWorkflow {@code onFailure} counts as one
     * @param maxIdLength of a workflow's or a node's id, in characters; at most 200
     * @param maxRetries that a definition may ask for, which are one less than its attempts
     * @param maxTimeout that a definition may give an attempt, and the longest delay between retries
     * @param maxDelay of a {@code core.delay}
     * @param maxFaults that one answer shows
     */
    public record Limits(
            int maxSourceBytes,
            int maxNesting,
            int maxNodesPerWorkflow,
            int maxEdgesPerWorkflow,
            int maxIdLength,
            int maxRetries,
            Duration maxTimeout,
            Duration maxDelay,
            int maxFaults) {
        public static final Limits DEFAULT =
                new Limits(4 << 20, 64, 1_000, 10_000, 100, 100, Duration.ofDays(30), Duration.ofDays(3_650), 500);

        private static final long EXPRESSIONS_PER_NODE = 5;

        /** The longest id that the kernel takes. */
        private static final int LONGEST_ID = 200;

        public Limits {
            Require.atLeastOne("maxSourceBytes", maxSourceBytes);
            Require.atLeastOne("maxNesting", maxNesting);
            Require.atLeastOne("maxNodesPerWorkflow", maxNodesPerWorkflow);
            Require.atLeastOne("maxEdgesPerWorkflow", maxEdgesPerWorkflow);
            Require.atLeastOne("maxIdLength", maxIdLength);
            Require.atLeastOne("maxFaults", maxFaults);
            if (maxIdLength > LONGEST_ID) {
                throw new IllegalArgumentException("maxIdLength is at most " + LONGEST_ID + ", not " + maxIdLength);
            }
            if (maxRetries < 0) {
                throw new IllegalArgumentException("maxRetries is at least 0, not " + maxRetries);
            }
            Require.positive("maxTimeout", maxTimeout);
            Require.positive("maxDelay", maxDelay);
        }

        public Limits withNodes(int nodes, int edges) {
            return new Limits(
                    maxSourceBytes, maxNesting, nodes, edges, maxIdLength, maxRetries, maxTimeout, maxDelay, maxFaults);
        }

        public Limits withMaxDelay(Duration longest) {
            return new Limits(
                    maxSourceBytes,
                    maxNesting,
                    maxNodesPerWorkflow,
                    maxEdgesPerWorkflow,
                    maxIdLength,
                    maxRetries,
                    maxTimeout,
                    longest,
                    maxFaults);
        }

        public Limits withSourceBytes(int bytes) {
            return new Limits(
                    bytes,
                    maxNesting,
                    maxNodesPerWorkflow,
                    maxEdgesPerWorkflow,
                    maxIdLength,
                    maxRetries,
                    maxTimeout,
                    maxDelay,
                    maxFaults);
        }

        /** How many conditions and templates a workflow may have: they are dear to compile, so this grows with its nodes. */
        public int maxExpressions() {
            return (int) Math.min(Integer.MAX_VALUE, EXPRESSIONS_PER_NODE * maxNodesPerWorkflow);
        }

        public Limits withFaults(int faults) {
            return new Limits(
                    maxSourceBytes,
                    maxNesting,
                    maxNodesPerWorkflow,
                    maxEdgesPerWorkflow,
                    maxIdLength,
                    maxRetries,
                    maxTimeout,
                    maxDelay,
                    faults);
        }
    }

    /** Not of the outer class, whose own defaults need the inner ones first. */
    private static final class Require {
        private Require() {}

        static void atLeastOne(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + " is at least 1, not " + value);
            }
        }

        static void positive(String name, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException(name + " is longer than nothing, not " + value);
            }
        }
    }
}
