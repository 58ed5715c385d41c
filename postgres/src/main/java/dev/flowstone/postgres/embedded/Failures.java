package dev.flowstone.postgres.embedded;

import dev.flowstone.postgres.embedded.EmbeddedPostgresException.DiskFull;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.StartFailed;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.UnusableDirectory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** What an exception or a program's output means to the user. */
final class Failures {
    private static final String NO_SPACE = "No space left on device";
    private static final int SHOWN = 1_500;

    private Failures() {}

    static EmbeddedPostgresException of(Path directory, IOException error) {
        String message = String.valueOf(error.getMessage());
        if (message.contains(NO_SPACE) || message.contains("Disk quota exceeded")) {
            return new DiskFull(directory, message);
        }
        if (error instanceof AccessDeniedException || message.contains("Read-only file system")) {
            return new UnusableDirectory(
                    "the data directory " + directory + " can't be written to (" + message + "): make it writable for "
                            + System.getProperty("user.name") + ", or use another one with --data",
                    error);
        }
        if (error instanceof FileSystemException) {
            return new UnusableDirectory("the data directory " + directory + " can't be used: " + error, error);
        }
        return new StartFailed("PostgreSQL could not be started in " + directory + ": " + error, error);
    }

    static EmbeddedPostgresException of(Path directory, String what, String output) {
        if (output.contains(NO_SPACE) || output.contains("Disk quota exceeded")) {
            return new DiskFull(directory, lastLine(output, NO_SPACE));
        }
        if (output.contains("Permission denied")) {
            return new UnusableDirectory("the server can't use " + directory + " ("
                    + lastLine(output, "Permission denied") + "): give the directory to the user that runs Flowstone");
        }
        return new StartFailed(what + " in " + directory + " failed:\n" + tail(output));
    }

    private static String lastLine(String output, String with) {
        return output.lines()
                .filter(line -> line.contains(with))
                .reduce("", (before, line) -> line)
                .strip();
    }

    private static String tail(String output) {
        return output.length() <= SHOWN ? output : "…" + output.substring(output.length() - SHOWN);
    }
}
