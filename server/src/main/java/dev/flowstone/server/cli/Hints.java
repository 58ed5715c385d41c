package dev.flowstone.server.cli;

/** How we are called, for advice. */
final class Hints {
    static final String COMMAND = "./flowstone";

    private Hints() {}
}
