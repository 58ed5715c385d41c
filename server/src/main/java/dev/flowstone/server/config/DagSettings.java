package dev.flowstone.server.config;

import dev.flowstone.dialect.dag.option.DagOptions;

/** What workflows as graphs may be, and what they leave open. */
final class DagSettings {
    private DagSettings() {}

    static DagOptions of(Sources sources) throws ConfigException {
        return new DagOptions(defaults(sources), limits(sources), sources.value(Settings.DRY_RENDER));
    }

    private static DagOptions.Defaults defaults(Sources sources) throws ConfigException {
        return new DagOptions.Defaults(
                sources.value(Settings.ACTION_TIMEOUT),
                sources.value(Settings.WORKFLOW_TIMEOUT),
                sources.value(Settings.RETRIES),
                sources.value(Settings.INITIAL_DELAY),
                sources.value(Settings.BACKOFF),
                sources.value(Settings.JITTER),
                sources.value(Settings.RETRY_CAP),
                sources.value(Settings.CHILD_TIMEOUT),
                OptionSettings.context(sources));
    }

    private static DagOptions.Limits limits(Sources sources) throws ConfigException {
        return new DagOptions.Limits(
                sources.value(Settings.SOURCE_BYTES),
                sources.value(Settings.NESTING),
                sources.value(Settings.NODES),
                sources.value(Settings.EDGES),
                sources.value(Settings.ID_LENGTH),
                sources.value(Settings.MAX_RETRIES),
                sources.value(Settings.MAX_TIMEOUT),
                sources.value(Settings.MAX_DELAY),
                sources.value(Settings.FAULTS));
    }
}
