package dev.flowstone.engine.limit;

import dev.flowstone.engine.time.Pace;
import dev.flowstone.kernel.id.HandlerName;

/**
 * How much of some actions a node does, together, by its own handlers and by workers that claim from it.
 *
 * @param actions one action's name; or a connector's, {@code slack.*}, for all whose names begin with {@code slack.}
 * @param atOnce attempts under way; 0 for no limit
 * @param perSecond attempts that begin, evenly, with bursts of a tenth of a second's worth or of one; 0 for no limit
 */
public record ActionLimit(String actions, int atOnce, double perSecond) {
    private static final String ALL = ".*";

    public ActionLimit {
        if (!isName(actions)) {
            throw new IllegalArgumentException(
                    "a limit is on an action or on what begins alike, such as orders.charge or slack.*, not on "
                            + actions);
        }
        if (atOnce < 0 || !Pace.isRate(perSecond) || (atOnce == 0 && perSecond == 0)) {
            throw new IllegalArgumentException("a limit on " + actions + " is at least 1 at once, or a rate");
        }
    }

    /** At most so many at once. */
    public static ActionLimit atOnce(String actions, int most) {
        return new ActionLimit(actions, most, 0);
    }

    /** Whether limits may be on it. */
    public static boolean isName(String actions) {
        String name = actions.endsWith(ALL) ? actions.substring(0, actions.length() - ALL.length()) : actions;
        return !name.isEmpty() && name.indexOf('*') < 0;
    }

    /** Whether it is a connector's. */
    boolean isOnMany() {
        return actions.endsWith(ALL);
    }

    public boolean isOn(HandlerName action) {
        return isOnMany()
                ? action.value().startsWith(actions.substring(0, actions.length() - 1))
                : action.value().equals(actions);
    }
}
