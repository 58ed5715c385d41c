package dev.flowstone.templates.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplates.Shipped;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.junit.ScenarioTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each official template makes a workflow of its example, and that workflow does what the template says. */
final class LibraryTest {
    private static final Path SCENARIOS = Path.of("src", "test", "resources", "library");

    /** A line for each edition that was ever shipped: the template, the edition, the SHA-256 of what it says. */
    private static final Path EDITIONS = SCENARIOS.resolve("editions.txt");

    private static Blueprint blueprint(Shipped shipped) {
        return new Blueprint(shipped.draft().definition(), shipped.draft().configSchema());
    }

    @Test
    void eachIsSoundAndHasAnExampleAndAScenario() {
        List<Shipped> library = Library.templates();

        assertTrue(library.size() >= 8);
        for (Shipped shipped : library) {
            assertEquals(List.of(), blueprint(shipped).check(), shipped.id()::value);
            assertTrue(blueprint(shipped).hasExample(), shipped.id()::value);
            assertTrue(Files.exists(SCENARIOS.resolve(shipped.id() + ".scenario.yaml")), shipped.id()::value);
            assertTrue(shipped.edition() >= 1, shipped.id()::value);
        }
    }

    /**
     * A release writes what has a higher edition, and nothing else: a template that changed in the same edition would be one thing in new
     * databases and another in those that are there.
     */
    @Test
    void whatAnEditionSaysNeverChanges() throws IOException {
        Set<String> written = Set.copyOf(Files.readAllLines(EDITIONS));
        List<String> unknown = Library.templates().stream()
                .map(it -> it.id() + " " + it.edition() + " " + Sha256.digest(said(it.draft())))
                .filter(it -> !written.contains(it))
                .toList();

        assertEquals(
                List.of(),
                unknown,
                "raise the edition of what was released, and add these lines to " + EDITIONS + " (never change one)");
        assertEquals(
                written.size(),
                written.stream()
                        .map(it -> it.substring(0, it.lastIndexOf(' ')))
                        .distinct()
                        .count(),
                "an edition that is two things");
    }

    private static byte[] said(WorkflowTemplateDraft draft) {
        JsonObject.Builder json = JsonObject.builder()
                .put("displayName", draft.displayName())
                .put("description", draft.description())
                .put("category", draft.category())
                .put("definition", draft.definition())
                .put("configSchema", draft.configSchema())
                .put("thumbnail", draft.thumbnail().orElse(""))
                .put("author", draft.author().orElse(""))
                .put("tags", String.join("\n", draft.tags()));
        return CanonicalJson.exact(json.build());
    }

    @TestFactory
    Stream<DynamicNode> scenarios(@TempDir Path folder) throws IOException {
        for (Shipped shipped : Library.templates()) {
            String id = shipped.id().value();
            Blueprint blueprint = blueprint(shipped);
            Blueprint.Bound bound = assertInstanceOf(Blueprint.Bound.class, blueprint.bind(blueprint.example()));
            JsonObject.Builder named = JsonObject.builder()
                    .put("id", id)
                    .put(bound.definition().get("$schema") == null ? "displayName" : "name", id);
            bound.definition().members().forEach(named::put);
            Files.write(folder.resolve(id + ".json"), CanonicalJson.exact(named.build()));
            Files.copy(SCENARIOS.resolve(id + ".scenario.yaml"), folder.resolve(id + ".scenario.yaml"));
        }
        return ScenarioTests.of(folder);
    }
}
