package dev.flowstone.dialect.states;

import static dev.flowstone.dialect.states.Sources.ASK;
import static dev.flowstone.dialect.states.Sources.PURE;
import static dev.flowstone.dialect.states.Sources.states;
import static dev.flowstone.dialect.states.Sources.workflow;

import dev.flowstone.dialect.states.fault.Lint;
import java.util.List;

/** A lint: a source that has it, the place where it shows, and the same source mended. */
record LintRow(Lint lint, String pointer, String bad, String good) {
    private static final String END = "'end':{'end':{}}";

    /** At least one of each lint that a source alone can have. */
    static List<LintRow> all() {
        String pure = "'task':" + PURE;
        return List.of(
                row(
                        "MISSING_COMPENSATION",
                        "/states/a/task",
                        states("'a':{'task':{'action':'core.echo'},'next':'end'}", END),
                        states(
                                "'a':{'task':{'action':'core.echo','compensation':{'attest':'call them'}},'next':'end'}",
                                END)),
                row(
                        "UNBOUNDED_RETRY",
                        "/states/a/task/retry/attempts",
                        states(
                                "'a':{'task':{'action':'core.echo','sideEffects':false,'retry':{'attempts':'unlimited'}},'next':'end'}",
                                END),
                        states(
                                "'a':{'task':{'action':'core.echo','sideEffects':false,'retry':{'attempts':100}},'next':'end'}",
                                END)),
                row(
                        "UNBOUNDED_RETRY",
                        "/compensations/c/retry/attempts",
                        workflow(
                                "'compensations':{'c':{'action':'core.echo','retry':{'attempts':101}}},",
                                "'a':{'next':'end'}",
                                END),
                        workflow(
                                "'compensations':{'c':{'action':'core.echo','retry':{'attempts':99}}},",
                                "'a':{'next':'end'}",
                                END)),
                row(
                        "MISSING_ELSE",
                        "/states/a/transitions/0",
                        states("'a':{'transitions':[{'when':'trigger.x','to':'end'}]}", END),
                        states("'a':{'transitions':[{'when':'trigger.x','to':'end'},{'else':true,'to':'end'}]}", END)),
                row(
                        "MISSING_ELSE",
                        "/states/a/transitions/0",
                        states("'a':{'transitions':[{'when':'trigger.x','to':'end'}]}", END),
                        states(
                                "'a':{'transitions':[{'when':'trigger.x','to':'end'}],'recheck':{'signal':'s','key':'{{ trigger.k }}'}}",
                                END)),
                row(
                        "DEADLOCK",
                        "/states/a/parallel",
                        states(
                                "'a':{'parallel':{'branches':{'x':{'human':" + ASK
                                        + "}},'join':{'count':1,'accept':['approve']}},'next':'end'}",
                                END),
                        states(
                                "'a':{'parallel':{'branches':{'x':{'human':" + ASK
                                        + "}},'join':{'count':1,'accept':['approve']}},"
                                        + "'transitions':[{'on':'unsatisfied','to':'end'}],'next':'end'}",
                                END)),
                row(
                        "DEADLOCK",
                        "/states/b/semaphore",
                        workflow(
                                "'semaphores':{'s':{'permits':1}},",
                                "'a':{'acquire':{'semaphore':'s'},'next':'b'}",
                                "'b':{'semaphore':'s','next':'c'}",
                                "'c':{'release':'a','next':'end'}",
                                END),
                        workflow(
                                "'semaphores':{'s':{'permits':2}},",
                                "'a':{'acquire':{'semaphore':'s'},'next':'b'}",
                                "'b':{'semaphore':'s','next':'c'}",
                                "'c':{'release':'a','next':'end'}",
                                END)),
                row(
                        "UNSAFE_BACK_EDGE",
                        "/states/b/transitions/0",
                        states(
                                "'a':{'task':{'action':'core.echo'},'next':'b'}",
                                "'b':{'human':" + ASK
                                        + ",'transitions':[{'on':'reject','to':'a'},{'on':'approve','to':'end'}]}",
                                END),
                        states(
                                "'a':{'task':" + PURE + ",'next':'b'}",
                                "'b':{'human':" + ASK
                                        + ",'transitions':[{'on':'reject','to':'a'},{'on':'approve','to':'end'}]}",
                                END)),
                row(
                        "UNSAFE_BACK_EDGE",
                        "/states/b/transitions/0",
                        states(
                                "'a':{'next':'b'}",
                                "'b':{'transitions':[{'when':'trigger.x','to':'a'}],'next':'end'}",
                                END),
                        states(
                                "'a':{'timer':{'after':'PT1H'},'next':'b'}",
                                "'b':{'transitions':[{'when':'trigger.x','to':'a'}],'next':'end'}",
                                END)),
                row(
                        "NO_CORRELATION",
                        "/states/a/wait",
                        states("'a':{'wait':{'signal':'s','key':'k'},'next':'end'}", END),
                        states("'a':{'wait':{'signal':'s','key':'{{ trigger.k }}'},'next':'end'}", END)),
                row(
                        "NO_CORRELATION",
                        "/states/a/send",
                        states("'a':{'send':{'signal':'s'},'next':'end'}", END),
                        states("'a':{'send':{'signal':'s','broadcast':true},'next':'end'}", END)),
                row(
                        "CHILD_CYCLE",
                        "/subworkflows/me/workflow",
                        workflow(
                                "'subworkflows':{'me':{'workflow':'w'}},",
                                "'a':{'call':{'subworkflow':'me'},'next':'end'}",
                                END),
                        workflow(
                                "'subworkflows':{'me':{'workflow':'other'}},",
                                "'a':{'call':{'subworkflow':'me'},'next':'end'}",
                                END)),
                row(
                        "HUMAN_WITHOUT_SLA",
                        "/states/a/human",
                        states("'a':{'human':{'assignees':['ann']},'transitions':[{'to':'end'}]}", END),
                        states(
                                "'a':{'human':{'assignees':['ann']},'timeout':'P1D','transitions':[{'to':'end'},{'on':'timeout','to':'end'}]}",
                                END)),
                row(
                        "SUSPEND_CONFLICT",
                        "/suspend/approvals",
                        workflow("'suspend':{'inbox':'reject','approvals':'buffer'},", "'a':{'next':'end'}", END),
                        workflow("'suspend':{'inbox':'reject','approvals':'reject'},", "'a':{'next':'end'}", END)),
                row(
                        "SUSPEND_CONFLICT",
                        "/suspend/timers",
                        workflow(
                                "'suspend':{'approvals':'reject','timers':'catchUp'},",
                                "'a':{'human':" + ASK + ",'transitions':[{'to':'end'}]}",
                                END),
                        workflow(
                                "'suspend':{'approvals':'reject','timers':'freeze'},",
                                "'a':{'human':" + ASK + ",'transitions':[{'to':'end'}]}",
                                END)),
                row(
                        "SUSPEND_CONFLICT",
                        "/states/a/call/onSuspend",
                        workflow(
                                "'suspend':{'children':'cascade'},'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k','onSuspend':'fenceParentOnly'},'next':'end'}",
                                END),
                        workflow(
                                "'suspend':{'children':'cascade'},'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k','onSuspend':'cascade'},'next':'end'}",
                                END)),
                row(
                        "SUSPEND_CONFLICT",
                        "/suspend/children",
                        workflow(
                                "'suspend':{'children':'cancelChildren'},'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k'},'next':'end'}",
                                END),
                        workflow(
                                "'suspend':{'children':'cancelChildren'},'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k'},'transitions':[{'on':'canceled','to':'end'}],'next':'end'}",
                                END)),
                row(
                        "SELF_TRIGGER",
                        "/triggers/0",
                        workflow(
                                "'triggers':[{'id':'t','source':'internal','event':'RunCompleted','workflow':'w','start':true}],",
                                "'a':{'next':'end'}",
                                END),
                        workflow(
                                "'triggers':[{'id':'t','source':'internal','event':'RunCompleted','workflow':'w','start':true,'guard':'event.first'}],",
                                "'a':{'next':'end'}",
                                END)),
                row(
                        "SELF_TRIGGER",
                        "/triggers/0",
                        workflow(
                                "'triggers':[{'id':'t','source':'external','event':'s','start':true}],",
                                "'a':{'send':{'signal':'s','broadcast':true},'next':'end'}",
                                END),
                        workflow(
                                "'triggers':[{'id':'t','source':'external','event':'other','start':true}],",
                                "'a':{'send':{'signal':'s','broadcast':true},'next':'end'}",
                                END)),
                row(
                        "SEMAPHORE_NOT_RELEASED",
                        "/states/a/acquire",
                        workflow(
                                "'semaphores':{'s':{'permits':1}},",
                                "'a':{'acquire':{'semaphore':'s'},'next':'b'}",
                                "'b':{" + pure + ",'transitions':[{'on':'failure','to':'end'}],'next':'c'}",
                                "'c':{'release':'a','next':'end'}",
                                END),
                        workflow(
                                "'semaphores':{'s':{'permits':1}},",
                                "'a':{'acquire':{'semaphore':'s'},'next':'b'}",
                                "'b':{" + pure + ",'transitions':[{'on':'failure','to':'c'}],'next':'c'}",
                                "'c':{'release':'a','next':'end'}",
                                END)),
                row(
                        "SEMAPHORE_NOT_RELEASED",
                        "/states/a/parallel/branches/x/states/y/transitions/0",
                        workflow(
                                "'semaphores':{'s':{'permits':1}},",
                                "'a':{'semaphore':'s','parallel':{'branches':{'x':{'start':'y','states':{'y':{" + pure
                                        + ",'transitions':[{'when':'trigger.x','to':'end'}],'next':'z'},'z':{'end':{}}}}}},"
                                        + "'transitions':[{'on':'unsatisfied','to':'end'}],'next':'end'}",
                                END),
                        workflow(
                                "'semaphores':{'s':{'permits':1}},",
                                "'a':{'semaphore':'s','parallel':{'branches':{'x':{'start':'y','states':{'y':{" + pure
                                        + ",'transitions':[{'when':'trigger.x','to':'z'}],'next':'z'},'z':{'end':{}}}}}},"
                                        + "'transitions':[{'on':'unsatisfied','to':'end'}],'next':'end'}",
                                END)),
                row(
                        "CHILD_TIMEOUT",
                        "/states/a/call",
                        workflow(
                                "'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k'},'timeout':'P1D','transitions':[{'on':'timeout','to':'end'}],'next':'end'}",
                                END),
                        workflow(
                                "'subworkflows':{'k':{'workflow':'k'}},",
                                "'a':{'call':{'subworkflow':'k','onTimeout':'cascade'},'timeout':'P1D','transitions':[{'on':'timeout','to':'end'}],'next':'end'}",
                                END)),
                row(
                        "NEVER_RUNS",
                        "/states/b/task",
                        states("'a':{'transitions':[{'to':'end'},{'to':'b'}]}", "'b':{" + pure + ",'next':'end'}", END),
                        states(
                                "'a':{'transitions':[{'when':'trigger.x','to':'end'},{'to':'b'}]}",
                                "'b':{" + pure + ",'next':'end'}",
                                END)),
                row(
                        "JOIN_NEVER_FIRES",
                        "/states/a/parallel",
                        states(
                                "'a':{'parallel':{'branches':{'x':{" + pure
                                        + "}},'join':{'count':2}},'transitions':[{'on':'unsatisfied','to':'end'}],'next':'end'}",
                                END),
                        states(
                                "'a':{'parallel':{'branches':{'x':{" + pure
                                        + "}},'join':{'count':1}},'transitions':[{'on':'unsatisfied','to':'end'}],'next':'end'}",
                                END)));
    }

    private static LintRow row(String lint, String pointer, String bad, String good) {
        return new LintRow(Lint.valueOf(lint), pointer, bad, good);
    }
}
