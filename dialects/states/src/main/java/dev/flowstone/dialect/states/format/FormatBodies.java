package dev.flowstone.dialect.states.format;

import static dev.flowstone.dialect.states.format.Format.duration;
import static dev.flowstone.dialect.states.format.Format.fixed;
import static dev.flowstone.dialect.states.format.Format.instant;
import static dev.flowstone.dialect.states.format.Format.list;
import static dev.flowstone.dialect.states.format.Format.name;
import static dev.flowstone.dialect.states.format.Format.number;
import static dev.flowstone.dialect.states.format.Format.outcome;
import static dev.flowstone.dialect.states.format.Format.span;
import static dev.flowstone.dialect.states.format.Format.text;
import static dev.flowstone.dialect.states.format.Format.word;

import dev.flowstone.dialect.states.format.Shape.Anything;
import dev.flowstone.dialect.states.format.Shape.Either;
import dev.flowstone.dialect.states.format.Shape.Flag;
import dev.flowstone.dialect.states.format.Shape.Items;
import dev.flowstone.dialect.states.format.Shape.Named;
import dev.flowstone.dialect.states.format.Shape.Ref;
import dev.flowstone.dialect.states.format.Shape.Text;
import dev.flowstone.dialect.states.format.Shape.Whole;
import java.util.List;

/** What states do, and what their doings are made of. */
final class FormatBodies {
    private static final Shape ANY = new Anything();
    private static final Shape OUTCOMES = new Items(outcome(), 1, 20);
    private static final Shape PAIR = new Items(new Either(List.of(new Ref("operand"), ANY)), 2, 2);

    private FormatBodies() {}

    static Kind retry() {
        return Kind.of("retry", "'retry'")
                .may(
                        "attempts",
                        new Either(List.of(new Whole(1, 1_000_000), word("unlimited"))),
                        "In all, the first one included; 4 unless told.")
                .may("delay", fixed(), "Before the second attempt; 2 seconds unless told.")
                .may("factor", number(1, 1_000), "Each delay is so many times the one before; 2 unless told.")
                .may("most", fixed(), "No delay is longer; 5 minutes unless told.")
                .may("jitter", new Flag(), "Whether a delay is drawn between half of it and all; true unless told.")
                .build();
    }

    static Kind compensation() {
        return Kind.of("compensation", "a compensation")
                .may("action", text(200), "The handler that undoes it.")
                .may("attest", text(10_000), "Nothing can undo it: what a person does, and attests.")
                .may("input", ANY, "A template; sees the task's output in context.data.")
                .may("timeout", fixed(), "Of one attempt; 5 minutes unless told.")
                .may("retry", new Ref("retry"), "How often and how patiently it is tried.")
                .may("description", text(10_000), "For people.")
                .exactlyOne("action", "attest")
                .build();
    }

    static Kind human() {
        return Kind.of("human", "'human'")
                .must("assignees", new Either(List.of(assignees(), text(4_000))), "Who is asked; or a template.")
                .may("outcomes", OUTCOMES, "What may be decided; approve and reject unless told.")
                .may("vetoes", OUTCOMES, "Decided once, they settle it; reject unless told, if it is an outcome.")
                .may("abstain", outcome(), "The outcome that only shrinks the quorum.")
                .may(
                        "quorum",
                        new Either(List.of(word("one", "majority", "all", "serial"), new Ref("quorum"))),
                        "How many must agree; one unless told.")
                .may("unmet", outcome(), "Its outcome when the quorum can't be met any more; else it fails.")
                .may("request", ANY, "What they are shown, a template.")
                .may("uniqueActors", new Flag(), "Whether a person counts once; true unless told.")
                .may(
                        "escalation",
                        new Either(List.of(name(), list("escalationStep"))),
                        "What happens while nobody decides: a name in 'escalations', or steps of its own.")
                .build();
    }

    private static Shape assignees() {
        return new Items(new Either(List.of(new Ref("assignee"), text(4_000))), 1, 1_000);
    }

    static Kind escalationStep() {
        return Kind.of("escalationStep", "a step of an escalation")
                .must("after", duration(), "Since people were asked.")
                .may("remind", new Flag(), "They are reminded.")
                .may("to", new Either(List.of(assignees(), text(4_000))), "Others are asked.")
                .may("replace", new Flag(), "With 'to': instead of those asked before.")
                .may("resolve", outcome(), "It is decided so.")
                .exactlyOne("remind", "to", "resolve")
                .build();
    }

    static Kind assignee() {
        return Kind.of("assignee", "an assignee")
                .may("role", text(200), "One of 'roles', or a template.")
                .may("user", text(4_000), "A user's id, or a template.")
                .exactlyOne("role", "user")
                .build();
    }

    static Kind quorum() {
        return Kind.of("quorum", "'quorum'")
                .must("count", new Whole(1, 10_000), "So many of one outcome.")
                .build();
    }

    static Kind signal() {
        return Kind.of("signal", "'wait'")
                .must("signal", text(200), "The signal's type.")
                .may("key", text(4_000), "Its correlation key, a template.")
                .build();
    }

