package dev.flowstone.server.config;

import dev.flowstone.dialect.dag.option.DagOptions;
import java.time.Duration;
import java.util.List;

/** What workflows as graphs may be, and what they leave open. */
final class DagSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    private static final DagOptions.Defaults D = DagOptions.Defaults.DEFAULT;
    private static final DagOptions.Limits L = DagOptions.Limits.DEFAULT;

    static final Setting<Duration> ACTION_TIMEOUT =
            GROUP.add(Setting.time("dag.actionTimeout", D.actionTimeout(), "of one attempt, unless the node says"));
    static final Setting<Duration> WORKFLOW_TIMEOUT =
            GROUP.add(Setting.time("dag.workflowTimeout", D.workflowTimeout(), "of a run, from its start"));
    static final Setting<Integer> RETRIES = GROUP.add(Setting.number(
            "dag.maxRetryAttempts", D.maxRetryAttempts(), 0, "retries after the first attempt, unless the node says"));
    static final Setting<Duration> INITIAL_DELAY =
            GROUP.add(Setting.time("dag.initialDelay", D.initialDelay(), "before the first retry"));
    static final Setting<Double> BACKOFF =
            GROUP.add(Setting.factor("dag.backoffFactor", D.backoffFactor(), "of each further delay"));
    static final Setting<Boolean> JITTER =
            GROUP.add(Setting.flag("dag.jitter", D.jitter(), "whether delays are drawn between half and all of it"));
    static final Setting<Duration> RETRY_CAP =
            GROUP.add(Setting.time("dag.maxRetryDelay", D.maxRetryDelay(), "no delay grows beyond this"));
    static final Setting<Duration> CHILD_TIMEOUT =
            GROUP.add(Setting.time("child.timeout", D.childTimeout(), "of a subworkflow, unless the node says"));
    static final Setting<Boolean> DRY_RENDER = GROUP.add(Setting.flag(
            "publish.validateParameterTemplates",
            DagOptions.DEFAULT.dryRender(),
            "whether a definition's parameters are rendered without data when it is saved and published"));
    static final Setting<Integer> SOURCE_BYTES =
            GROUP.add(Setting.number("dag.maxSourceBytes", L.maxSourceBytes(), 1, "longest definition"));
    static final Setting<Integer> NESTING =
            GROUP.add(Setting.number("dag.maxNesting", L.maxNesting(), 1, "of a definition"));
    static final Setting<Integer> NODES =
            GROUP.add(Setting.number("dag.maxNodesPerWorkflow", L.maxNodesPerWorkflow(), 1, "of a definition"));
    static final Setting<Integer> EDGES =
            GROUP.add(Setting.number("dag.maxEdgesPerWorkflow", L.maxEdgesPerWorkflow(), 1, "of a definition"));
    static final Setting<Integer> ID_LENGTH =
            GROUP.add(Setting.number("dag.maxIdLength", L.maxIdLength(), 1, "of workflows' and nodes' ids"));
    static final Setting<Integer> MAX_RETRIES =
            GROUP.add(Setting.number("dag.maxRetries", L.maxRetries(), 0, "that a definition may ask for"));
    static final Setting<Duration> MAX_TIMEOUT =
            GROUP.add(Setting.time("dag.maxTimeout", L.maxTimeout(), "that a definition may give an attempt"));
    static final Setting<Duration> MAX_DELAY =
            GROUP.add(Setting.time("dag.maxDelay", L.maxDelay(), "that a core.delay may wait"));
    static final Setting<Integer> FAULTS =
            GROUP.add(Setting.number("dag.maxFaults", L.maxFaults(), 1, "that one answer shows"));

    private DagSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static DagOptions of(Sources sources) throws ConfigException {
        return new DagOptions(defaults(sources), limits(sources), sources.value(DRY_RENDER));
    }

    private static DagOptions.Defaults defaults(Sources sources) throws ConfigException {
        return new DagOptions.Defaults(
                sources.value(ACTION_TIMEOUT),
                sources.value(WORKFLOW_TIMEOUT),
                sources.value(RETRIES),
                sources.value(INITIAL_DELAY),
                sources.value(BACKOFF),
                sources.value(JITTER),
                sources.value(RETRY_CAP),
                sources.value(CHILD_TIMEOUT),
                OptionSettings.context(sources));
    }

    private static DagOptions.Limits limits(Sources sources) throws ConfigException {
        return new DagOptions.Limits(
                sources.value(SOURCE_BYTES),
                sources.value(NESTING),
                sources.value(NODES),
                sources.value(EDGES),
                sources.value(ID_LENGTH),
                sources.value(MAX_RETRIES),
                sources.value(MAX_TIMEOUT),
                sources.value(MAX_DELAY),
                sources.value(FAULTS));
    }
}
