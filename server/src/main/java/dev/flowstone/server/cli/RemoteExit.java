package dev.flowstone.server.cli;

/** What the process says when a server was asked. */
final class RemoteExit {
    static final String HELP = """
            Exit codes: 0 done, 1 the server refused, 2 the call can't be meant, 3 no server answers.""";

    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;

    private RemoteExit() {}

    static int of(int status) {
        if (status >= SERVER_ERROR) {
            return Exit.CANNOT_START;
        }
        return status == BAD_REQUEST ? Exit.INVALID : Exit.FAILED;
    }
}
