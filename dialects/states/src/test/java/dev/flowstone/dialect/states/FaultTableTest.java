package dev.flowstone.dialect.states;

import static dev.flowstone.dialect.states.Sources.PURE;
import static dev.flowstone.dialect.states.Sources.states;
import static dev.flowstone.dialect.states.Sources.workflow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.action.NamedActions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.lint.Beyond;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of fault: a source that has it, where it shows, and a word of its remedy. */
final class FaultTableTest {
    private static final String END = "'end':{'end':{}}";

    /** Kinds that take more than one line of source. */
    private static final Set<StatesFault> ELSEWHERE = EnumSet.of(
            StatesFault.SOURCE_TOO_LARGE,
            StatesFault.TOO_MANY_EXPRESSIONS,
            StatesFault.MORE_FAULTS,
            StatesFault.PROGRAM,
            StatesFault.CALENDAR_NOT_COUNTED,
            StatesFault.ACTION_DISABLED,
            StatesFault.ACTION_DEPRECATED,
            StatesFault.UNKNOWN_OUTPUT);

    record Row(StatesFault fault, String pointer, String remedy, String source) {}

    private static String internal(String event) {
        return workflow(
                "'triggers':[{'id':'t','source':'internal','event':'" + event + "','start':true}],",
                "'a':{'next':'end'}",
                END);
    }

