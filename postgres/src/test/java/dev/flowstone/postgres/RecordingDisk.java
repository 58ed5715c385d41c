package dev.flowstone.postgres;

import dev.flowstone.engine.archive.Disk;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The machine's disk, which tells what was asked of it, and does something else first. */
final class RecordingDisk implements Disk {
    /** In the order in which an archive asks, but for the last, which tidies up. */
    enum Step {
        FOLDER,
        LOCK,
        OPEN,
        WRITE,
        FORCE,
        READ,
        CLAIM,
        RENAME,
        SYNC,
        DELETE
    }

    /** Is told of a step before it is done. */
    @FunctionalInterface
    interface Before {
        void step(Step step) throws IOException;
    }

    private final Disk disk = Disk.own();
    private final List<Step> steps = new ArrayList<>();
    private final Before before;
    private int largestPiece;

    RecordingDisk(Before before) {
        this.before = before;
    }

    /** Each as often as it was asked for, but writes in a row once. */
    List<Step> steps() {
        return List.copyOf(steps);
    }

    /** Bytes of the largest piece that was written at once. */
    int largestPiece() {
        return largestPiece;
    }

    private void step(Step step) throws IOException {
        if (step != Step.WRITE || steps.getLast() != Step.WRITE) {
            steps.add(step);
        }
        before.step(step);
    }

    @Override
    public void folder(Path folder) throws IOException {
        step(Step.FOLDER);
        disk.folder(folder);
    }

    @Override
    public Optional<Closeable> lock(Path file) throws IOException {
        step(Step.LOCK);
        return disk.lock(file);
    }

    @Override
    public FileChannel open(Path file) throws IOException {
        step(Step.OPEN);
        return disk.open(file);
    }

    @Override
    public OutputStream output(FileChannel file) {
        return new FilterOutputStream(disk.output(file)) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                step(Step.WRITE);
                largestPiece = Math.max(largestPiece, length);
                out.write(bytes, from, length);
            }
        };
    }

    @Override
    public void force(FileChannel file) throws IOException {
        step(Step.FORCE);
        disk.force(file);
    }

    @Override
    public InputStream read(Path file) throws IOException {
        step(Step.READ);
        return disk.read(file);
    }

    @Override
    public boolean claim(Path file) throws IOException {
        step(Step.CLAIM);
        return disk.claim(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step(Step.RENAME);
        disk.rename(from, to);
    }

    @Override
    public void sync(Path folder) throws IOException {
        step(Step.SYNC);
        disk.sync(folder);
    }

    @Override
    public void delete(Path file) throws IOException {
        step(Step.DELETE);
        disk.delete(file);
    }
}
