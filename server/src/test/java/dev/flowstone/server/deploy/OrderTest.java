package dev.flowstone.server.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is called goes first. */
final class OrderTest {
    private static Piece.Workflow workflow(String name, String... calls) {
        return new Piece.Workflow(
                Path.of(name + ".json"), name, JsonObject.EMPTY, Sha256.digest(new byte[0]), Set.of(calls));
    }

    private static List<String> names(Order order) {
        return order.order().stream().map(Piece::name).toList();
    }

    @Test
    void calleesStandBeforeTheirCallers() {
        Order order = new Order(
                List.of(workflow("a", "c", "elsewhere"), workflow("b"), workflow("c", "d", "b"), workflow("d", "b")));
        assertEquals(List.of("b", "d", "c", "a"), names(order));
        assertTrue(order.circles().isEmpty());
    }

    @Test
    void circlesAreToldAndEachWorkflowStandsOnce() {
        Order order = new Order(
                List.of(workflow("a", "b"), workflow("b", "c"), workflow("c", "a"), workflow("self", "self")));
        assertEquals(List.of("c", "b", "a", "self"), names(order));
        assertEquals(List.of(List.of("a", "b", "c"), List.of("self")), order.circles());
    }

    @Test
    void aChainOfAllFilesThatThereMayBeIsNoTrouble() {
        List<Piece.Workflow> chain = new ArrayList<>();
        for (int i = 0; i < Folder.MOST_FILES; i++) {
            chain.add(workflow("w%05d".formatted(i), "w%05d".formatted(i + 1)));
        }
        List<String> names = names(new Order(chain));
        assertEquals(Folder.MOST_FILES, names.size());
        assertEquals("w04999", names.getFirst());
    }
}
