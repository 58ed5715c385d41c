package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ./flowstone dist} makes runs where it was unpacked, with a JDK and what every system has. */
final class DistTest {
    private static final Path CLONE = Path.of("..").toAbsolutePath().normalize();

    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /** Has a name, as the image's user has: initdb asks for it. */
    private static final String NOBODY = "nobody";

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
    private static final Pattern VARIABLE = Pattern.compile("([A-Z_]+)=(\\S+)");

    @TempDir(factory = TempDirFactory.Standard.class) // what is installed is large, and programs are run from it
    private static Path folder;

    @BeforeAll
    static void unpack() throws Exception {
        assumeTrue(Files.isDirectory(CLONE.resolve("target/app/lib")), "./flowstone check builds it first");
        Files.createDirectory(home());
        Said made = dist("--as-built", "--output", folder.resolve("made").toString());
        assertEquals(0, made.exit(), made::toString);
        Path place = Files.createDirectory(folder.resolve("a place"));
        Said unpacked = program(place, "tar", "-xzf", archive().toString());
        assertEquals(0, unpacked.exit(), unpacked::toString);
        Files.createSymbolicLink(installed(), place.resolve(filesIn(place).getFirst()));
    }

    /** Empty at first. */
    private static Path home() {
        return folder.resolve("home");
    }

    private static Path installed() {
        return folder.resolve("flowstone");
    }

    private static String launcher() {
        return installed().resolve("bin/flowstone").toString();
    }

    private static Path archive() throws IOException {
        Path made = folder.resolve("made");
        return made.resolve(filesIn(made).getFirst());
    }

