package dev.flowstone.kernel.story;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Setting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Settings of scopes, in minutes after the birth of the story's run. */
public final class WideHolds {
    public static final Duration LIFE = Duration.ofMinutes(10);
    static final HoldPolicy REJECT = new HoldPolicy(HoldPolicy.TimerRule.FREEZE, HoldPolicy.InputRule.REJECT);

    private WideHolds() {}

    public static Setting suspend(long number, long minute) {
        return suspend(number, minute, HoldPolicy.DEFAULT);
    }

    static Setting suspend(long number, long minute, HoldPolicy policy) {
        return setting(number, minute, Setting.Mode.SUSPEND, policy);
    }

    public static Setting drain(long number, long minute) {
        return setting(number, minute, Setting.Mode.DRAIN, HoldPolicy.DEFAULT);
    }

    public static Setting go(long number, long minute) {
        return setting(number, minute, Setting.Mode.GO, HoldPolicy.DEFAULT);
    }

    public static Command heed(Setting... settings) {
        return new ControlCommand.Heed(List.of(settings));
    }

    static Instant minute(long minute) {
        return Story.BIRTH.plus(Duration.ofMinutes(minute));
    }

    private static Setting setting(long number, long minute, Setting.Mode mode, HoldPolicy policy) {
        return new Setting(number, minute(minute), mode, policy, LIFE, "audit", "tenant/acme");
    }
}
