package dev.flowstone.triggers.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class EventRulesTest {
    private static JsonObject json(String text) throws Exception {
        return (JsonObject) JsonParser.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static EventRules rules(String text) throws Exception {
        EventRules rules = EventRules.of(json(text));
        assertEquals(rules, EventRules.of(rules.toJson()), "it is written as it is read");
        return rules;
    }

    private static CloudEvent event(String source, String type, String more) throws Exception {
        return CloudEventReader.structured(json(
                "{'specversion': '1.0', 'id': '1', 'source': '" + source + "', 'type': '" + type + "'" + more + "}"));
    }

    @Test
    void anEventHasToMatchEachListThatThereIs() throws Exception {
        EventRules rules = rules("{'source': 'external', 'types': ['order.*', 'paid'], 'sources': ['/shop/*'],"
                + " 'subjects': ['o-*']}");
        String about = ", 'subject': 'o-1'";

        assertTrue(rules.admits(event("/shop/eu", "order.paid", about)));
        assertTrue(rules.admits(event("/shop/", "paid", about)));
        assertTrue(rules.admits(event("/shop/", "order.", about)), "a star stands for nothing, too");
        assertFalse(rules.admits(event("/shop/", "paid.late", about)));
        assertFalse(rules.admits(event("/shop/", "Order.paid", about)), "case matters");
        assertFalse(rules.admits(event("/bank/", "paid", about)));
        assertFalse(rules.admits(event("/shop/", "paid", ", 'subject': 'x'")));
        assertFalse(rules.admits(event("/shop/", "paid", "")), "about nothing");
        assertFalse(rules.admitsOfEngine("order.paid", "w", "o-1"), "of another source");
    }

    @Test
    void ofTheEngineItChoosesByWorkflowToo() throws Exception {
        EventRules rules = rules("{'source': 'engine', 'types': ['dev.flowstone.Run*'], 'workflows': ['a', 'b-*']}");

        assertTrue(rules.admitsOfEngine("dev.flowstone.RunCompleted", "a", "r"));
        assertTrue(rules.admitsOfEngine("dev.flowstone.RunFailed", "b-1", "r"));
        assertFalse(rules.admitsOfEngine("dev.flowstone.RunFailed", "ab", "r"));
        assertFalse(rules.admitsOfEngine("dev.flowstone.TaskCompleted", "a", "r"));
        assertFalse(rules.admits(event("/s", "dev.flowstone.RunFailed", "")), "nobody sends the engine's events");
        assertTrue(rules("{'source': 'engine', 'types': ['*']}").admitsOfEngine("dev.flowstone.X", "w", "r"));
        assertEquals("dev.flowstone.RunFailed", EventRules.engineType("RunFailed"));
        assertEquals("dev.flowstone.Run*", EventRules.engineType("Run*"));
        assertEquals("dev.flowstone.RunFailed", EventRules.engineType("dev.flowstone.RunFailed"));
    }

    @Test
    void whatSaysNothingIsNone() {
        for (String bad : new String[] {
            "{}",
            "{'source': 'engine'}",
            "{'source': 'inside', 'types': ['a']}",
            "{'source': 'engine', 'types': []}",
            "{'source': 'engine', 'types': ['']}",
            "{'source': 'engine', 'types': ['a*b']}",
            "{'source': 'engine', 'types': [1]}"
        }) {
            assertThrows(IllegalArgumentException.class, () -> rules(bad), bad);
        }
    }

    @Test
    void aChainGrowsByOneAndKeepsItsRoot() {
        EventChain first = EventChain.of("order-7");
        assertEquals(new EventChain("order-7", 0), first);
        assertEquals("order-7", first.correlation());
        assertEquals("order-7~event-1", first.next().correlation());
        EventChain last = first;
        for (int i = 0; i < EventChain.MOST; i++) {
            last = EventChain.of(last.next().correlation());
            assertFalse(last.isTooLong());
        }
        assertTrue(EventChain.of(last.next().correlation()).isTooLong());
        assertEquals("order-7", last.root());
        String longest = "x".repeat(128);
        assertEquals(128, EventChain.of(longest).next().correlation().length());
        assertEquals(
                1, EventChain.of(EventChain.of(longest).next().correlation()).length());
        assertEquals(0, EventChain.of("a~event-0").length());
        assertEquals(0, EventChain.of("a~event-99999999999").length());
    }

    @Test
    void callersMakeNoChains() {
        assertEquals("x", EventChain.ofCaller("x"));
        assertEquals("x", EventChain.ofCaller("x~event-10"));
        assertEquals("x", EventChain.ofCaller("x~event-3~event-10"));
        assertEquals("x~event-0", EventChain.ofCaller("x~event-0"));
        assertEquals("x~event-1y", EventChain.ofCaller("x~event-1y"));
        assertEquals(0, EventChain.of(EventChain.ofCaller("~event-7")).length());
        assertFalse(EventChain.ofCaller("~event-7").isEmpty());
    }
}
