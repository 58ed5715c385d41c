package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A browser shows the page, under its policy and without a network. */
final class DocsPageInBrowserTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final int PATIENCE_SECONDS = 120;

    /** What a browser made of a page, and what it complained about. */
    private record Shown(String page, List<String> complaints) {}

    private static Shown browse(Path home, String address, String... how) throws IOException, InterruptedException {
        Path page = home.resolve("page.html");
        Path complaints = home.resolve("complaints.log");
        List<String> command = new ArrayList<>(List.of(
                CHROMIUM.toString(),
                "--headless",
                // Tests may run as root, and in containers.
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                // Nothing but this machine: other names lead nowhere.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--disable-background-networking",
                "--enable-logging=stderr",
                "--user-data-dir=" + home.resolve("profile"),
                // High enough for all of it: what is further down is drawn only when somebody scrolls there.
                "--window-size=1200,20000",
                "--virtual-time-budget=20000"));
        command.addAll(List.of(how));
        command.add(address);
        Process browser = new ProcessBuilder(command)
                .redirectOutput(page.toFile())
                .redirectError(complaints.toFile())
                .start();
        try {
            assertTrue(browser.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "the browser doesn't end");
            assertEquals(0, browser.exitValue(), () -> "the browser failed: " + complaints);
        } finally {
            browser.destroyForcibly();
        }
        return new Shown(
                Files.readString(page),
                Files.readAllLines(complaints).stream()
                        .filter(line -> line.contains("CONSOLE") || line.contains("Content Security Policy"))
                        .toList());
    }

    @Test
    void theApiIsShownWithoutAComplaint(@TempDir Path home) throws Exception {
        assumeTrue(Files.isExecutable(CHROMIUM), "Debian's chromium is not here: apt-get install chromium");
        try (RestFixture rest = new RestFixture()) {
            String address = "http://127.0.0.1:" + rest.port() + "/api/v1/docs";
            Shown shown = browse(home, address, "--dump-dom");

            for (String told : List.of("Flowstone", "Workflows", "Workers", "Lists workflows by id")) {
                assertTrue(shown.page().contains(told), () -> told + " is not shown: " + shown.page());
            }
            Shown opened = browse(home, address + "#/Executions/executeWorkflow", "--dump-dom");
            // To look at.
            Shown _ = browse(
                    home,
                    address,
                    "--screenshot=" + Path.of("target", "docs-page.png").toAbsolutePath());

            assertFalse(shown.page().contains("Failed to load API definition"), shown.page());
            assertTrue(opened.page().contains("Starts the open draft"), "the operation is not opened");
            assertEquals(List.of(), shown.complaints());
            assertEquals(List.of(), opened.complaints());
        }
    }
}
