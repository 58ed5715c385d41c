package dev.flowstone.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a server wrote into {@code postmaster.pid}: line 1 its process, line 4 its port.
 *
 * @param port 0 if it hasn't come that far
 */
record PostmasterPid(long processId, int port) {
    private static final String FILE = "postmaster.pid";

    static Optional<PostmasterPid> read(Path cluster) throws IOException {
        try {
            List<String> lines = Files.readAllLines(cluster.resolve(FILE));
            long processId = lines.isEmpty() ? 0 : number(lines.get(0));
            return processId == 0
                    ? Optional.empty()
                    : Optional.of(new PostmasterPid(processId, lines.size() < 4 ? 0 : (int) number(lines.get(3))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static long number(String line) {
        String digits = line.strip();
        return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : 0;
    }

    /**
     * Whether the process is a server of this cluster and not somebody who got its number after a reboot. A server works in
     * its cluster's directory; where the system doesn't tell, its name must do.
     */
    boolean serves(Path cluster) {
        Optional<ProcessHandle> process = ProcessHandle.of(processId).filter(ProcessHandle::isAlive);
        if (process.isEmpty() || isZombie()) {
            return false;
        }
        Path workingDirectory = Path.of("/proc", Long.toString(processId), "cwd");
        try {
            if (Files.exists(workingDirectory)) {
                return Files.isSameFile(workingDirectory, cluster);
            }
        } catch (IOException e) {
            return true; // not ours to look at: assume the worse
        }
        return process.get()
                .info()
                .command()
                .map(command -> command.endsWith("postgres"))
                .orElse(true);
    }

    /** Dead, and nobody has asked how: containers whose first process doesn't care keep such for ever. */
    private boolean isZombie() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(processId), "stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false;
        }
    }

    static void delete(Path cluster) throws IOException {
        Files.deleteIfExists(cluster.resolve(FILE));
    }
}
