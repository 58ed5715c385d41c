package dev.flowstone.server.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Calls of the command line. */
final class Cli {
    private static final long PATIENCE_SECONDS = 120;

    private Cli() {}

    /** What a call answered. */
    record Said(int exit, String out, String err) {}

    /** In this JVM; for commands that open no database. */
    static Said here(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(new Terminal(new PrintWriter(out), new PrintWriter(err), false), args);
        return new Said(exit, out.toString(), err.toString());
    }

    /** In a process of its own, to its end. */
    static Said process(String... args) throws Exception {
        return Running.start(args).end();
    }

    /** In a process of its own that reads this, to its end. */
    static Said piped(String input, String... args) throws Exception {
        Path file = Files.createTempFile("flowstone-cli", ".in");
        try {
            Files.writeString(file, input);
            return Running.start(ProcessBuilder.Redirect.from(file.toFile()), args)
                    .end();
        } finally {
            Files.delete(file);
        }
    }

    /** A process that still runs. */
    static final class Running implements AutoCloseable {
        private final Process process;
        private final Path err;
        private final BufferedReader out;

        private Running(Process process, Path err) {
            this.process = process;
            this.err = err;
            this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        static Running start(String... args) throws IOException {
            return start(ProcessBuilder.Redirect.PIPE, args);
        }

        private static Running start(ProcessBuilder.Redirect input, String... args) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName()));
            command.addAll(List.of(args));
            return start(new ProcessBuilder(command).redirectInput(input));
        }

        /** Any program. */
        static Running start(ProcessBuilder program) throws IOException {
            Path err = Files.createTempFile("flowstone-cli", ".err");
            Process process = program.redirectError(err.toFile()).start();
            process.getOutputStream().close();
            return new Running(process, err);
        }

        /** Its next line on standard output; fails if there is none. */
        String line() throws IOException {
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError("it ended: " + Files.readString(err));
            }
            return line;
        }

        /** The first line with these words in it, of those to come. */
        String lineWith(String words) throws IOException {
            String line = line();
            while (!line.contains(words)) {
                line = line();
            }
            return line;
        }

        /** Waits until it has said these words on standard error. */
        void errWith(String words) throws IOException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!Files.readString(err).contains(words)) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    throw new AssertionError("it has said: " + Files.readString(err));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }

        /** SIGTERM, as a service manager sends it. */
        void terminate() {
            // The process's own destroy would close the streams that are still to be read.
            process.toHandle().destroy();
        }

        /** SIGKILL, as the kernel sends it when memory is short. */
        void kill() {
            process.toHandle().destroyForcibly();
        }

        /** Any signal by its name, without SIG. */
        void signal(String name) throws Exception {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -" + name + " ended with " + exit);
            }
        }

        Said end() throws Exception {
            String rest = out.readAllAsString();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                kill();
                throw new AssertionError("it does not end");
            }
            return new Said(process.exitValue(), rest, Files.readString(err));
        }

        @Override
        public void close() {
            kill();
            process.onExit().join();
            try {
                Files.deleteIfExists(err);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
