package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** JSON as an argument, or {@code @FILE} with it. */
final class JsonArgument {
    private JsonArgument() {}

    static JsonValue parse(String flag, String text) throws UsageException {
        boolean named = text.startsWith("@");
        String where = named ? text.substring(1) : flag;
        byte[] bytes = named ? Definitions.read(path(where)) : text.getBytes(StandardCharsets.UTF_8);
        try {
            return JsonParser.parse(bytes);
        } catch (JsonSyntaxException e) {
            String advice = !named && isFile(text) ? "; to read a file, write " + flag + " @" + text : "";
            throw new UsageException(where + ":" + e.line() + ":" + e.column() + ": " + e.getMessage() + advice);
        }
    }

    /** JSON, or text that is none, as it is. */
    static JsonValue orText(String text) {
        try {
            return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            return new JsonString(text);
        }
    }

    private static Path path(String name) throws UsageException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UsageException("'" + name + "' is no file's name");
        }
    }

    private static boolean isFile(String name) {
        try {
            return Files.exists(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
