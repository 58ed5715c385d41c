package dev.flowstone.vendors.monday;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Labels by name, in each form that Monday has had for them. */
final class ColumnTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static Optional<Integer> label(String type, JsonNode settings) {
        return new Column("c", "C", type, settings).label("Done");
    }

    private static Optional<Integer> label(String type, String settings) {
        return label(type, JSON.readTree(settings));
    }

    @Test
    void aStatusIsAskedForByTheIndexOfItsLabel() {
        assertEquals(
                Optional.of(2),
                label(
                        "status",
                        "{\"labels\": [{\"id\": 0, \"index\": 0, \"label\": \"New\"}, {\"id\": 1, \"index\": 2,"
                                + " \"label\": \"Done\"}]}"));
        assertEquals(
                Optional.of(2),
                label("color", JSON.getNodeFactory().stringNode("{\"labels\": {\"0\": \"New\", \"2\": \"Done\"}}")));
    }

    @Test
    void aDropdownIsAskedForByTheIdOfItsLabel() {
        assertEquals(Optional.of(3), label("dropdown", "{\"labels\": [{\"id\": 3, \"label\": \"Done\"}]}"));
        assertEquals(
                Optional.of(3),
                label("dropdown", JSON.getNodeFactory().stringNode("{\"labels\": [{\"id\": 3, \"name\": \"Done\"}]}")));
    }

    @Test
    void whatHasNoNumberIsNoLabel() {
        assertEquals(Optional.empty(), label("status", "{\"labels\": {\"first\": \"Done\"}}"));
        assertEquals(Optional.empty(), label("dropdown", "{\"labels\": [{\"name\": \"Done\"}]}"));
        assertEquals(Optional.empty(), label("status", JSON.getNodeFactory().stringNode("no JSON")));
        assertEquals(Optional.empty(), label("status", "{}"));
    }
}
