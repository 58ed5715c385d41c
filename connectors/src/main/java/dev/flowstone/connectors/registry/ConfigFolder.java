package dev.flowstone.connectors.registry;

import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.connectors.bind.SchemaFaults;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is set for connectors: the file {@code ID.json} of a folder, a JSON object, for each that needs something. */
public final class ConfigFolder {
    private static final String ENDING = ".json";
    private static final int MOST = 1_000;
    private static final int MOST_BYTES = 64 << 10;

    private ConfigFolder() {}

    /**
     * By the connectors' ids. Other files count for nothing.
     *
     * @throws RefusedConnectorException if the folder can't be read, or one of the files isn't a JSON object of 64 KiB at most
     */
    public static Map<String, JsonObject> read(Path folder) throws RefusedConnectorException {
        Map<String, JsonObject> all = new TreeMap<>();
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> files = entries.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .limit(MOST)
                    .toList();
            for (Path file : files) {
                String name = file.getFileName().toString();
                all.put(name.substring(0, name.length() - ENDING.length()), object(file));
            }
            return all;
        } catch (IOException e) {
            throw new RefusedConnectorException(
                    "the configurations of connectors in " + folder + " can't be read (connector.config): " + e, e);
        }
    }

    private static JsonObject object(Path file) throws IOException, RefusedConnectorException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length <= MOST_BYTES && JsonParser.parse(bytes) instanceof JsonObject object) {
                return object;
            }
            throw new RefusedConnectorException(file + " is no JSON object of " + MOST_BYTES + " bytes at most");
        } catch (JsonSyntaxException e) {
            throw new RefusedConnectorException(file + " is no JSON: " + e.getMessage(), e);
        }
    }

    /**
     * What is set, if it is as the connector wants it.
     *
     * @throws IllegalArgumentException if not; it says where, and what to do
     */
    static JsonObject checked(ConnectorSpec spec, JsonObject config) {
        String file = spec.id() + ENDING;
        if (spec.configSchema().isEmpty()) {
            if (!config.members().isEmpty()) {
                throw new IllegalArgumentException(
                        "it takes no configuration: take " + file + " out of connector.config");
            }
            return config;
        }
        JsonObject schema = GivenSchema.read(spec.configSchema().get(), "its configuration's schema");
        List<ParameterFault> faults = new SchemaFaults(schema).of(config);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "its configuration, " + file + " of connector.config, isn't as it wants it: "
                            + faults.stream()
                                    .map(fault -> fault.path() + ": " + fault.message())
                                    .collect(Collectors.joining("; ")));
        }
        return config;
    }
}
