package dev.flowstone.server.effect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.connectors.catalog.DescribedAction;
import dev.flowstone.connectors.core.EngineActions;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.ActionDescription.Parameter;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the catalog says of Flowstone's own actions is what they take, and another thing is another version. */
final class DescribedActionsTest {
    /** An action and its version in each line, and both schemas. {@code -Dflowstone.golden=write} writes it. */
    private static final Path WRITTEN = Path.of("src/test/resources/catalog/own-actions.txt");

    private static List<DescribedAction> described() {
        List<DescribedAction> all = new ArrayList<>(EngineActions.described());
        all.addAll(ServerActions.described());
        return all;
    }

    private static Map<HandlerName, ActionDescription> taken() {
        HandlerRegistry.Builder all = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .described(HttpAction.DESCRIPTION)
                .described(TemplateRenderAction.DESCRIPTION);
        WebhookAction.register(all, Set.of());
        return all.build().actions();
    }

    private static Set<String> properties(DescribedAction action) {
        return action.parameterSchema()
                .find("properties")
                .map(it -> ((JsonObject) it).members().keySet())
                .orElse(Set.of());
    }

    private static Set<String> required(DescribedAction action) {
        return action.parameterSchema().find("required").stream()
                .flatMap(it -> ((JsonArray) it).items().stream())
                .map(it -> ((JsonString) it).value())
                .collect(Collectors.toSet());
    }

    @Test
    void schemasNameTheParametersThatTheActionsTake() {
        Map<HandlerName, ActionDescription> taken = taken();
        assertEquals(
                taken.keySet().stream().map(HandlerName::value).collect(Collectors.toSet()),
                described().stream().map(it -> it.spec().id()).collect(Collectors.toSet()));
        for (DescribedAction action : described()) {
            String id = action.spec().id();
            List<Parameter> parameters =
                    requireNonNull(taken.get(new HandlerName(id))).parameters();
            assertEquals(parameters.stream().map(Parameter::name).collect(Collectors.toSet()), properties(action), id);
            assertEquals(
                    parameters.stream()
                            .filter(Parameter::required)
                            .map(Parameter::name)
                            .collect(Collectors.toSet()),
                    required(action),
                    id);
        }
    }

    private static String schemas(DescribedAction action) {
        return CanonicalJson.exactText(action.parameterSchema()) + " -> "
                + CanonicalJson.exactText(action.outputSchema());
    }

    @Test
    void anotherSchemaIsAnotherVersion() throws Exception {
        Map<String, String> now = new TreeMap<>();
        described().forEach(it -> now.put(it.spec().id() + " " + it.spec().version(), schemas(it)));
        Map<String, String> before = new TreeMap<>();
        for (String line : Files.exists(WRITTEN) ? Files.readAllLines(WRITTEN, UTF_8) : List.<String>of()) {
            int end = line.indexOf(": ");
            before.put(line.substring(0, end), line.substring(end + 2));
        }
        now.forEach((action, schemas) -> assertEquals(
                before.getOrDefault(action, schemas),
                schemas,
                () -> action + " has another schema than under the same version before: give it the next version, since"
                        + " of one version the node that started last says what is shown"));
        if ("write".equals(System.getProperty("flowstone.golden"))) {
            Files.createDirectories(WRITTEN.getParent());
            Files.write(
                    WRITTEN,
                    now.entrySet().stream()
                            .map(it -> it.getKey() + ": " + it.getValue())
                            .toList(),
                    UTF_8);
            return;
        }
        assertEquals(before, now, "write it anew with -Dflowstone.golden=write");
    }
}
