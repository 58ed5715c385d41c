package dev.flowstone.server.config;

import dev.flowstone.engine.dead.DeadLetterConfig;
import java.time.Duration;
import java.util.List;

/** What becomes of what can't be taken up. */
final class DeadLetterSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Boolean> ENABLED = GROUP.add(Setting.flag(
            "deadLetter.enabled",
            DeadLetterConfig.DEFAULT.enabled(),
            "whether what can't be taken up is kept, to be tried again and looked at"));
    static final Setting<String> NAME = GROUP.add(Setting.text(
            "deadLetter.name", DeadLetterConfig.DEFAULT.queue(), "what the place is called where it is kept"));
    static final Setting<Integer> RETRIES = GROUP.add(Setting.number(
            "deadLetter.maxRetries",
            DeadLetterConfig.DEFAULT.maxRetries(),
            0,
            "of what could not be taken up; then it is dead"));
    static final Setting<Duration> DELAY = GROUP.add(
            Setting.time("deadLetter.delay", DeadLetterConfig.DEFAULT.delay(), "before each of those retries"));

    private DeadLetterSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static DeadLetterConfig of(Sources sources) throws ConfigException {
        return new DeadLetterConfig(
                sources.value(ENABLED), sources.value(NAME), sources.value(RETRIES), sources.value(DELAY));
    }
}
