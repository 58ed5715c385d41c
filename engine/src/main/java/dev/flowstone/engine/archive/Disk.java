package dev.flowstone.engine.archive;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What an archive asks of the disk, each step by itself, as what is lost in a failure of the machine depends on their order:
 *
 * <pre>
 * folder ─▶ lock ─▶ open ─▶ output ─▶ force ─▶ read ─▶ claim ─▶ rename ─▶ sync ─▶ the database drops the month
 * </pre>
 *
 * <p>Any of them may fail with an {@link IOException}; nothing has left the database then.
 */
public interface Disk {
    /** The machine's own; where its file systems know of owners, what is made may be read by its maker only. */
    static Disk own() {
        return new OwnDisk();
    }

    /** Makes a folder, with those above it, unless it is there. Those it makes outlast a failure of the machine. */
    void folder(Path folder) throws IOException;

    /**
     * Keeps others from what the file stands for, in this process or another, until it is closed or the process ends; empty if one
     * of them does so. It is made if it is missing, stays, and is good for nothing else: a lock on a file that is read, renamed or
     * removed is lost with the first other reader of this process, or is held on a file that has no name any more.
     */
    Optional<Closeable> lock(Path file) throws IOException;

    /** To be read and written; made if it is missing. */
    FileChannel open(Path file) throws IOException;

    /** Writes to where the file stands; closing it is not needed. */
    OutputStream output(FileChannel file);

    /** What was written to the file outlasts a failure of the machine. */
    void force(FileChannel file) throws IOException;

    /** Reads a file from its beginning. */
    InputStream read(Path file) throws IOException;

    /** Makes an empty file; false if the name has one, for which two may race. */
    boolean claim(Path file) throws IOException;

    /** Gives a file another name, in one step, in place of the one that has it; or fails, and both are as they were. */
    void rename(Path from, Path to) throws IOException;

    /** What a folder says about names outlasts a failure of the machine. */
    void sync(Path folder) throws IOException;

    /** Removes a file, if it is there. */
    void delete(Path file) throws IOException;
}
