package dev.flowstone.connectors.registry;

import dev.flowstone.action.ActionSpec;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What connectors and actions may be called (dataflow.md §7.6). */
final class Names {
    private static final Pattern CONNECTOR = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final Pattern ACTION = Pattern.compile(CONNECTOR + "(\\." + CONNECTOR + ")+");
    private static final Pattern SUFFIX = Pattern.compile(".*-v([0-9]+)");
    private static final int LONGEST = 100;

    private Names() {}

    static void checkConnector(String id) {
        if (id.length() > LONGEST || !CONNECTOR.matcher(id).matches()) {
            throw new IllegalArgumentException("a connector's id has up to " + LONGEST
                    + " lower-case letters, digits and hyphens, such as my-crm, and isn't '" + id + "'");
        }
    }

    /** Whether an action's id is one, is its connector's, and says its major version as it has to. */
    static void checkAction(String connector, ActionSpec<?, ?> spec) {
        String id = spec.id();
        if (id.length() > LONGEST || !ACTION.matcher(id).matches()) {
            throw new IllegalArgumentException("an action's id is connector.action, up to " + LONGEST
                    + " lower-case letters, digits, hyphens and dots, and isn't '" + id + "'");
        }
        if (!id.startsWith(connector + ".")) {
            throw new IllegalArgumentException(
                    "the action '" + id + "' isn't this connector's: its id begins with '" + connector + ".'");
        }
        Matcher suffix = SUFFIX.matcher(id);
        String ending = suffix.matches() ? "-v" + suffix.group(1) : "";
        if (!ending.equals(spec.version().suffix())) {
            throw new IllegalArgumentException("the action '" + id + "' has version " + spec.version() + ", so its id "
                    + (spec.version().suffix().isEmpty()
                            ? "has no -v and number at its end: that is for version 2 and later"
                            : "ends with '" + spec.version().suffix() + "'"));
        }
    }
}