    private static List<String> filesIn(Path place) throws IOException {
        Path from = place.toRealPath();
        try (Stream<Path> files = Files.walk(from)) {
            return files.skip(1)
                    .map(from::relativize)
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
    }

    private static Said dist(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(CLONE.resolve("build/dist").toString());
        command.addAll(List.of(options));
        return program(CLONE, command.toArray(String[]::new));
    }

    private static Said program(Path directory, String... command) throws Exception {
        try (Cli.Running running = Cli.Running.start(alone(directory, command))) {
            return running.end();
        }
    }

    /** Nothing of this process's environment reaches it. */
    private static ProcessBuilder alone(Path directory, String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        Path java = Path.of(System.getProperty("java.home"));
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "HOME", home().toString()));
        builder.environment().put("JAVA_HOME", java.toString());
        builder.environment().put("XDG_CACHE_HOME", home().resolve(".cache").toString());
        return builder;
    }

    @Test
    void theSameApplicationMakesTheSameBytesWithTheirHashBeside() throws Exception {
        String name = archive().getFileName().toString();
        Path again = folder.resolve("again");

        Said made = dist("--as-built", "--output=" + again);

        assertEquals(0, made.exit(), made::toString);
        assertEquals(-1, Files.mismatch(archive(), again.resolve(name)));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive()));
        String hash = HexFormat.of().formatHex(digest);
        assertEquals(hash + "  " + name + "\n", Files.readString(again.resolve(name + ".sha256")));
        assertTrue(made.out().contains(name), made::out);
        assertTrue(made.out().contains("sha256  " + hash), made::out);
        assertEquals(List.of(name, name + ".sha256"), filesIn(again));
    }

    @Test
    void itSaysTheVersionThatItsNameSaysThoughCalledByALink() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), installed().resolve("bin/flowstone"));

        Said said = program(folder, link.toString(), "--version");

        assertEquals(0, said.exit(), said::err);
        assertTrue(said.out().startsWith("flowstone "), said::out);
        String version = said.out().lines().findFirst().orElse("").replace(' ', '-');
        assertTrue(archive().getFileName().toString().startsWith(version + "-"), said::out);
    }

    @Test
    void aWorkflowRunsAndItsDataIsOutsideOfWhatWasInstalled() throws Exception {
        List<String> before = filesIn(installed());

        Said said = program(installed(), launcher(), "run", "examples/dag/sequence.json");

        assertEquals(0, said.exit(), said::err);
        assertTrue(said.out().contains("\nSucceeded in "), said::out);
        assertTrue(said.out().contains(launcher() + " show "), said::out);
        assertTrue(Files.isDirectory(home().resolve(".local/share/flowstone/postgres")), said::err);
        assertEquals(before, filesIn(installed()));
    }

    @Test
    void itServesUntilItIsToldToStop() throws Exception {
        try (Cli.Running server = Cli.Running.start(alone(folder, launcher(), "serve", "--port", "0"))) {
            server.lineWith("Flowstone is ready: http://127.0.0.1:");
            server.terminate();

            Said said = server.end();

            assertEquals(0, said.exit(), said::err);
        }
    }

    @Test
    void allThatTheContainerFileTakesInIsTheArchive() throws Exception {
        List<String> taken = containerFile()
                .lines()
                .filter(line -> line.startsWith("ADD ") || line.startsWith("COPY "))
                .toList();
        Path place = folder.resolve("a place");
        String top = installed().toRealPath().getFileName().toString();

        assertEquals(List.of("ADD ${ARCHIVE} /opt/"), taken);
        assertTrue(top.startsWith("flowstone-"), top);
        assertTrue(
                filesIn(place).stream().allMatch(file -> file.equals(top) || file.startsWith(top + "/")),
                "the file's /opt/flowstone-* is one folder");
    }

    /** By a user who owns nothing but state and cache, and with nothing in the environment but what the file sets. */
    @Test
    void theContainersEntryPointServesAndEndsAsNobodysRoot() throws Exception {
        boolean root = new UnixSystem().getUid() == 0;
        assumeTrue(!root || Files.isExecutable(SETPRIV), "apt-get install util-linux");
        List<String> before = filesIn(installed());
        Path state = Files.createDirectory(folder.resolve("state"));
        Path cache = Files.createDirectories(folder.resolve("cache/flowstone"));
        List<String> command = new ArrayList<>();
        if (root) {
            command.addAll(List.of(
                    SETPRIV.toString(),
                    "--reuid=" + NOBODY,
                    "--regid=65534",
                    "--clear-groups",
                    "--no-new-privs",
                    "--"));
            for (Path own : List.of(state, cache)) {
                Files.setOwner(
                        own, own.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
            }
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        }
        String file = containerFile()
                .replace("/opt/flowstone/", installed() + "/")
                .replace("/var/lib/flowstone", state.toString())
                .replace("/var/cache", folder.resolve("cache").toString());
        command.addAll(words(file, "ENTRYPOINT"));
        command.addAll(words(file, "CMD"));
        command.addAll(List.of("--port", "0"));
        ProcessBuilder builder = alone(state, command.toArray(String[]::new));
        builder.environment().keySet().retainAll(Set.of("PATH", "JAVA_HOME"));
        String set = file.substring(file.indexOf("ENV "), file.indexOf("USER "));
        VARIABLE.matcher(set)
                .results()
                .forEach(variable -> builder.environment().put(variable.group(1), variable.group(2)));

        try (Cli.Running server = Cli.Running.start(builder)) {
            server.lineWith("Flowstone is ready: http://127.0.0.1:");
            server.terminate();

            Said said = server.end();

            assertEquals(0, said.exit(), said::err);
        }
        assertTrue(Files.isDirectory(state.resolve("data")), "the volume has the database");
        assertEquals(before, filesIn(installed()));
    }

    private static String containerFile() throws IOException {
        return Files.readString(CLONE.resolve("deploy/container/Containerfile"));
    }

    /** Of an instruction that has a line of its own, in the form of a JSON array. */
    private static List<String> words(String file, String instruction) {
        return file.lines()
                .filter(line -> line.startsWith(instruction + " ["))
                .flatMap(line -> QUOTED.matcher(line).results())
                .map(word -> word.group(1))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--outputs=x", "--output", "--output=", "here"})
    void optionsThatCannotBeMeantExitWith2(String option) throws Exception {
        Said said = dist(option);

        assertEquals(2, said.exit(), said::toString);
        assertEquals("", said.out());
        assertTrue(said.err().contains("./flowstone dist --help"), said::err);
    }
}
