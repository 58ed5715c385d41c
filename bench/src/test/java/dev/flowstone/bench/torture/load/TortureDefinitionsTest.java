package dev.flowstone.bench.torture.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.bench.torture.check.Kind;
import dev.flowstone.kernel.json.JsonString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is published. */
final class TortureDefinitionsTest {
    @ParameterizedTest
    @EnumSource(Kind.class)
    void isNamedAsItIsStarted(Kind kind) {
        assertEquals(
                new JsonString(kind.workflow()), TortureDefinitions.of(kind).get("id"));
    }
}
