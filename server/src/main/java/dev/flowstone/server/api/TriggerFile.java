package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.trigger.Triggers.Signer;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.triggers.condition.Activation;
import java.util.List;
import java.util.Optional;

/**
 * A trigger as it is to be, read by the rules of the route that makes one, with what is usual for all that was left out.
 *
 * @param enabled empty if it is left to whoever turns it on and off
 * @param config as a server shows it, without secrets
 * @param secrets of a webhook
 */
public record TriggerFile(
        String workflow,
        String type,
        Optional<Boolean> enabled,
        JsonObject config,
        Optional<String> condition,
        List<String> secrets) {
    public TriggerFile {
        requireNonNull(workflow);
        requireNonNull(type);
        requireNonNull(enabled);
        requireNonNull(config);
        requireNonNull(condition);
        secrets = List.copyOf(secrets);
    }

    /** Reads a body; what is wrong with it is told as the route tells it. */
    public static TriggerFile read(JsonObject body, Activation activation) throws ProblemException {
        TriggerForm form = TriggerForm.fresh(new Body(CanonicalJson.exact(body)).object(), activation);
        return new TriggerFile(
                form.workflow().value(),
                form.kind().word(),
                form.enabled(),
                form.wish().config(),
                form.wish().condition(),
                form.wish().secrets().orElse(List.of()).stream()
                        .map(TriggerFile::secret)
                        .toList());
    }

    private static String secret(Signer signer) {
        return switch (signer) {
            case Signer.Kept() -> TriggerForm.SET;
            case Signer.Fresh fresh -> fresh.secret().text();
        };
    }

    /** What makes it. */
    public JsonObject toCreate() {
        JsonObject.Builder json =
                JsonObject.builder().put(TriggerForm.WORKFLOW, workflow).put(TriggerForm.TYPE, type);
        return rest(json, secrets.isEmpty() ? config : signed());
    }

    /**
     * What makes one that there is equal to it.
     *
     * @param there as a server shows it
     * @param signed whether its secrets are to be these
     */
    public JsonObject toUpdate(JsonObject there, boolean signed) {
        JsonObject.Builder all = JsonObject.builder();
        (signed && !secrets.isEmpty() ? signed() : config).members().forEach(all::put);
        boolean sameSource = config.get("source") != null
                && config.find("source").equals(config(there).find("source"));
        for (String member : config(there).members().keySet()) {
            // Lists of an event trigger stay unless they are taken away.
            if (sameSource && config.get(member) == null) {
                all.put(member, JsonNull.NULL);
            }
        }
        return rest(JsonObject.builder(), all.build());
    }

    private JsonObject rest(JsonObject.Builder json, JsonObject configured) {
        json.put(TriggerForm.CONFIG, configured)
                .put(
                        TriggerForm.CONDITION,
                        condition.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL));
        enabled.ifPresent(it -> json.put(TriggerForm.ENABLED, it));
        return json.build();
    }

    /** Whether one that there is does what this says, whatever its secrets are: nobody is shown those. */
    public boolean describes(JsonObject there) {
        return isOf(there)
                && config.equals(config(there))
                && condition
                        .<JsonValue>map(JsonString::new)
                        .orElse(JsonNull.NULL)
                        .equals(there.find(TriggerForm.CONDITION).orElse(JsonNull.NULL))
                && enabled.map(it -> there.find("configuredEnabled").equals(Optional.of(JsonBoolean.of(it))))
                        .orElse(true);
    }

    /** What one that there is does, without its secrets and whether it is on. */
    public static JsonObject words(JsonObject there) {
        return JsonObject.builder()
                .put(TriggerForm.WORKFLOW, there.find(TriggerForm.WORKFLOW).orElse(JsonNull.NULL))
                .put(TriggerForm.TYPE, there.find(TriggerForm.TYPE).orElse(JsonNull.NULL))
                .put(TriggerForm.CONFIG, config(there))
                .put(TriggerForm.CONDITION, there.find(TriggerForm.CONDITION).orElse(JsonNull.NULL))
                .build();
    }

    /** Whether one that there is can become this: its workflow and its type always stay. */
    public boolean isOf(JsonObject there) {
        return there.find(TriggerForm.WORKFLOW).equals(Optional.of(new JsonString(workflow)))
                && there.find(TriggerForm.TYPE).equals(Optional.of(new JsonString(type)));
    }

    /** Whether one can become the other. */
    public boolean isLike(TriggerFile other) {
        return workflow.equals(other.workflow) && type.equals(other.type);
    }

    private static JsonObject config(JsonObject there) {
        JsonObject.Builder json = JsonObject.builder();
        if (there.get(TriggerForm.CONFIG) instanceof JsonObject config) {
            config.members().forEach((name, value) -> {
                if (!name.equals(TriggerForm.SECRETS)) {
                    json.put(name, value);
                }
            });
        }
        return json.build();
    }

    private JsonObject signed() {
        JsonObject.Builder json = JsonObject.builder();
        config.members().forEach(json::put);
        json.put(
                TriggerForm.SECRETS,
                new JsonArray(secrets.stream().<JsonValue>map(JsonString::new).toList()));
        return json.build();
    }

    /** Without its secrets. */
    @Override
    public String toString() {
        return type + " of " + workflow;
    }
}
