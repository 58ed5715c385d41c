package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The served document (OpenAPI 3.1) is whole, and is that of the routes. That it is well-formed Spectral tells, too. */
final class OpenApiTest {
    private static final Pattern VARIABLE = Pattern.compile("\\{([^}]+)}");
    private static final Set<String> MUTATING = Set.of("POST", "PUT", "PATCH", "DELETE");

    private static JsonObject document = JsonObject.EMPTY;
    private static List<JsonValue> index = List.of();
    private static String etag = "";

    @BeforeAll
    static void read() throws Exception {
        try (RestFixture rest = new RestFixture()) {
            Answer answer = rest.get("/api/v1/openapi.json");
            // For Spectral, which ./flowstone check runs.
            Files.writeString(
                    Path.of("target", "openapi.json"), answer.response().body());
            document = answer.json();
            etag = answer.header("ETag").orElseThrow();
            index = ((JsonArray) rest.get("/api/v1").at("/routes")).items();
            assertEquals(
                    304, rest.get("/api/v1/openapi.json", "If-None-Match", etag).status());
        }
    }

    private static List<Operation> operations() {
        return Operation.of(document);
    }

    @Test
    void everyRouteIsInTheDocument() {
        Set<String> told = operations().stream().map(Operation::toString).collect(Collectors.toSet());
        for (JsonValue route : index) {
            String name =
                    Operation.text((JsonObject) route, "method") + " " + Operation.text((JsonObject) route, "path");

            assertTrue(
                    told.contains(name),
                    () -> name
                            + " has no documentation. Where its route is declared, put a Doc in the place of the Set of query"
                            + " parameters:\n"
                            + "    Route.get(path, scope, ThingDocs.LIST, this::list)\n"
                            + "and write it beside the others, in dev.flowstone.server.api.doc:\n"
                            + "    public static final Doc LIST = Doc.of(\"listThings\", Area.THINGS, \"Lists things by name\")\n"
                            + "            .paged()\n"
                            + "            .answers(200, \"ThingPage\", \"A page of them.\");\n"
                            + "'A new route' in server/README.md has the rest.");
        }
    }

