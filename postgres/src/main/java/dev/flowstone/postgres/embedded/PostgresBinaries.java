package dev.flowstone.postgres.embedded;

import dev.flowstone.postgres.embedded.EmbeddedPostgresException.MissingBinaries;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.UnusableDirectory;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server's programs, unpacked once for each archive into a cache that processes share: complete or not there at all.
 *
 * @param home holds {@code bin}, {@code lib} and {@code share}
 */
record PostgresBinaries(Path home) {
    /** Root's alone to write, everybody's to read: for a server that root runs as somebody else. */
    private static final Path SYSTEM_CACHE = Path.of("/var/cache/flowstone/postgres");

    /** In this JVM; between JVMs a file lock does the same. */
    private static final Object UNPACKING = new Object();

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    /** As the server's own catalogue of what initdb makes is marked. */
    String majorVersion() throws IOException {
        String first = Files.readAllLines(home.resolve("share/postgresql/postgres.bki"))
                .getFirst();
        return first.replaceFirst("^# PostgreSQL ", "").strip();
    }

    /** Takes the first place that can be written to and that the server's identity can run programs from. */
    static PostgresBinaries unpack(EmbeddedConfig config, Identity identity) throws MissingBinaries, UnusableDirectory {
        Platform platform = Platform.current();
        URL archive = archive(platform);
        List<Path> places = List.of(
                config.cache().orElseGet(PostgresBinaries::userCache),
                SYSTEM_CACHE,
                config.directory().resolve("binaries"));
        try {
            String name = platform + "-" + fingerprint(archive);
            for (Path place : places) {
                if (speakable(place) && writable(place) && identity.mayRunFrom(place)) {
                    return new PostgresBinaries(unpack(archive, place, name));
                }
            }
        } catch (IOException e) {
            throw new UnusableDirectory(
                    "PostgreSQL could not be unpacked into one of " + places + ": " + e.getMessage(), e);
        }
        throw new UnusableDirectory("PostgreSQL can't be unpacked anywhere: tried " + places
                + ": make one of them writable (without quotes, dollar signs and backslashes in its name)");
    }

    /** PostgreSQL's programs call each other through a shell, between double quotes. */
    private static boolean speakable(Path place) {
        return place.toString().chars().noneMatch(c -> "\"$`\\\n".indexOf(c) >= 0);
    }

    private static URL archive(Platform platform) throws MissingBinaries {
        @Nullable URL found = PostgresBinaries.class.getResource("/" + platform.archive());
        if (found == null) {
            throw new MissingBinaries("this build of Flowstone carries no PostgreSQL for " + platform
                    + " (no " + platform.archive() + " on the class path): build it on such a machine, or use --db with"
                    + " a PostgreSQL of your own");
        }
        return found;
    }

    static Path userCache() {
        @Nullable String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg != null && xdg.startsWith("/")
                ? Path.of(xdg)
                : Path.of(System.getProperty("user.home", "/nonexistent"), ".cache");
        return base.resolve("flowstone").resolve("postgres");
    }

    private static boolean writable(Path directory) {
        try {
            Files.createDirectories(directory);
            return Files.isWritable(directory);
        } catch (IOException e) {
            return false;
        }
    }

    /** The jar's own checksum and length of the archive: another release has another. */
    private static String fingerprint(URL archive) throws IOException {
        URLConnection connection = archive.openConnection();
        connection.setUseCaches(false);
        if (connection instanceof JarURLConnection jar) {
            try (JarFile file = jar.getJarFile()) {
                return HexFormat.of()
                        .toHexDigits((int) file.getEntry(jar.getEntryName()).getCrc());
            }
        }
        return Long.toHexString(connection.getContentLengthLong());
    }

    private static Path unpack(URL archive, Path place, String name) throws IOException {
        Path home = place.resolve(name);
        if (Files.isDirectory(home)) {
            return home;
        }
        synchronized (UNPACKING) {
            try (FileChannel channel = FileChannel.open(
                            place.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = channel.lock()) {
                if (!Files.isDirectory(home) && lock.isValid()) {
                    removeLeftovers(place, name);
                    Path fresh = Files.createTempDirectory(place, name + ".unpacking-");
                    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
                    Archive.extract(archive, fresh);
                    move(fresh, home);
                }
            }
        }
        return home;
    }

    private static void move(Path fresh, Path home) throws IOException {
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("can't rename " + fresh + " to " + home, e);
        }
    }

    /** Of a process that was killed while it unpacked; the lock is ours, so nobody is at it. */
    private static void removeLeftovers(Path place, String name) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            for (Path leftover : files.filter(
                            file -> file.getFileName().toString().startsWith(name + ".unpacking-"))
                    .toList()) {
                Trees.delete(leftover);
            }
        }
    }
}
