package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.TriggerFile;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.triggers.condition.Activation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads triggers in files: the body that {@code POST /triggers} takes, with a {@code name} besides (the file's, if left out),
 * since a server knows triggers by ids that it gives. A secret is written {@code env:VARIABLE}, so that none stands in a file.
 */
public final class TriggerReader {
    private static final String NAME = "name";
    private static final String CONFIG = "config";
    private static final String SECRETS = "secrets";
    private static final String FROM = "env:";
    private static final String TAKEN = "$set";
    private static final String NAMES = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

    private final Activation activation;
    private final Map<String, String> environment;

    public TriggerReader(Activation activation, Map<String, String> environment) {
        this.activation = requireNonNull(activation);
        this.environment = Map.copyOf(environment);
    }

    Optional<Piece> read(Path file, JsonParser.Located document, JsonObject object, List<Flaw> flaws) {
        JsonValue given = object.find(NAME).orElseGet(() -> new JsonString(Folder.stem(file)));
        if (!(given instanceof JsonString(String name)) || !name.matches(NAMES)) {
            flaws.add(flaw(
                    file,
                    document,
                    FolderFault.INVALID_NAME,
                    "/" + NAME,
                    "a trigger's name is 1 to 100 of letters, digits, '.', '_' and '-', with a letter or digit first",
                    "give it such a 'name'"));
            return Optional.empty();
        }
        Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
        members.remove(NAME);
        JsonObject said = JsonObject.of(members);
        List<String> missing = missing(said);
        for (String variable : missing) {
            flaws.add(flaw(
                    file,
                    document,
                    FolderFault.SECRET_MISSING,
                    "/" + CONFIG + "/" + SECRETS,
                    "the variable " + variable + " is to have a secret, and is not set",
                    "set it for this call: " + variable + "=whsec_…"));
        }
        boolean spoken = secrets(said).stream().anyMatch(TriggerReader::isSpoken);
        if (spoken) {
            // Never with the secret itself: it would stand in the build's log.
            flaws.add(flaw(
                    file,
                    document,
                    FolderFault.SECRET_IN_FILE,
                    "/" + CONFIG + "/" + SECRETS,
                    "a secret stands in this file, where everybody reads it who may read the folder",
                    "write env:VARIABLE, set that, and replace the secret: it is known"));
        }
        if (spoken || !missing.isEmpty()) {
            return Optional.empty();
        }
        try {
            TriggerFile form = form(said);
            if (form.secrets().contains(TAKEN)) {
                flaws.add(flaw(
                        file,
                        document,
                        FolderFault.TRIGGER_FORM,
                        "/" + CONFIG + "/" + SECRETS,
                        "'$set' stands for a secret that a server has, and a file says what is to be",
                        "write env:VARIABLE, and set that"));
                return Optional.empty();
            }
            return Optional.of(new Piece.Trigger(file, name, said, form));
        } catch (ProblemException e) {
            flaws.addAll(flaws(file, document, e));
            return Optional.empty();
        }
    }

    /** What such words mean, with the secrets as they are now. */
    TriggerFile form(JsonObject said) throws ProblemException {
        return TriggerFile.read(resolved(said), activation);
    }

    private static boolean isSpoken(JsonValue secret) {
        return secret instanceof JsonString(String text) && !text.startsWith(FROM) && !text.equals(TAKEN);
    }

    private List<String> missing(JsonObject said) {
        List<String> missing = new ArrayList<>();
        for (JsonValue secret : secrets(said)) {
            if (secret instanceof JsonString(String text)
                    && text.startsWith(FROM)
                    && environment
                            .getOrDefault(text.substring(FROM.length()), "")
                            .isEmpty()) {
                missing.add(text.substring(FROM.length()));
            }
        }
        return missing;
    }

    private JsonObject resolved(JsonObject said) {
        if (secrets(said).isEmpty() || !(said.get(CONFIG) instanceof JsonObject config)) {
            return said;
        }
        List<JsonValue> secrets = secrets(said).stream().map(this::resolved).toList();
        return with(said, CONFIG, with(config, SECRETS, new JsonArray(secrets)));
    }

    private JsonValue resolved(JsonValue secret) {
        return secret instanceof JsonString(String text) && text.startsWith(FROM)
                ? new JsonString(environment.getOrDefault(text.substring(FROM.length()), ""))
                : secret;
    }

    private static JsonObject with(JsonObject object, String name, JsonValue value) {
        Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
        members.put(name, value);
        return JsonObject.of(members);
    }

    private static List<JsonValue> secrets(JsonObject said) {
        return said.get(CONFIG) instanceof JsonObject config
                        && config.get(SECRETS) instanceof JsonArray(List<JsonValue> secrets)
                ? secrets
                : List.of();
    }

    /** The places are those in the file: what the rules have read is written otherwise. */
    private static List<Flaw> flaws(Path file, JsonParser.Located document, ProblemException e) {
        List<Fault> faults = e.problem().faults();
        if (faults.isEmpty()) {
            return List.of(flaw(
                    file,
                    document,
                    FolderFault.TRIGGER_FORM,
                    "",
                    e.problem().detail(),
                    "docs/triggers.md says what a trigger has"));
        }
        return faults.stream()
                .map(it -> flaw(file, document, FolderFault.TRIGGER_FORM, it.pointer(), it.message(), it.remedy()))
                .toList();
    }

    private static Flaw flaw(
            Path file, JsonParser.Located document, FolderFault code, String pointer, String message, String remedy) {
        JsonParser.Place place = document.place(pointer);
        return new Flaw(file, code.at(pointer, place.line(), place.column(), message, remedy));
    }
}
