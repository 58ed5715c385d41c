package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a deployment: each {@code *.json} in the folder and those below it. What is called {@code .something} is passed
 * over, as version control keeps its own there. Nothing outside is read, so no link is followed.
 *
 * @param files their bytes, in the order of their paths
 * @param flaws what could not be read, and why
 */
record Folder(Map<Path, byte[]> files, List<Flaw> flaws) {
    static final int MOST_FILES = 5_000;

    private static final long MOST_BYTES = 256 << 20;
    private static final int MOST_DEPTH = 16;
    private static final String ENDING = ".json";

    Folder {
        files = new LinkedHashMap<>(files);
        flaws = List.copyOf(flaws);
    }

    /**
     * Reads a folder.
     *
     * @param mostBytes of one file
     * @throws IOException if it isn't there, or is none
     */
    static Folder read(Path folder, int mostBytes) throws IOException {
        Visit visit = new Visit(folder, folder.toRealPath(), mostBytes);
        Files.walkFileTree(visit.real, Set.of(), MOST_DEPTH, visit);
        return new Folder(visit.found, visit.flaws);
    }

    /** A file's name without its ending. */
    static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
    }

    private static final class Visit implements FileVisitor<Path> {
        private final Path shown;
        private final Path real;
        private final int mostBytes;
        private final Map<Path, byte[]> found = new TreeMap<>();
        private final List<Flaw> flaws = new ArrayList<>();
        private long bytes;

        private Visit(Path shown, Path real, int mostBytes) {
            this.shown = requireNonNull(shown);
            this.real = real;
            this.mostBytes = mostBytes;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.equals(real) || !isHidden(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (isHidden(file)) {
                return FileVisitResult.CONTINUE;
            }
            boolean meant = file.toString().endsWith(ENDING);
            if (attributes.isDirectory()) {
                flaw(
                        file,
                        FolderFault.NOT_READABLE.ofAll(
                                "folders stand in each other more than " + MOST_DEPTH + " deep here",
                                "move what is to be deployed further up"));
            } else if (attributes.isSymbolicLink() && (meant || Files.isDirectory(file))) {
                flaw(
                        file,
                        FolderFault.SYMBOLIC_LINK.ofAll(
                                "this is a symbolic link, and nothing but the folder itself is read",
                                "put the file here, or take the link away"));
            } else if (meant) {
                return read(file, attributes);
            }
            return FileVisitResult.CONTINUE;
        }

        private FileVisitResult read(Path file, BasicFileAttributes attributes) {
            if (!attributes.isRegularFile()) {
                flaw(file, FolderFault.NOT_READABLE.ofAll("this is no regular file", "take it away"));
                return FileVisitResult.CONTINUE;
            }
            if (found.size() == MOST_FILES || bytes > MOST_BYTES) {
                flaw(
                        file,
                        FolderFault.TOO_MANY_FILES.ofAll(
                                "the folder has more than " + MOST_FILES + " files or " + (MOST_BYTES >> 20) + " MiB",
                                "make several deployments of it, each with a --name"));
                return FileVisitResult.TERMINATE;
            }
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                byte[] content = in.readNBytes(mostBytes + 1);
                if (content.length > mostBytes) {
                    flaw(
                            file,
                            FolderFault.TOO_LARGE.ofAll(
                                    "the file has more than " + mostBytes + " bytes, and no server would take it",
                                    "shorten it, or raise http.maxBodyBytes here and there"));
                } else {
                    bytes += content.length;
                    found.put(shown(file), content);
                }
            } catch (IOException e) {
                return visitFileFailed(file, e);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            flaw(file, FolderFault.NOT_READABLE.ofAll("this can't be read: " + e, "let it be read, or take it away"));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
            return e == null ? FileVisitResult.CONTINUE : visitFileFailed(folder, e);
        }

        private void flaw(Path file, Fault fault) {
            flaws.add(new Flaw(shown(file), fault));
        }

        /** As whoever called names the folder. */
        private Path shown(Path file) {
            return file.startsWith(real) ? shown.resolve(real.relativize(file)).normalize() : file;
        }

        private static boolean isHidden(Path path) {
            return String.valueOf(path.getFileName()).startsWith(".");
        }
    }
}
