package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a JVM of tests leaves that is killed. */
final class LeftFolderTest {
    private record Owner(Process process, Path folder, long server) {
        static Owner start() throws IOException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LeftFolderMain.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            String[] words = line.split(" ", -1);
            return new Owner(process, Path.of(words[0]), Long.parseLong(words[1]));
        }

        void end() throws IOException, InterruptedException {
            process.getOutputStream().close();
            assertEquals(0, process.waitFor());
        }
    }

    @Test
    void theNextOneRemovesIt() throws Exception {
        Owner living = Owner.start();
        assumeTrue(living.folder().startsWith("/dev/shm"), "no room in memory");
        Owner killed = Owner.start();
        killed.process().destroyForcibly().waitFor();
        assertTrue(TestProcesses.isAlive(killed.server()), "a server outlives its JVM");
        // A number in a file of the folder's that is another process's by now.
        Path strange = Files.createDirectories(killed.folder().resolve("strange"));
        Files.writeString(strange.resolve("postmaster.pid"), living.server() + "\n");

        Owner next = Owner.start();

        assertFalse(Files.exists(killed.folder().getParent()));
        assertFalse(TestProcesses.isAlive(killed.server()));
        assertTrue(Files.exists(living.folder()));
        assertTrue(TestProcesses.isAlive(living.server()));
        next.end();
        living.end();
    }
}
