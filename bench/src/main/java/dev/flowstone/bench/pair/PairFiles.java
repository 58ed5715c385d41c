package dev.flowstone.bench.pair;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The files of {@code deploy/ha}, filled in for one machine as an operator fills them in for several: names, addresses, passwords. Beside
 * that only folders differ, and the watchdog, which would reset the machine.
 *
 * @param network the first three numbers of every address, and a dot
 * @param password for all
 */
record PairFiles(String network, Path folder, String password) {
    static final String SUPERUSER = "postgres";
    static final List<String> SERVERS = List.of("db-1", "db-2");

    /** Members of etcd; the servers are among them. */
    static final Map<String, Integer> HOSTS = Map.of("db-1", 11, "db-2", 12, "node-3", 13);

    private static final String EXAMPLE = "10.0.0.";
    private static final String THIS_SERVER = "# this server";

    PairFiles {
        requireNonNull(network);
        requireNonNull(folder);
        requireNonNull(password);
    }

    String address(String name) {
        return network + requireNonNull(HOSTS.get(name), name);
    }

    /** What is a server's, or a member's, own. */
    Path place(String name) {
        return folder.resolve(name);
    }

    /** Of PostgreSQL. */
    Path data(String server) {
        return place(server).resolve("data");
    }

    /** Patroni's configuration of a server. */
    String patroni(String server) throws IOException {
        String text = text("patroni.yml.example")
                .lines()
                .map(line -> line.endsWith(THIS_SERVER) ? own(line, server) : line)
                .collect(Collectors.joining("\n", "", "\n"));
        Map<String, String> others = new LinkedHashMap<>();
        others.put("/var/lib/postgresql/15/flowstone", data(server).toString());
        others.put("/run/postgresql/pgpass", place(server).resolve("pgpass").toString());
        others.put("/var/run/postgresql", place(server).toString());
        others.put("10.0.0.0/24", "127.0.0.0/8");
        others.put("mode: automatic", "mode: \"off\"");
        for (int i = 1; i <= 4; i++) {
            others.put("CHANGE-ME-" + i, password);
        }
        others.put(EXAMPLE, network);
        return filled(text, others);
    }

    /** The environment of a member of etcd. */
    Map<String, String> etcd(String member) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String line : text("etcd.env.example").lines().toList()) {
            if (!line.startsWith("#")) {
                String[] parts = line.split("=", 2);
                String value = parts[0].equals("ETCD_INITIAL_CLUSTER") ? parts[1] : own(parts[1], member);
                environment.put(parts[0], value.replace(EXAMPLE, network));
            }
        }
        environment.computeIfPresent(
                "ETCD_DATA_DIR", (_, _) -> place(member).resolve("etcd").toString());
        return environment;
    }

    private static String own(String text, String name) {
        return text.replace("db-1", name).replace(EXAMPLE + "11", EXAMPLE + HOSTS.get(name));
    }

    /** Each of them has to be there: an example that has become another one would be tried in part only. */
    private static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> each : values.entrySet()) {
            if (!filled.contains(each.getKey())) {
                throw new IllegalStateException("deploy/ha/patroni.yml.example has no " + each.getKey() + " any more");
            }
            filled = filled.replace(each.getKey(), each.getValue());
        }
        return filled;
    }

    private static String text(String example) throws IOException {
        try (InputStream in = requireNonNull(PairFiles.class.getResourceAsStream(example), example)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
