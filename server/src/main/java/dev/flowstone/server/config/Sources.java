package dev.flowstone.server.config;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where values come from, the strongest first: flags, environment, file.
 *
 * @param flags by setting name
 */
public record Sources(
        Map<String, String> flags, Map<String, String> environment, Map<String, String> file, String fileName) {
    /** The variable that names the file, if no flag does. */
    public static final String FILE_VARIABLE = "FLOWSTONE_CONFIG";

    private static final Pattern MEMBER = Pattern.compile("[a-z]+\\.([a-z0-9][a-z0-9-]{0,62})\\.[A-Za-z]+");

    public Sources {
        flags = Map.copyOf(flags);
        environment = Map.copyOf(environment);
        file = Map.copyOf(file);
    }

    /** Reads the file that is named, if one is; refuses names that are no settings, in file and flags. */
    public static Sources of(Map<String, String> flags, Map<String, String> environment, Optional<Path> named)
            throws ConfigException {
        Optional<Path> path = named.or(() -> Optional.ofNullable(environment.get(FILE_VARIABLE))
                .filter(it -> !it.isBlank())
                .map(Path::of));
        Map<String, String> file = path.isPresent() ? read(path.get()) : Map.of();
        String fileName = path.map(Path::toString).orElse("");
        known(flags, "--set");
        known(file, fileName);
        return new Sources(flags, environment, file, fileName);
    }

    <T> T value(Setting<T> setting) throws ConfigException {
        String flag = flags.get(setting.name());
        if (flag != null) {
            return setting.parse(flag, "flag");
        }
        String variable = environment.get(setting.variable());
        if (variable != null) {
            return setting.parse(variable, setting.variable());
        }
        String inFile = file.get(setting.name());
        return inFile != null ? setting.parse(inFile, fileName) : setting.parse(setting.otherwise(), "default");
    }

    /**
     * The names that a family of settings is given for, whoever gives them. In the environment {@code FLOWSTONE_WEBHOOK_MY_SHOP_URL} is
     * of {@code my-shop}.
     */
    Set<String> names(String family) {
        Set<String> names = new TreeSet<>();
        Stream.of(flags, file)
                .flatMap(values -> values.keySet().stream())
                .filter(name -> name.startsWith(family + "."))
                .forEach(name -> memberName(name).ifPresent(names::add));
        Pattern variables = variables(family);
        for (String variable : environment.keySet()) {
            Matcher parts = variables.matcher(variable);
            if (parts.matches()) {
                names.add(parts.group(1).toLowerCase(Locale.ROOT).replace('_', '-'));
            }
        }
        return names;
    }

    /** The shortest name counts, so that FLOWSTONE_WEBHOOK_SHOP_PREVIOUS_SECRET is of shop, and no secret of shop-previous. */
    private static Pattern variables(String family) {
        String members = Settings.all().stream()
                .filter(setting -> setting.isFamily() && setting.name().startsWith(family + "."))
                .map(setting -> setting.variable().replaceFirst(".*_NAME_", ""))
                .collect(Collectors.joining("|"));
        return Pattern.compile("FLOWSTONE_" + family.toUpperCase(Locale.ROOT) + "_([A-Z0-9_]+?)_(?:" + members + ")");
    }

    /** Of {@code webhook.shop.url} it is {@code shop}; empty if it is no name. */
    static Optional<String> memberName(String setting) {
        Matcher parts = MEMBER.matcher(setting);
        return parts.matches() ? Optional.of(parts.group(1)) : Optional.empty();
    }

    private static void known(Map<String, String> values, String source) throws ConfigException {
        for (String name : values.keySet()) {
            if (Settings.named(name).isEmpty()) {
                throw new ConfigException(
                        "there is no setting '" + name + "' (" + source + "); `flowstone serve --help` lists them");
            }
        }
    }

    private static Map<String, String> read(Path path) throws ConfigException {
        try {
            if (path.toString().endsWith(".properties")) {
                return properties(path);
            }
            Map<String, String> values = new LinkedHashMap<>();
            flatten("", JsonParser.parse(Files.readAllBytes(path)), values, path);
            return values;
        } catch (JsonSyntaxException e) {
            throw new ConfigException(path + ":" + e.line() + ":" + e.column() + ": " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw new ConfigException("there is no configuration file " + path);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("the configuration " + path + " can't be read: " + e.getMessage());
        }
    }

    private static Map<String, String> properties(Path path) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        Map<String, String> values = new LinkedHashMap<>();
        properties.forEach((name, value) -> values.put(name.toString(), value.toString()));
        return values;
    }

    private static void flatten(String prefix, JsonValue value, Map<String, String> values, Path path)
            throws ConfigException {
        switch (value) {
            case JsonObject object -> {
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    String name = prefix.isEmpty() ? member.getKey() : prefix + "." + member.getKey();
                    flatten(name, member.getValue(), values, path);
                }
            }
            case JsonString(String text) -> values.put(prefix, text);
            case JsonNumber number -> values.put(prefix, number.decimalValue().toPlainString());
            case JsonBoolean flag -> values.put(prefix, Boolean.toString(flag.value()));
            default -> throw new ConfigException("'" + prefix + "' in " + path + " is text, a number, true or false");
        }
    }
}
