package dev.flowstone.kernel.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.story.PathExpressions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What keeps a bundle from being published: where it is wrong, and how. */
final class RulesFormTest {
    private static List<BundleFault> faults(String bundle) {
        try {
            return Policies.BUILT_IN.faults(
                    (JsonObject) JsonParser.parse(bundle.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                    new PathExpressions());
        } catch (JsonSyntaxException e) {
            throw new AssertionError(bundle, e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | POLICY_KIND | ``",
                "{'kind':'rego'} | POLICY_KIND | /kind",
                "{'kind':7} | POLICY_KIND | /kind",
                "{'kind':'rules'} | POLICY_FORM | ``",
                "{'kind':'rules','rules':{}} | POLICY_FORM | /rules",
                "{'kind':'rules','rules':[],'defualt':'deny'} | POLICY_FORM | /defualt",
                "{'kind':'rules','rules':[],'a/b':1} | POLICY_FORM | /a~1b",
                "{'kind':'rules','rules':[],'default':'perhaps'} | POLICY_FORM | /default",
                "{'kind':'rules','rules':['r']} | POLICY_FORM | /rules/0",
                "{'kind':'rules','rules':[{'effect':'deny'}]} | POLICY_FORM | /rules/0",
                "{'kind':'rules','rules':[{'name':'','effect':'deny'}]} | POLICY_FORM | /rules/0/name",
                "{'kind':'rules','rules':[{'name':'a'}]} | POLICY_FORM | /rules/0",
                "{'kind':'rules','rules':[{'name':'a','effect':'perhaps'}]} | POLICY_FORM | /rules/0/effect",
                "{'kind':'rules','rules':[{'name':'a','effect':'deny','unless':'x'}]} | POLICY_FORM | /rules/0/unless",
                "{'kind':'rules','rules':[{'name':'a','effect':'deny','reason':''}]} | POLICY_FORM | /rules/0/reason",
                "{'kind':'rules','rules':[{'name':'a','effect':'deny','when':true}]} | POLICY_FORM | /rules/0/when",
                "{'kind':'rules','rules':[{'name':'a','effect':'deny','when':'a b'}]} | POLICY_CONDITION | /rules/0/when",
            })
    void refusesWithTheKindOfFaultAndItsPlace(String bundle, String code, String pointer) {
        List<BundleFault> faults = faults(bundle);

        assertEquals(1, faults.size(), faults::toString);
        assertEquals(code, faults.getFirst().code().name(), faults::toString);
        assertEquals(pointer, faults.getFirst().pointer(), faults::toString);
        assertTrue(!faults.getFirst().remedy().isBlank());
    }

    @Test
    void tellsTheRuleAndThePlaceInItsCondition() {
        String message = faults("{'kind':'rules','rules':[{'name':'frozen','effect':'deny','when':'a\\nbcd efg'}]}")
                .getFirst()
                .message();

        assertTrue(message.contains("rule 'frozen'"), message);
        assertTrue(message.contains("line 2, column 4 of the expression"), message);
    }

    @Test
    void tellsOneFaultOfEachRuleAtOnce() {
        List<BundleFault> faults = faults("{'kind':'rules','rules':[{'name':'a','effect':'deny','when':'a b'},"
                + "{'name':'b','effect':'deny','when':'ab'},{'name':'a','effect':'deny'},{'name':'c','effect':1}]}");

        assertEquals(
                List.of("/rules/0/when", "/rules/2/name", "/rules/3/effect"),
                faults.stream().map(BundleFault::pointer).toList());
    }

    @Test
    void hasNothingToSayOfABundleOfItsForm() {
        assertEquals(
                List.of(),
                faults("{'kind':'rules','description':'x','default':'allow',"
                        + "'rules':[{'name':'a','effect':'deny','when':'trigger.frozen','reason':'it is'}]}"));
    }
}
