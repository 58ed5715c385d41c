package dev.flowstone.server.cli;

/** What the process says when it ends. */
final class Exit {
    static final int SUCCEEDED = 0;
    static final int FAILED = 1;
    static final int INVALID = 2;
    static final int CANNOT_START = 3;

    static final String HELP = """
            Exit codes: 0 succeeded, 1 failed, 2 invalid definition or usage, 3 the engine could not start.""";

    private Exit() {}
}