    @Test
    void theDocumentKnowsTheRoutesAndNoOthers() {
        Set<String> routes = new TreeSet<>(RoutesTest.ROUTES);
        routes.add("GET /api/v1 public");

        assertEquals(
                routes,
                operations().stream().map(it -> it + " " + it.scope()).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        visit(document, (name, value) -> {
            if (name.equals("$ref")) {
                String reference = ((JsonString) value).value();
                assertTrue(
                        reference.startsWith("#/")
                                && JsonPointer.parse(reference.substring(1))
                                        .find(document)
                                        .isPresent(),
                        () -> "nothing is at " + reference);
            }
        });
    }

    @Test
    void everyOperationHasANameOfItsOwnAndSaysWhatItAnswers() {
        Set<String> ids = new TreeSet<>();
        for (Operation operation : operations()) {
            assertTrue(ids.add(operation.id()), () -> "two operations are called " + operation.id());
            Set<String> statuses = ((JsonObject)
                            operation.json().find("responses").orElseThrow())
                    .members()
                    .keySet();
            assertTrue(statuses.stream().anyMatch(status -> status.startsWith("2")), operation::toString);
            assertTrue(statuses.contains("400") && statuses.contains("500"), operation::toString);
            assertEquals(
                    MUTATING.contains(operation.method()),
                    operation.parameters("header").contains("Flowstone-Principal"),
                    operation::id);
            assertTrue(Operation.text(operation.json(), "summary").length() > 10, operation::id);
        }
    }

    /** ADR 36 §5: no caller meets a conflict of links, so no client has to reckon with it. */
    @Test
    void noOperationRefusesWithWhatIsReserved() {
        assertEquals(409, ProblemCode.WFENG003.status());
        for (Operation operation : operations()) {
            assertTrue(operation.refusals().contains("INVALID_REQUEST"), operation::toString);
            assertFalse(operation.refusals().contains("WFENG003"), operation::toString);
        }
    }

    /** Who is cut off can come back, and who is refused for now knows when; Location and others {@link ApiContract} compares. */
    @Test
    void headersThatClientsNeedAreInIt() {
        for (Operation operation : operations()) {
            assertEquals(
                    operation.streams(), operation.parameters("header").contains("Last-Event-ID"), operation::toString);
            JsonObject responses =
                    (JsonObject) operation.json().find("responses").orElseThrow();
            if (operation.streams()) {
                String says = Operation.text((JsonObject) responses.find("200").orElseThrow(), "description");
                assertTrue(says.contains("`damaged`"), operation::toString);
            }
            for (String status : List.of("429", "503")) {
                if (responses.get(status) instanceof JsonObject refusal) {
                    assertTrue(
                            JsonPointer.parse("/headers/Retry-After")
                                    .find(Operation.resolved(document, refusal))
                                    .isPresent(),
                            () -> operation + " " + status);
                }
            }
        }
    }

    @Test
    void everyVariableOfAPathIsAParameterAndNoOther() {
        for (Operation operation : operations()) {
            List<String> variables = VARIABLE.matcher(operation.path())
                    .results()
                    .map((MatchResult it) -> it.group(1))
                    .toList();

            assertEquals(variables, operation.parameters("path"), operation::toString);
        }
    }

    @Test
    void everyParameterAndEveryShapeSaysWhatItIs() {
        for (Operation operation : operations()) {
            for (JsonObject parameter : operation.parameters()) {
                assertTrue(
                        Operation.text(parameter, "description").length() > 5,
                        () -> operation + " doesn't say what " + Operation.text(parameter, "name") + " is");
            }
        }
        Set<String> simple = Set.of("ExecutionStatus");
        ((JsonObject) at("/components/schemas")).members().forEach((name, shape) -> {
            if (!simple.contains(name)) {
                assertTrue(
                        Operation.text((JsonObject) shape, "description").length() > 5, () -> name + " says nothing");
            }
        });
    }

    @Test
    void theDocumentIsOfOpenApi31() {
        assertTrue(Operation.text(document, "openapi").startsWith("3.1."));
        assertEquals(
                Set.of("openapi", "info", "servers", "tags", "paths", "components"),
                document.members().keySet());
        Set<String> tags = ((JsonArray) at("/tags"))
                .items().stream()
                        .map(tag -> Operation.text((JsonObject) tag, "name"))
                        .collect(Collectors.toSet());
        Set<String> used = operations().stream()
                .flatMap(it -> ((JsonArray) it.json().find("tags").orElseThrow()).items().stream())
                .map(tag -> ((JsonString) tag).value())
                .collect(Collectors.toSet());
        assertEquals(used, tags);
    }

    /** OpenAPI 3.1 lets a bearer's requirement name roles; that the scheme is there Spectral doesn't ask then. */
    @Test
    void everyOperationsSecurityIsDeclared() {
        assertEquals("bearer", Operation.text((JsonObject) at("/components/securitySchemes/token"), "scheme"));
        for (Operation operation : operations()) {
            for (JsonValue needed :
                    ((JsonArray) operation.json().find("security").orElseThrow()).items()) {
                assertEquals(Set.of("token"), ((JsonObject) needed).members().keySet(), operation::toString);
            }
        }
    }

    /** What OpenAPI 3.1 takes as a schema is JSON Schema 2020-12. */
    @Test
    void everyShapeIsASchema() {
        Schema meta = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));
        ((JsonObject) at("/components/schemas"))
                .members()
                .forEach((name, shape) -> assertEquals(
                        List.of(),
                        meta
                                .validate(
                                        new String(CanonicalJson.exact(shape), StandardCharsets.UTF_8),
                                        InputFormat.JSON)
                                .stream()
                                .map(Object::toString)
                                .toList(),
                        name));
    }

    private static JsonValue at(String pointer) {
        return JsonPointer.parse(pointer).find(document).orElseThrow(() -> new AssertionError("nothing at " + pointer));
    }

    private static void visit(JsonValue value, BiConsumer<String, JsonValue> visitor) {
        switch (value) {
            case JsonArray(List<JsonValue> items) -> items.forEach(item -> visit(item, visitor));
            case JsonObject object -> {
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    visitor.accept(member.getKey(), member.getValue());
                    visit(member.getValue(), visitor);
                }
            }
            default -> {
                // Nothing in it.
            }
        }
    }
}