    static List<Row> rows() {
        return List.of(
                row("JSON_SYNTAX", "", "each member name once", "{'a':1,'a':2}"),
                row(
                        "UNKNOWN_DIALECT",
                        "/$schema",
                        "states-1",
                        "{'$schema':'https://flowstone.dev/schema/states-9.json'}"),
                row("UNKNOWN_PROPERTY", "/states/a/nxt", "'next'", states("'a':{'nxt':'end'}", END)),
                row("MISSING_PROPERTY", "/states/a/human", "assignees", states("'a':{'human':{},'next':'end'}", END)),
                row(
                        "MISSING_PROPERTY",
                        "",
                        "start",
                        "{'$schema':'" + StatesDialect.SCHEMA + "','id':'w','name':'W','states':{}}"),
                row(
                        "ONE_OF",
                        "/states/a/wait",
                        "keep one",
                        states("'a':{'task':" + PURE + ",'wait':{'signal':'s'},'next':'end'}", END)),
                row("ONE_OF", "/states/a/task", "add one of", states("'a':{'task':{},'next':'end'}", END)),
                row("WRONG_TYPE", "/states/a/next", "a string", states("'a':{'next':1}", END)),
                row(
                        "NOT_ALLOWED",
                        "/states/a/call/onCancel",
                        "write one of them",
                        workflow(
                                "'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k','onCancel':'wait'},'next':'end'}",
                                END)),
                row(
                        "NOT_ALLOWED",
                        "/states/a/call/onSuspend",
                        "write one of them",
                        workflow(
                                "'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k','onSuspend':'completeThenCancel'},'next':'end'}",
                                END)),
                row("NOT_ALLOWED", "/riskTier", "'high'", workflow("'riskTier':'hihg',", "'a':{'next':'end'}", END)),
                row(
                        "OUT_OF_RANGE",
                        "/states/a/concurrency",
                        "from 1",
                        states("'a':{'concurrency':0,'next':'end'}", END)),
                row(
                        "OUT_OF_RANGE",
                        "/states/a/semaphore/permits",
                        "at most 1",
                        workflow(
                                "'semaphores':{'s':{'permits':1}},",
                                "'a':{'semaphore':{'semaphore':'s','permits':2},'next':'end'}",
                                END)),
                row("TOO_MANY", "/states/a/policies", "at least 1", states("'a':{'policies':[],'next':'end'}", END)),
                row("BAD_NAME", "/states/a~1b", "a letter", states("'a':{'next':'end'},'a/b':{'end':{}}", END)),
                row("BAD_TEXT", "/version", "1.0.0", workflow("'version':'new',", "'a':{'next':'end'}", END)),
                row(
                        "BAD_TIME",
                        "/states/a/timer/after",
                        "PT5M",
                        states("'a':{'timer':{'after':'P1Y'},'next':'end'}", END)),
                row(
                        "BAD_TIME",
                        "/states/a/timer/at",
                        "+01:00",
                        states("'a':{'timer':{'at':'tomorrow'},'next':'end'}", END)),
                row(
                        "BAD_TIME",
                        "/states/a/timer/cron",
                        "schedule",
                        states("'a':{'timer':{'cron':'61 * * * *'},'next':'end'}", END)),
                row(
                        "BAD_TIME",
                        "/states/a/timer/cron",
                        "schedule",
                        states("'a':{'timer':{'cron':'0 0 30 2 *'},'next':'end'}", END)),
                row(
                        "BAD_TIME",
                        "/states/a/timer/zone",
                        "Europe/Berlin",
                        states("'a':{'timer':{'cron':'0 9 * * *','zone':'Europe/Berln'},'next':'end'}", END)),
                row(
                        "BAD_TIME",
                        "/states/a/timer/every",
                        "PT5M",
                        states("'a':{'timer':{'every':'PT0S'},'next':'end'}", END)),
                row(
                        "BAD_TIME",
                        "/states/a/timer/at",
                        "+01:00",
                        states("'a':{'timer':{'at':'+10000-01-01T00:00:00Z'},'next':'end'}", END)),
                row(
                        "DUPLICATE_NAME",
                        "/states/end",
                        "rename",
                        states("'a':{'parallel':{'branches':{'end':{'task':" + PURE + "}}},'next':'end'}", END)),
                row("UNKNOWN_STATE", "/states/a/next", "'end'", states("'a':{'next':'ennd'}", END)),
                row(
                        "UNKNOWN_STATE",
                        "/states/a/transitions/0/to",
                        "'end'",
                        states("'a':{'transitions':[{'to':'enb','when':'1'}],'next':'end'}", END)),
                row("UNKNOWN_STATE", "/states/a/release", "nothing", states("'a':{'release':'end','next':'end'}", END)),
                row(
                        "UNKNOWN_REFERENCE",
                        "/states/a/human/assignees/0/role",
                        "'boss'",
                        workflow(
                                "'roles':{'boss':{}},",
                                "'a':{'human':{'assignees':[{'role':'bos'}]},'transitions':[{'to':'end'}]}",
                                END)),
                row(
                        "UNKNOWN_REFERENCE",
                        "/states/a/semaphore",
                        "\"semaphores\"",
                        states("'a':{'semaphore':'s','next':'end'}", END)),
                row(
                        "UNKNOWN_REFERENCE",
                        "/states/a/assign/x",
                        "\"variables\"",
                        states("'a':{'assign':{'x':1},'next':'end'}", END)),
                row(
                        "UNKNOWN_ACTION",
                        "/states/a/task/action",
                        "'core.echo'",
                        states("'a':{'task':{'action':'core.ecko'},'next':'end'}", END)),
                row(
                        "UNKNOWN_OUTCOME",
                        "/states/a/transitions/0/on",
                        "'failure'",
                        states(
                                "'a':{'task':" + PURE + ",'transitions':[{'on':'failed','to':'end'}],'next':'end'}",
                                END)),
                row("NO_WAY_ON", "/states/a", "\"next\"", states("'a':{'task':" + PURE + "},'b':{'next':'a'}", END)),
                row(
                        "NO_WAY_ON",
                        "/states/a/timeout",
                        "\"timeout\"",
                        states("'a':{'task':" + PURE + ",'timeout':'PT1H','next':'end'}", END)),
                row("NOT_TOGETHER", "/states/a/next", "remove", states("'a':{'end':{},'next':'end'}", END)),
                row(
                        "NOT_TOGETHER",
                        "/states/a/task/id",
                        "context.data",
                        states("'a':{'task':{'id':'x','action':'core.echo'},'next':'end'}", END)),
                row("UNKNOWN_EVENT", "/triggers/0/event", "'RunCompleted'", internal("RunComplete")),
                row("UNKNOWN_EVENT", "/triggers/0/event", "TimerFired", internal("dev.flowstone.Wombat*")),
                row(
                        "BAD_DEFAULT",
                        "/variables/n/default",
                        "type",
                        workflow("'variables':{'n':{'type':'integer','default':1.5}},", "'a':{'next':'end'}", END)),
                row(
                        "CALL_INPUT",
                        "/states/a/call",
                        "add it",
                        workflow(
                                "'subworkflows':{'k':{'workflow':'k','inputs':['who']}},",
                                "'a':{'call':{'subworkflow':'k'},'next':'end'}",
                                END)),
                row(
                        "NOT_TOGETHER",
                        "/policies/p/rule",
                        "of a state",
                        workflow("'policies':{'p':{'rule':{'policy':'b'}},'b':{'bundle':'release'}},", END)),
                row(
                        "POLICY_CIRCLE",
                        "/policies/p/rules",
                        "write out",
                        workflow(
                                "'policies':{'p':{'rules':[{'effect':'allow','reason':'r','when':{'policy':'p'}}]}},",
                                "'a':{'policies':['p'],'next':'end'}",
                                END)),
                row(
                        "UNKNOWN_NAME",
                        "/policies/p/rules/0/when",
                        "begins with",
                        workflow(
                                "'policies':{'p':{'rules':[{'effect':'deny','reason':'r','when':{'present':'oops.x'}}]}},",
                                "'a':{'policies':['p'],'next':'end'}",
                                END)),
                row(
                        "POLICY_CIRCLE",
                        "/policies/p/rule",
                        "write out",
                        workflow(
                                "'policies':{'p':{'rule':{'not':{'policy':'p'}}}},",
                                "'a':{'policies':['p'],'next':'end'}",
                                END)),
                row(
                        "CONDITION_INVALID",
                        "/states/a/transitions/0/when",
                        "docs/expressions.md",
                        states("'a':{'transitions':[{'when':'1 +','to':'end'}],'next':'end'}", END)),
                row(
                        "TEMPLATE_INVALID",
                        "/states/a/task/input/x",
                        "docs/expressions.md",
                        states("'a':{'task':{'action':'core.echo','input':{'x':'{{ 1 + }}'}},'next':'end'}", END)),
                row(
                        "UNKNOWN_NAME",
                        "/states/a/transitions/0/when",
                        "'trigger'",
                        states("'a':{'transitions':[{'when':'triger.x','to':'end'}],'next':'end'}", END)),
                row(
                        "UNREACHABLE_STATE",
                        "/states/b",
                        "lead a transition",
                        states("'a':{'next':'end'}", "'b':{'next':'end'}", END)));
    }

