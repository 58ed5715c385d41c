import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code ./flowstone check [module...]}: every gate and every test of all modules, or of those named and the ones that
 * they stand on.
 *
 * <p>Builds what a user would start, checks the format, compiles, and runs {@code mvn verify} without stopping at the first failed
 * test. Prints a line for each module, then each failure, and last {@code N passed, N failed, N skipped}, which is counted
 * from the test reports of this run; a gate that failed (compiler, formatter, a test JVM that died, a test that
 * {@code docs/dataflow-coverage.md} names and that did not run, refusals of the API's document that no test was given) counts as one
 * failure.
 * The document of the API, as the server's tests were served it, is looked at by Spectral, which npm installs in {@code target}.
 * Exits 1 if anything failed. With {@code CI=true} a skipped test or a missing {@code ../shared} fails too, so that nothing
 * can quietly stop being tested. The whole story is in {@code target/check.log}.
 */
public final class Check {
    /** Seeds of the fault simulator: so many that every kind of thing has to happen a thousand times (docs/simulation.md). */
    private static final int SIMULATIONS = 20_000;

    /** Modules that are looked at and compiled side by side: one for each processor. They are tested one after another, lest they disturb each other. */
    private static final String AT_ONCE = "1C";

    /** With what installs Spectral. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path home;
    private final Path shared;
    private final Path log;
    private final boolean strict = "true".equals(System.getenv("CI"));

    /** Each a paragraph: what failed, and under it why. */
    private final List<String> failures = new ArrayList<>();

    private int passed;
    private int skipped;

    private Check(Path home) {
        this.home = home;
        this.shared = home.resolveSibling("shared");
        this.log = home.resolve("target/check.log");
    }

    public static void main(String[] args) throws Exception {
        List<String> modules = List.of(args).subList(1, args.length);
        System.exit(new Check(Path.of(args[0])).run(modules) ? 0 : 1);
    }

    private boolean run(List<String> modules) throws Exception {
        Files.createDirectories(log.getParent());
        Files.writeString(log, "");
        for (Path report : Reports.files(home)) {
            Files.delete(report);
        }
        Files.deleteIfExists(document());
        Files.deleteIfExists(Refusals.file(home));
        // The server's tests start ./flowstone, which must not begin to build under the feet of the build below.
        boolean server = modules.isEmpty() || modules.contains("server");
        boolean built = false;
        if (!server || gate("build/app", List.of(home.resolve("build/app").toString()))) {
            gate("The format (mvn spotless:apply mends it)", maven(modules, "-T", AT_ONCE, "spotless:check"));
            // What doesn't compile isn't tested: whoever broke it knows sooner. Jars are made, too, since one that is
            // new has what stands on it compiled again.
            built = gate(
                            "The compiler",
                            maven(modules, "-T", AT_ONCE, "-DskipTests", "-Dspotless.check.skip", "package"))
                    && gate(
                            "mvn verify",
                            maven(modules, "-Dmaven.test.failure.ignore", "-Dspotless.check.skip", "verify"));
        }
        List<Reports.Result> results = Reports.read(home);
        count(results);
        if (built && modules.isEmpty()) {
            compareWithTheCoverage(results);
        }
        if (server) {
            if (built) {
                compareWithTheDocument();
            }
            lint();
        }
        lookForTheSharedSuites();
        return tell();
    }

    private List<String> maven(List<String> modules, String... goals) {
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-Dstyle.color=never", "--fail-at-end"));
        command.add("-Dflowstone.shared=" + shared);
        command.add("-Dflowstone.simulations=" + SIMULATIONS);
        if (!modules.isEmpty()) {
            command.addAll(List.of("-am", "-pl", String.join(",", modules)));
        }
        command.addAll(List.of(goals));
        return command;
    }

    /** Runs a command that must succeed. All that it says goes to the log; if it fails, its errors are one failure. */
    private boolean gate(String name, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        Progress progress = new Progress();
        progress.show(name);
        Errors errors = new Errors();
        try (Stream<String> lines = process.inputReader().lines();
                PrintWriter out = new PrintWriter(Files.newBufferedWriter(log, StandardOpenOption.APPEND), true)) {
            lines.peek(out::println).peek(progress::see).forEach(errors::see);
        }
        progress.endModule();
        progress.show("");
        boolean succeeded = process.waitFor() == 0;
        if (!succeeded) {
            failures.add(name + " failed\n" + indented(errors.text(), 40));
        }
        return succeeded;
    }

    private void count(List<Reports.Result> results) {
        for (Reports.Result result : results) {
            switch (result.outcome()) {
                case PASSED -> passed++;
                case SKIPPED -> skipped++;
                case FAILED -> failures.add(result.type() + "." + result.name() + "\n" + indented(result.why(), 8));
            }
        }
    }

    /** Each test that the coverage of a specification names has run; of some modules alone nothing can be said. */
    private void compareWithTheCoverage(List<Reports.Result> results) throws Exception {
        Coverage coverage = Coverage.of(home, results);
        System.out.println(coverage.summary());
        if (!coverage.faults().isEmpty()) {
            failures.add("The coverage of the specification\n" + indented(String.join("\n", coverage.faults()), 40));
        }
    }

    /** Each refusal that the API's document names was given to some test. */
    private void compareWithTheDocument() throws Exception {
        Refusals refusals = Refusals.of(home);
        System.out.println(refusals.summary());
        if (!refusals.faults().isEmpty()) {
            failures.add("The refusals of the API's document\n" + indented(String.join("\n", refusals.faults()), 40));
        }
    }

    /** Where OpenApiTest leaves what it was served. */
    private Path document() {
        return home.resolve("server/target/openapi.json");
    }

    /** Looks at the API's document with Spectral. */
    private void lint() throws IOException, InterruptedException {
        if (!Files.exists(document())) {
            failures.add("The API's document could not be looked at\n    OpenApiTest left none in " + document());
            return;
        }
        if (installed()) {
            Path spectral = home.resolve("target/lint/node_modules/.bin/spectral");
            gate(
                    "The API's document (Spectral)",
                    List.of(
                            spectral.toString(),
                            "lint",
                            "--fail-severity",
                            "warn",
                            "--ruleset",
                            home.resolve("build/lint/spectral.yaml").toString(),
                            document().toString()));
        }
    }

    /** Whether Spectral is there, in the versions of build/lint; npm installs it if it isn't. */
    private boolean installed() throws IOException, InterruptedException {
        Process install = new ProcessBuilder(home.resolve("build/lint/install").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        if (!install.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            install.descendants().forEach(ProcessHandle::destroyForcibly);
            install.destroyForcibly();
            return unlinted("npm has not installed Spectral within " + PATIENCE.toMinutes() + " minutes");
        }
        return install.exitValue() == 0 || unlinted("npm is not there, or can't install Spectral (" + log + ")");
    }

    private boolean unlinted(String why) {
        System.out.println("The API's document was not looked at: " + why);
        skipped++;
        return false;
    }

    private void lookForTheSharedSuites() {
        if (!Files.isDirectory(shared)) {
            String missing = "The suites in " + shared + " could not run: it is not there";
            if (strict) {
                failures.add(missing);
            } else {
                System.out.println(missing);
            }
        }
    }

    private boolean tell() {
        failures.forEach(failure -> System.out.println("\nFAILED " + failure));
        if (!failures.isEmpty()) {
            System.out.println("\nThe whole log: " + log);
        }
        boolean incomplete = strict && skipped > 0;
        if (incomplete) {
            System.out.println("\nWhere CI=true, a skipped test fails the check.");
        }
        System.out.printf(Locale.ROOT, "%d passed, %d failed, %d skipped%n", passed, failures.size(), skipped);
        return failures.isEmpty() && !incomplete;
    }

    private static String indented(String text, int most) {
        List<String> lines = text.strip().lines().toList();
        String shown = String.join("\n    ", lines.subList(0, Math.min(most, lines.size())));
        return "    " + shown + (lines.size() > most ? "\n    (" + (lines.size() - most) + " more lines)" : "");
    }

    /** Picks from a build's talk what went wrong, or its last lines if nothing looks like it. */
    private static final class Errors {
        /** Advice on Maven, its stack traces, and how the formatter shows differences: the names of the files are enough. */
        private static final Pattern NOISE = Pattern.compile("\\[Help \\d]|[Rr]e-run Maven|For more information"
                + "|After correcting|mvn <args>|COMPILATION ERROR|didn't fit|^\\[ERROR] (\tat .*| {8}.*)?$");

        private final List<String> errors = new ArrayList<>();
        private final List<String> last = new ArrayList<>();

        void see(String line) {
            last.add(line);
            if (last.size() > 10) {
                last.removeFirst();
            }
            // A compiler's warning is an error here.
            boolean error = line.startsWith("[ERROR] ") || line.startsWith("[WARNING] ") && line.contains(".java:[");
            if (error && !NOISE.matcher(line).find() && !errors.contains(line)) {
                errors.add(line);
            }
        }

        String text() {
            return String.join("\n", errors.isEmpty() ? last : errors);
        }
    }

    /** Follows Maven's talk and prints a line when a module is done that has tests; on a terminal also what is running. */
    private static final class Progress {
        private static final String CLEAR = "\r\033[K";
        private static final Pattern MODULE = Pattern.compile("-+< dev\\.flowstone:flowstone-(\\S+) >-+");
        private static final Pattern TEST_CLASS = Pattern.compile("Running (\\S+)");
        private static final Pattern TESTS_OF_MODULE =
                Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)$");

        private final boolean terminal =
                System.console() != null && System.console().isTerminal();
        private String module = "";

        /** Of the module: passed, failed, skipped. It may have several goes at its tests. */
        private final int[] tests = new int[3];

        private long began = System.nanoTime();

        void see(String line) {
            Matcher next = MODULE.matcher(line);
            Matcher counts = TESTS_OF_MODULE.matcher(line);
            Matcher running = TEST_CLASS.matcher(line);
            if (next.find()) {
                endModule();
                module = next.group(1);
                began = System.nanoTime();
                show(module);
            } else if (counts.find()) {
                int failed = Integer.parseInt(counts.group(2)) + Integer.parseInt(counts.group(3));
                int skipped = Integer.parseInt(counts.group(4));
                tests[0] += Integer.parseInt(counts.group(1)) - failed - skipped;
                tests[1] += failed;
                tests[2] += skipped;
            } else if (running.find()) {
                show("%-14s %s".formatted(module, running.group(1)));
            }
        }

        /** What is going on, in a line that the next one overwrites. */
        void show(String what) {
            if (terminal) {
                System.out.print(CLEAR + what);
                System.out.flush();
            }
        }

        void endModule() {
            if (Arrays.stream(tests).sum() > 0) {
                double seconds = (System.nanoTime() - began) / 1e9;
                show("");
                System.out.printf(
                        Locale.ROOT,
                        "%-14s %6.1f s  %d passed, %d failed, %d skipped%n",
                        module,
                        seconds,
                        tests[0],
                        tests[1],
                        tests[2]);
            }
            Arrays.fill(tests, 0);
        }
    }
}