    static Kind send() {
        return Kind.of("send", "'send'")
                .must("signal", text(200), "The signal's type.")
                .may("key", text(4_000), "Its correlation key, a template.")
                .may("payload", ANY, "A template.")
                .may("dedupe", text(4_000), "A template; a signal of the same text is dropped.")
                .may("timeToLive", fixed(), "How long it is kept for a wait to come; a day unless told.")
                .may("broadcast", new Flag(), "To each that waits now, instead of to one.")
                .build();
    }

    static Kind call() {
        Shape ends = word("cascade", "detach", "cancelChildren", "completeThenCancel");
        Shape suspends = word("cascade", "detach", "fenceParentOnly", "cancelChildren");
        Shape late = word("cascade", "detach", "cancelChildren", "completeThenCancel", "wait");
        return Kind.of("call", "'call'")
                .must("subworkflow", name(), "Its name in 'subworkflows'.")
                .may("input", new Named(ANY, 1_000), "The child's trigger; templates by name.")
                .may("spawn", new Flag(), "Doesn't wait for it.")
                .may("onCancel", ends, "What canceling this run does to the child.")
                .may("onTerminate", ends, "What terminating this run does to the child.")
                .may("onSuspend", suspends, "What suspending this run does to the child.")
                .may("onTimeout", late, "What this state's timeout does to the child.")
                .build();
    }

    static Kind timer() {
        return Kind.of("timer", "'timer'")
                .may("after", duration(), "After this long.")
                .may("at", instant(), "At this instant: ISO 8601 with an offset, or a template.")
                .may("cron", text(4_000), "At the next time of this schedule.")
                .may("every", span(), "On a grid of this width.")
                .may("zone", text(200), "With 'cron': its time zone; UTC unless told.")
                .may("missed", word("once", "all", "skip"), "What becomes of times that passed meanwhile.")
                .exactlyOne("after", "at", "cron", "every")
                .build();
    }

    static Kind parallel() {
        Shape phases = new Items(new Ref("branch"), 1, 20);
        return Kind.of("parallel", "'parallel'")
                .must(
                        "branches",
                        new Named(new Either(List.of(new Ref("branch"), phases)), 1_000),
                        "By name; a list has barriers between its elements, at which all branches wait for each other.")
                .may("join", joins(), "When it goes on; all unless told.")
                .may("losers", word("cancel", "keep", "compensate"), "What becomes of the others then.")
                .may("onFailure", word("fail", "compensate", "park", "arrive"), "What a failure in a branch does.")
                .build();
    }

    static Kind forEach() {
        return Kind.of("forEach", "'forEach'")
                .must("items", ANY, "A template of a list; the branch sees item and index.")
                .must("do", new Ref("branch"), "What is done for each.")
                .may("window", new Whole(1, 10_000), "How many at once; 10 unless told.")
                .may("join", joins(), "When it goes on; all unless told.")
                .may("losers", word("cancel", "keep", "compensate"), "What becomes of the others then.")
                .may("onFailure", word("fail", "compensate", "park", "arrive"), "What a failure in a branch does.")
                .build();
    }

    private static Shape joins() {
        return new Either(List.of(word("all", "any", "majority"), new Ref("join")));
    }

    static Kind branch() {
        Kind.Builder branch = Kind.of("branch", "a branch");
        Format.bodies(branch);
        return branch.may("start", name(), "With 'states': where the branch begins.")
                .may("states", new Named(new Ref("state"), 10_000), "The branch's own states, instead of one alone.")
                .build();
    }

    static Kind join() {
        return Kind.of("join", "'join'")
                .may("count", new Whole(1, 10_000), "So many have arrived.")
                .may("majority", new Flag(), "More than half have arrived.")
                .may("ended", new Whole(1, 10_000), "So many have ended, however.")
                .may("accept", OUTCOMES, "With 'count' and 'majority': outcomes that count; success unless told.")
                .exactlyOne("count", "majority", "ended")
                .build();
    }

    static Kind end() {
        return Kind.of("end", "'end'")
                .may("outcome", outcome(), "How it ended; success unless told.")
                .may("terminate", new Flag(), "Whether it ends everything else in the run.")
                .build();
    }

    static Kind rule() {
        Shape rules = new Items(new Ref("rule"), 1, 100);
        return Kind.of("rule", "a rule")
                .may("all", rules, "Each of them holds.")
                .may("any", rules, "One of them holds.")
                .may("not", new Ref("rule"), "It doesn't hold.")
                .may("equals", PAIR, "Both are equal.")
                .may("notEquals", PAIR, "They differ.")
                .may("greater", PAIR, "The first is greater.")
                .may("greaterOrEqual", PAIR, "The first isn't less.")
                .may("less", PAIR, "The first is less.")
                .may("lessOrEqual", PAIR, "The first isn't greater.")
                .may("in", PAIR, "The first is an element of the second.")
                .may("present", new Text(4_096, "", ""), "This expression has a value.")
                .may("policy", name(), "This policy allows.")
                .exactlyOne(
                        "all",
                        "any",
                        "not",
                        "equals",
                        "notEquals",
                        "greater",
                        "greaterOrEqual",
                        "less",
                        "lessOrEqual",
                        "in",
                        "present",
                        "policy")
                .build();
    }

    static Kind operand() {
        return Kind.of("operand", "an operand")
                .must("value", text(4_096), "An expression, such as variables.amount.")
                .build();
    }
}
