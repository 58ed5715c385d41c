package dev.flowstone.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Processes that aren't this JVM's children. */
public final class TestProcesses {
    private TestProcesses() {}

    /** A zombie is dead; {@link ProcessHandle} takes it for alive until somebody has buried it. */
    public static boolean isAlive(long processId) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(processId), "stat"));
            return !stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return ProcessHandle.of(processId).map(ProcessHandle::isAlive).orElse(false)
                    && !Files.isDirectory(Path.of("/proc"));
        }
    }

    /** SIGKILL to the process and its children; returns when all are dead. */
    public static void kill(long processId) {
        List<ProcessHandle> all = new ArrayList<>();
        ProcessHandle.of(processId).ifPresent(parent -> {
            all.add(parent);
            all.addAll(parent.children().toList());
        });
        all.forEach(ProcessHandle::destroyForcibly);
        while (all.stream().anyMatch(process -> isAlive(process.pid()))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
