package dev.flowstone.postgres;

import dev.flowstone.engine.archive.Disk;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.Optional;

/** A process that tries to lock a file, and tells by its exit code whether it could. */
final class LockProbe {
    static final int FREE = 10;
    static final int TAKEN = 11;

    private LockProbe() {}

    public static void main(String[] args) throws Exception {
        Optional<Closeable> lock = Disk.own().lock(Path.of(args[0]));
        System.exit(lock.isPresent() ? FREE : TAKEN);
    }
}
