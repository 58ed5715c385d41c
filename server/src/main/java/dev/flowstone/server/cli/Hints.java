package dev.flowstone.server.cli;

/** How we are called, for advice. */
final class Hints {
    /** In a clone, unless the launcher of an installed Flowstone says how it was called. */
    static final String COMMAND = word(System.getProperty("flowstone.command", "./flowstone"));

    private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-]+";

    private Hints() {}

    /** An argument as a shell takes it. */
    static String word(String argument) {
        return argument.matches(PLAIN) ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
