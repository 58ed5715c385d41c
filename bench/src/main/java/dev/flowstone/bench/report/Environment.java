package dev.flowstone.bench.report;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.ServerFacts;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Where and with what it was measured. What can't be found out here is left out. */
public final class Environment {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final Path KERNEL = Path.of("/proc/sys/kernel/osrelease");

    private Environment() {}

    /**
     * As it is now.
     *
     * @param pooled whether a PgBouncer stood before the server
     */
    public static JsonObject of(ServerFacts postgres, boolean pooled, Instant now) {
        JsonObject.Builder settings = JsonObject.builder();
        new TreeMap<>(postgres.settings()).forEach(settings::put);
        return JsonObject.builder()
                .put("date", now.toString())
                .putIfPresent("commit", commit())
                .putIfPresent("cpu", value(PROCESSORS, "model name"))
                .put("cores", Runtime.getRuntime().availableProcessors())
                .putIfPresent("memory", value(MEMORY, "MemTotal"))
                .putIfPresent("load_before", first(LOAD))
                .put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .putIfPresent("kernel", first(KERNEL))
                .put("java", System.getProperty("java.vm.name") + " " + Runtime.version())
                .put("heap_mb", Runtime.getRuntime().maxMemory() >> 20)
                .put(
                        "java_flags",
                        String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()))
                .put("postgres", postgres.version())
                .put("pgbouncer", pooled)
                .put(
                        "fsync",
                        Optional.ofNullable(postgres.settings().get("fsync")).orElse("unknown"))
                .put("postgres_settings", settings.build())
                .build();
    }

    /** Of the working copy that this code was built in, with a note if something in it was changed since. */
    private static Optional<String> commit() {
        Optional<String> head = git(List.of("rev-parse", "HEAD"));
        return head.map(hash -> hash
                + (git(List.of("status", "--porcelain", "--untracked-files=no"))
                                .orElse("")
                                .isEmpty()
                        ? ""
                        : " with changes"));
    }

    private static Optional<String> git(List<String> words) {
        try {
            Path here = Path.of(Environment.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path folder = Files.isDirectory(here) ? here : here.toAbsolutePath().getParent();
            Process process = new ProcessBuilder(
                            Stream.concat(Stream.of("git", "-C", String.valueOf(folder)), words.stream())
                                    .toList())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            try (InputStream out = process.getInputStream()) {
                String said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
                return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (Exception e) {
            return Optional.empty(); // No git, or no working copy: then nobody knows.
        }
    }

    private static Optional<String> first(Path file) {
        return lines(file).stream().findFirst();
    }

    private static Optional<String> value(Path file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip());
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The same, for people. */
    public static List<String> lines(JsonObject environment) {
        return environment.members().entrySet().stream()
                .filter(member -> !(member.getValue() instanceof JsonObject))
                .sorted(Map.Entry.comparingByKey())
                .map(member -> member.getKey() + ": " + member.getValue())
                .toList();
    }
}
