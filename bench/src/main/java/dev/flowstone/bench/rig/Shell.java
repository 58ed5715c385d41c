package dev.flowstone.bench.rig;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/** Short programs of the system. */
public final class Shell {
    private Shell() {}

    /** Runs one to its end; fails if it does. */
    public static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IOException(String.join(" ", command) + " ended with " + exit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted at " + command.getFirst());
            interrupted.initCause(e);
            throw interrupted;
        }
    }
}
