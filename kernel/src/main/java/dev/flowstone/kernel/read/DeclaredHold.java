package dev.flowstone.kernel.read;

import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HoldPolicy.InputRule;
import dev.flowstone.kernel.command.HoldPolicy.TimerRule;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Program;

/**
 * What becomes of timers and input while a run is held (R25), as its program declares it in its metadata:
 * {@code "suspend": {"timers": "freeze" | "catchUp", "inbox": "buffer" | "reject"}}. It is what is meant by whoever suspends or
 * drains the run without saying, and by a parent whose suspension reaches it. The policy that counted stands in the event.
 * What isn't declared, or can't be read, is {@link HoldPolicy#DEFAULT}'s.
 */
public final class DeclaredHold {
    private static final String MEMBER = "suspend";

    private DeclaredHold() {}

    public static HoldPolicy of(Program program) {
        if (!(program.metadata().get(MEMBER) instanceof JsonObject suspend)) {
            return HoldPolicy.DEFAULT;
        }
        return new HoldPolicy(
                says(suspend, "timers", "catchUp") ? TimerRule.CATCH_UP : HoldPolicy.DEFAULT.timers(),
                says(suspend, "inbox", "reject") ? InputRule.REJECT : HoldPolicy.DEFAULT.input());
    }

    private static boolean says(JsonObject suspend, String member, String word) {
        return suspend.get(member) instanceof JsonString(String text) && text.equals(word);
    }
}
