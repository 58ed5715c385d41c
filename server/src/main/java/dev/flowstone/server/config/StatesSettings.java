package dev.flowstone.server.config;

import dev.flowstone.dialect.states.StatesOptions;
import java.util.List;

/** What workflows as states may be. */
final class StatesSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    private static final StatesOptions S = StatesOptions.DEFAULT;

    static final Setting<Integer> SOURCE_BYTES =
            GROUP.add(Setting.number("states.maxSourceBytes", S.maxSourceBytes(), 1, "longest workflow as states"));
    static final Setting<Integer> NESTING =
            GROUP.add(Setting.number("states.maxNesting", S.maxNesting(), 1, "of arrays and objects in its text"));
    static final Setting<Integer> STATES =
            GROUP.add(Setting.number("states.maxStates", S.maxStates(), 1, "in all regions together"));
    static final Setting<Integer> EXPRESSIONS =
            GROUP.add(Setting.number("states.maxExpressions", S.maxExpressions(), 1, "conditions and templates"));
    static final Setting<Integer> FAULTS =
            GROUP.add(Setting.number("states.maxFaults", S.maxFaults(), 1, "that one answer shows"));
    static final Setting<Integer> MARKINGS = GROUP.add(
            Setting.number("states.maxMarkings", S.maxMarkings(), 1, "that the search for deadlocks looks at"));

    private StatesSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static StatesOptions of(Sources sources) throws ConfigException {
        return new StatesOptions(
                sources.value(SOURCE_BYTES),
                sources.value(NESTING),
                sources.value(STATES),
                sources.value(EXPRESSIONS),
                sources.value(FAULTS),
                sources.value(MARKINGS));
    }
}
