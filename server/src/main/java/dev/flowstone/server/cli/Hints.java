package dev.flowstone.server.cli;

/** How we are called, for advice. */
final class Hints {
    static final String COMMAND = "./flowstone";

    private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-]+";

    private Hints() {}

    /** An argument as a shell takes it. */
    static String word(String argument) {
        return argument.matches(PLAIN) ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
