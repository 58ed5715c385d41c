package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import java.util.List;
import java.util.Optional;

/** People who never answer, and suspend policies that contradict each other. */
final class PeopleLints {
    private static final String CHILDREN = "children";

    private final Source source;
    private final Faults faults;

    PeopleLints(Source source, Faults faults) {
        this.source = source;
        this.faults = faults;
    }

    void run() {
        At workflow = source.workflow();
        boolean resolves = false;
        for (StateDef state : source.states()) {
            if (state.body() == Body.HUMAN) {
                At human = state.at().object("human").orElse(state.at());
                List<At> steps = human.text("escalation")
                        .flatMap(name -> workflow.object("escalations").map(it -> it.list(name)))
                        .orElseGet(() -> human.list("escalation"));
                resolves |= steps.stream().anyMatch(it -> it.has("resolve"));
                if (steps.isEmpty() && !state.at().has("timeout")) {
                    faults.add(
                            Lint.HUMAN_WITHOUT_SLA,
                            human.pointer(),
                            "if nobody decides in " + Quoted.text(state.name()) + ", the run waits for ever",
                            "add \"escalation\" to 'human', or \"timeout\" to the state");
                }
            }
        }
        Optional<At> suspend = workflow.object("suspend");
        if (suspend.isPresent()) {
            suspended(suspend.get(), resolves);
        }
    }

    private void suspended(At suspend, boolean resolves) {
        boolean noInbox = suspend.text("inbox").orElse("buffer").equals("reject");
        Optional<String> approvals = suspend.text("approvals");
        if (noInbox && approvals.orElse("").equals("buffer")) {
            conflict(
                    suspend.pointer("approvals"),
                    "decisions arrive by the inbox, which rejects everything, and are to be buffered",
                    "let both buffer, or both reject");
        }
        boolean undecided = noInbox || approvals.orElse("buffer").equals("reject");
        if (undecided && suspend.text("timers").orElse("").equals("catchUp") && resolves) {
            conflict(
                    suspend.pointer("timers"),
                    "while it is suspended nobody can decide, and deadlines go on: people's tasks are resolved unasked",
                    "freeze the timers, or buffer decisions");
        }
        for (StateDef state : source.states()) {
            state.at().object("call").ifPresent(call -> child(suspend, state, call));
        }
    }

    private void child(At suspend, StateDef state, At call) {
        Optional<String> children = suspend.text(CHILDREN);
        Optional<String> own = call.text("onSuspend");
        if (children.isPresent() && own.isPresent() && !own.equals(children)) {
            conflict(
                    call.pointer("onSuspend"),
                    "the call says " + Quoted.text(own.get()) + ", the workflow " + Quoted.text(children.get()),
                    "say it once");
        }
        boolean canceled = own.or(() -> children).orElse("").equals("cancelChildren");
        if (canceled && !call.flag("spawn", false) && state.ways("canceled").isEmpty()) {
            conflict(
                    own.isPresent() ? call.pointer("onSuspend") : suspend.pointer(CHILDREN),
                    "suspending cancels the child that " + Quoted.text(state.name())
                            + " waits for, and nothing leads on when it was canceled",
                    "add a transition with \"on\": \"canceled\", or let the child be suspended too");
        }
    }

    private void conflict(String pointer, String message, String remedy) {
        faults.add(Lint.SUSPEND_CONFLICT, pointer, message, remedy);
    }
}
