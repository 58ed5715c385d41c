package dev.flowstone.server.config;

import dev.flowstone.dialect.states.StatesOptions;

/** What workflows as states may be. */
final class StatesSettings {
    private StatesSettings() {}

    static StatesOptions of(Sources sources) throws ConfigException {
        return new StatesOptions(
                sources.value(Settings.STATES_SOURCE_BYTES),
                sources.value(Settings.STATES_NESTING),
                sources.value(Settings.STATES_STATES),
                sources.value(Settings.STATES_EXPRESSIONS),
                sources.value(Settings.STATES_FAULTS),
                sources.value(Settings.STATES_MARKINGS));
    }
}
