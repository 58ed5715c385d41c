package dev.flowstone.dialect.states;

import static dev.flowstone.dialect.states.Sources.PURE;
import static dev.flowstone.dialect.states.Sources.brief;
import static dev.flowstone.dialect.states.Sources.workflow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.kernel.program.ProgramCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every body with every set of what may stand around it: the kernel accepts what is compiled, each node of it can be reached. */
final class ReachTest {
    private static final String SECTIONS = "'semaphores':{'s':{'permits':1}},'variables':{'v':{'type':'integer'}},"
            + "'subworkflows':{'k':{'workflow':'kk'}},'policies':{'p':{'rule':{'present':'trigger.x'}}},";

    private static final List<String> AROUND = List.of(
            "'timeout':'PT5S'",
            "'recheck':{'signal':'x','key':'{{ trigger.k }}','every':'PT1S'}",
            "'onEnter':[" + PURE + "]",
            "'onExit':[" + PURE + "]",
            "'semaphore':{'semaphore':'s'}",
            "'concurrency':2",
            "'policies':['p']");

    private static final String BRANCH = "{'start':'b','states':{'b':{'task':" + PURE
            + ",'transitions':[{'on':'failure','to':'f'}],'next':'c'},'c':{'end':{}}}}";

    private static final List<String> BODIES = List.of(
            "'name':'nothing'",
            "'task':" + PURE,
            "'human':{'assignees':['ann']}",
            "'wait':{'signal':'x','key':'{{ trigger.k }}'}",
            "'send':{'signal':'x','key':'{{ trigger.k }}'}",
            "'call':{'subworkflow':'k'}",
            "'call':{'subworkflow':'k','spawn':true}",
            "'timer':{'after':'PT1S'}",
            "'assign':{'v':1}",
            "'parallel':{'branches':{'one':" + BRANCH + ",'two':{'task':" + PURE + "}}}",
            "'parallel':{'branches':{'one':[{'task':" + PURE + "},{'task':" + PURE + "}]}}",
            "'forEach':{'items':'{{ trigger.i }}','do':" + BRANCH + "}",
            "'acquire':{'semaphore':'s'}");

    static Stream<String> bodies() {
        return BODIES.stream();
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void whatIsCompiledIsSoundAndAllOfItCanBeReached(String body) {
        int compiled = 0;
        for (int set = 0; set < 1 << AROUND.size(); set++) {
            String source = source(body, set);
            if (Sources.compile(source) instanceof StatesCompilation.Compiled it) {
                compiled++;
                assertEquals(List.of(), ProgramCheck.faults(it.program()), source);
            } else {
                List<String> why = brief(Sources.compile(source).faults());
                assertFalse(why.toString().contains("STATES-PROGRAM"), () -> why + " " + source);
            }
        }
        assertFalse(compiled < 1 << (AROUND.size() - 2), compiled + " of " + body);
    }

    private static String source(String body, int set) {
        List<String> members = new ArrayList<>();
        if (!body.contains("nothing")) {
            members.add(body);
        }
        for (int i = 0; i < AROUND.size(); i++) {
            if ((set >> i & 1) == 1) {
                members.add(AROUND.get(i));
            }
        }
        List<String> outcomes =
                new ArrayList<>(body.contains("human") ? List.of("approve", "reject") : List.of("success"));
        if (body.contains("'parallel'") || body.contains("'forEach'")) {
            outcomes.add("unsatisfied");
        }
        if (body.startsWith("'call'") && !body.contains("spawn")) {
            outcomes.add("canceled");
        }
        List<String> ways = new ArrayList<>();
        for (String outcome : outcomes) {
            boolean may = outcome.equals("success");
            ways.add("{'on':'" + outcome + "'," + (may ? "'when':'trigger.x'," : "") + "'to':'f'}");
        }
        members.add("'transitions':[" + String.join(",", ways) + "]");
        return workflow(SECTIONS, "'a':{" + String.join(",", members) + "}", "'f':{'end':{}}");
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void aStateThatNoWayLeadsToIsNamed(String body) {
        String source = source(body, 0).replace("'f':{'end':{}}", "'f':{'end':{}},'lost':{'end':{}}");

        StatesCompilation.Refused refused =
                assertInstanceOf(StatesCompilation.Refused.class, Sources.compile(source), source);

        assertEquals(List.of("STATES-UNREACHABLE-STATE /states/lost"), brief(refused.faults()));
    }
}
