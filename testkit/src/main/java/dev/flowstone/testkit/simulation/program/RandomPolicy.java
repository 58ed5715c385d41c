package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.PolicyBook;
import java.util.ArrayList;
import java.util.List;

/** What edges may ask, and what is published under those names, by chance. Never a bundle that couldn't be published. */
public final class RandomPolicy {
    /** The policies that programs name; the last one is published late, or never. */
    public static final List<PolicyName> NAMES =
            List.of(new PolicyName("gate-0"), new PolicyName("gate-1"), new PolicyName("gate-2"));

    private static final List<String> EFFECTS = List.of("allow", "deny");

    private RandomPolicy() {}

    /** A bundle of a few rules. */
    public static JsonObject bundle(Dice dice) {
        List<JsonValue> rules = new ArrayList<>();
        int size = dice.below(3);
        for (int i = 0; i < size; i++) {
            JsonObject.Builder rule =
                    JsonObject.builder().put("name", "rule-" + i).put("effect", dice.pick(EFFECTS));
            if (dice.percent(80)) {
                rule.put("when", dice.pick(Sketch.CONDITIONS));
            }
            rules.add(rule.build());
        }
        JsonObject.Builder bundle = JsonObject.builder()
                .put("kind", dice.percent(50) ? PolicyBook.RULES : PolicyBook.LACKING)
                .put("rules", new JsonArray(rules));
        return dice.percent(70) ? bundle.put("default", dice.pick(EFFECTS)).build() : bundle.build();
    }
}