    private static Row row(String fault, String pointer, String remedy, String source) {
        return new Row(StatesFault.valueOf(fault), pointer, remedy, source);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void namesTheFaultItsPlaceAndARemedy(Row row) {
        List<Fault> faults = assertInstanceOf(StatesCompilation.Refused.class, Sources.compile(row.source()))
                .faults();

        Fault found = faults.stream()
                .filter(it -> it.code() == row.fault() && it.pointer().equals(row.pointer()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(faults.toString()));
        assertTrue(found.remedy().contains(row.remedy()), found.remedy());
        assertEquals(1, found.line());
    }

    @Test
    void everyKindHasARow() {
        Set<StatesFault> shown = EnumSet.copyOf(ELSEWHERE);
        rows().forEach(row -> shown.add(row.fault()));

        assertEquals(EnumSet.allOf(StatesFault.class), shown);
    }

    @Test
    void placesAFaultInItsLine() {
        String source = Sources.json(states("'a':{\n'nxt':'end'}", END));

        Fault fault = Sources.compile(source).faults().getFirst();

        assertEquals(2, fault.line());
        assertEquals(
                "2:1 error STATES-UNKNOWN-PROPERTY /states/a/nxt: a state has no property 'nxt' (did you mean 'next'?)",
                fault.toString());
    }

    @Test
    void warnsOfWhatRunsAllTheSame() {
        String source = workflow(
                "'calendars':{'office':'berlin'},",
                "'a':{'task':{'action':'core.echo','sideEffects':false,'input':'{{ context.data.b }}'},"
                        + "'timeout':'PT1H','calendar':'office','transitions':[{'on':'timeout','to':'end'}],'next':'end'}",
                END);

        List<String> faults = Sources.brief(assertInstanceOf(StatesCompilation.Compiled.class, Sources.compile(source))
                .faults());

        assertEquals(
                List.of("STATES-UNKNOWN-OUTPUT /states/a/task/input", "STATES-CALENDAR-NOT-COUNTED /states/a/calendar"),
                faults);
    }

    @Test
    void tellsActionsThatAreOffFromUnknownOnesAndWarnsOfThoseThatAreToBeLeft() {
        NamedActions actions = new NamedActions() {
            @Override
            public Set<String> names() {
                return Set.of("core.echo");
            }

            @Override
            public Optional<String> disabled(String action) {
                return action.equals("acme.gone") ? Optional.of("take acme.new") : Optional.empty();
            }

            @Override
            public Optional<String> deprecation(String action) {
                return Optional.of("take another");
            }
        };
        String source = workflow(
                "'compensations':{'undo':{'action':'acme.gone'}},",
                "'a':{'task':{'action':'acme.gone'},'next':'b'}",
                "'b':{'task':" + PURE + ",'next':'end'}",
                END);

        List<Fault> faults = Sources.DIALECT
                .compile(
                        Sources.json(source).getBytes(StandardCharsets.UTF_8),
                        StatesOptions.DEFAULT,
                        actions,
                        Beyond.NOTHING)
                .faults();

        assertEquals(
                List.of(
                        "STATES-ACTION-DISABLED /compensations/undo/action",
                        "STATES-ACTION-DISABLED /states/a/task/action",
                        "STATES-ACTION-DEPRECATED /states/b/task/action"),
                Sources.brief(faults));
        assertEquals("take acme.new", faults.getFirst().remedy());
    }

    @Test
    void refusesWhatIsTooLargeTooDeepOrTooMuch() {
        StatesOptions tight = new StatesOptions(400, 10, 2, 1, 3, 100);
        String big = states("'a':{'next':'end','description':'" + "x".repeat(500) + "'}", END);
        String deep = "[".repeat(11) + "]".repeat(11);
        String many = states("'a':{'next':'b'}", "'b':{'next':'end'}", END);
        String busy = states("'a':{'transitions':[{'when':'1','to':'end'},{'when':'2','to':'end'}],'next':'end'}", END);
        String wrong = states("'a':{'p':1,'q':2,'r':3,'s':4,'t':5}");

        assertEquals(Set.of("STATES-SOURCE-TOO-LARGE"), ids(big, tight));
        assertEquals(Set.of("STATES-JSON-SYNTAX"), ids(deep, tight));
        assertEquals(Set.of("STATES-TOO-MANY"), ids(many, tight));
        assertEquals(Set.of("STATES-TOO-MANY-EXPRESSIONS"), ids(busy, tight));
        assertEquals(Set.of("STATES-UNKNOWN-PROPERTY", "STATES-MORE-FAULTS"), ids(wrong, tight));
    }

    private static Set<String> ids(String source, StatesOptions options) {
        byte[] bytes = Sources.json(source).getBytes(StandardCharsets.UTF_8);
        Stream<Fault> faults = assertInstanceOf(
                StatesCompilation.Refused.class, Sources.DIALECT.compile(bytes, options, Sources.ACTIONS))
                .faults()
                .stream();
        return faults.map(it -> it.code().id()).collect(Collectors.toCollection(TreeSet::new));
    }
}
