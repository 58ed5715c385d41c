package dev.flowstone.bench.torture.company;

import dev.flowstone.bench.rig.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system in memory that can be filled. Its content outlives every process that uses it, as a disk's does; not the
 * machine. To make one takes the right to mount.
 */
public final class SmallDisk implements AutoCloseable {
    private static final int PIECE = 1 << 16;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /**
     * In a folder that is made for it.
     *
     * @throws IOException if it can't be mounted here
     */
    static SmallDisk mount(Path folder, int megabytes) throws IOException {
        Files.createDirectories(folder);
        Shell.run(
                List.of("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m,mode=0755", "tmpfs", folder.toString()));
        return new SmallDisk(folder);
    }

    /** Whether one can be made here. */
    public static boolean isPossible() {
        try {
            Path folder = Files.createTempDirectory("flowstone-disk");
            try (SmallDisk disk = mount(folder, 1)) {
                Files.writeString(disk.folder.resolve("try"), "it");
            } finally {
                Files.delete(folder);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes until nothing more fits. */
    public void fill() throws IOException {
        byte[] piece = new byte[PIECE];
        try (OutputStream out = Files.newOutputStream(ballast())) {
            while (Files.getFileStore(folder).getUsableSpace() > 0) {
                out.write(piece);
            }
        } catch (IOException e) {
            if (Files.getFileStore(folder).getUsableSpace() >= PIECE) {
                throw e;
            }
        }
    }

    /** There is room again. */
    public void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    /** It is gone at once, though somebody may still be writing there. */
    @Override
    public void close() throws IOException {
        Shell.run(List.of("umount", "-l", folder.toString()));
    }
}
