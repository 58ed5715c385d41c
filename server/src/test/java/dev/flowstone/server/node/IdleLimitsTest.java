package dev.flowstone.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.kernel.id.HandlerName;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class IdleLimitsTest {
    private static List<String> warnings(String... limits) {
        return IdleLimits.warnings(
                Stream.of(limits).map(name -> ActionLimit.atOnce(name, 1)).toList(),
                List.of(new HandlerName("slack.send"), new HandlerName("bank.pay")));
    }

    @Test
    void warnsOfAMisspeltLimit() {
        List<String> warnings = warnings("slack", "bank.pay", "slack.*", "bnak.pay");

        assertEquals(2, warnings.size(), warnings::toString);
        assertTrue(warnings.getFirst().contains("on slack holds for nothing"), warnings::toString);
        assertTrue(warnings.getLast().contains("on bnak.pay holds for nothing"), warnings::toString);
    }

    @Test
    void saysNothingOfLimitsThatHold() {
        assertEquals(List.of(), warnings("slack.*", "slack.send", "bank.*"));
    }
}
