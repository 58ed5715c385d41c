package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a condition says it has read. */
final class ReadsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "context.data['get-item'].items[0].Status === 'x'→{\"context.data['get-item'].items[0].Status\":\"Approved\"}",
                "trigger.boardId > 1 && trigger.no→{\"trigger.boardId\":7,\"trigger.no\":false}",
                "trigger.no && trigger.boardId→{\"trigger.no\":false}",
                "trigger.tags.length→{\"trigger.tags.length\":3}",
                "trigger.tags.includes('red')→{\"trigger.tags\":{\"kind\":\"array\",\"length\":3}}",
                "trigger.nested === 1→{\"trigger.nested\":{\"kind\":\"object\",\"members\":2}}",
                "trigger.tags[trigger.numbers[1]]→{\"trigger.numbers[1]\":1,\"trigger.tags[1]\":\"green\"}",
                "trigger['it' + `em'Id`]→{\"trigger['item\\\\'Id']\":{\"kind\":\"undefined\"}}",
                "trigger.x?.y→{\"trigger.x\":{\"kind\":\"undefined\"}}",
                "trigger.none?.y→{\"trigger.none\":null}",
                "trigger.x.y→{\"trigger.x\":{\"kind\":\"undefined\"}}",
                "trigger.list.some(i => i.n === trigger.boardId)→{\"trigger.list\":{\"kind\":\"array\",\"length\":2},\"trigger.boardId\":7}",
                "1 === 1→{}",
                "nobody.x→{}",
                "1 +→{}"
            })
    void pathsAndValues(String source, String expected) {
        assertEquals(
                Sample.object(expected),
                Sample.EXPRESSIONS.condition(source, Sample.ROOTS).read());
    }

    @Test
    void longStringsAreCut() {
        JsonObject data = Sample.object("{\"trigger\": \"" + "😀".repeat(1_000) + "\"}");
        JsonObject note = (JsonObject) Sample.EXPRESSIONS
                .condition("trigger", data::get)
                .read()
                .find("trigger")
                .orElseThrow();
        assertEquals(JsonNumber.of(2_000), note.get("length"));
        assertEquals(new JsonString("😀".repeat(127) + "…"), note.get("start"));
    }

    @Test
    void countIsBoundedAndTheRestCounted() {
        String source = "trigger.numbers.concat(" + "trigger.tags,".repeat(1)
                + "[1,2,3,4,5,6,7,8,9,10].map(i => [1,2,3,4,5,6,7,8,9].map(j => trigger['m' + i + '_' + j])))";
        JsonObject read = Sample.EXPRESSIONS.condition(source, Sample.ROOTS).read();
        assertEquals(Reads.MOST + 1, read.members().size());
        assertEquals(JsonNumber.of(92 - Reads.MOST), read.get(Reads.MORE));
    }
}
