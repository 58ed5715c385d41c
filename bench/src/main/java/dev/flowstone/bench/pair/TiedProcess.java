package dev.flowstone.bench.pair;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A program of the machine, which is asked to end (SIGTERM) when this process does, however that ends. */
final class TiedProcess implements AutoCloseable {
    /** Of a shell that starts the program and waits until its own input ends, which this process alone holds open. */
    private static final String TIE = "trap '' INT; \"$@\" & child=$!; read -r _; kill \"$child\"; wait \"$child\"";

    private final Process shell;

    private TiedProcess(Process shell) {
        this.shell = requireNonNull(shell);
    }

    /**
     * Starts it, as the user whom PostgreSQL works as.
     *
     * @param log to which its output is added
     */
    static TiedProcess start(List<String> command, Map<String, String> environment, Path log) throws IOException {
        List<String> all = new ArrayList<>(List.of("sh", "-c", TIE, "sh"));
        all.addAll(PairPrograms.identity());
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment()
                .keySet()
                .removeIf(name -> Stream.of("ETCD_", "PATRONI_", "PG").anyMatch(name::startsWith));
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        return new TiedProcess(builder.start());
    }

    /** SIGKILL, and for what it has started and not let go of; nothing if it has gone. */
    void kill() {
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
