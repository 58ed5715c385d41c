package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.StateDef;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a state does: the names in it, and what depends on them. */
final class BodyCheck {
    private final At workflow;
    private final Faults faults;
    private final References references;
    private final Times times;

    BodyCheck(At workflow, Faults faults, References references, Times times) {
        this.workflow = workflow;
        this.faults = faults;
        this.references = references;
        this.times = times;
    }

    void check(StateDef state) {
        At at = state.at();
        at.object("human").ifPresent(human -> human(state, human));
        at.object("send").ifPresent(send -> times.fixed(send, "timeToLive"));
        at.object("call").ifPresent(this::call);
        at.object("acquire").ifPresent(hold -> {
            references.declared("semaphores", hold, "semaphore");
            hold(hold);
        });
        at.object("timer").ifPresent(timer -> {
            times.any(timer, "after");
            times.any(timer, "every");
            times.instant(timer, "at");
        });
        assigned(at);
    }

    void step(At step) {
        references.action(step);
        times.step(step);
        references.declared("compensations", step, "compensation");
        step.object("compensation").ifPresent(each -> {
            references.action(each);
            times.step(each);
        });
        step.object("send").ifPresent(send -> times.fixed(send, "timeToLive"));
        assigned(step);
        for (String name : List.of("compensation", "retry", "timeout", "input", "rerender")) {
            if (!step.has("action") && step.has(name)) {
                faults.add(
                        StatesFault.NOT_TOGETHER,
                        step.pointer(name),
                        Quoted.text(name) + " is for a step with an action",
                        "remove it");
            }
        }
    }

    /** No more permits than there are. */
    void hold(At hold) {
        At semaphore = workflow.named("semaphores").get(hold.text("semaphore").orElse(""));
        int wanted = hold.whole("permits").orElse(1);
        int there = semaphore == null ? wanted : semaphore.whole("permits").orElse(wanted);
        if (wanted > there) {
            faults.add(
                    StatesFault.OUT_OF_RANGE,
                    hold.pointer("permits"),
                    "the semaphore has " + there + " permits, and " + wanted + " are wanted: it would wait for ever",
                    "want at most " + there);
        }
    }

    private void assigned(At at) {
        at.object("assign")
                .ifPresent(assign -> assign.json()
                        .members()
                        .keySet()
                        .forEach(name -> references.declared("variables", name, assign.pointer(name))));
    }

    private void human(StateDef state, At human) {
        List<String> outcomes = state.done();
        for (String veto : human.texts("vetoes")) {
            references.outcome(veto, outcomes, human.pointer("vetoes"));
        }
        human.text("unmet").ifPresent(it -> references.outcome(it, outcomes, human.pointer("unmet")));
        human.text("abstain").ifPresent(it -> references.outcome(it, outcomes, human.pointer("abstain")));
        for (String reserved : List.of("always", "skipped", "drift", StateDef.FAILURE, StateDef.TIMEOUT)) {
            if (outcomes.contains(reserved)) {
                faults.add(
                        StatesFault.UNKNOWN_OUTCOME,
                        human.pointer("outcomes"),
                        "people can't decide " + Quoted.text(reserved) + ": the word has a meaning of its own",
                        "choose another word");
            }
        }
        if (Set.copyOf(outcomes).size() < outcomes.size()) {
            faults.add(
                    StatesFault.DUPLICATE_NAME, human.pointer("outcomes"), "an outcome is listed twice", "remove one");
        }
        roles(human, "assignees");
        references.declared("escalations", human, "escalation");
        List<At> steps = human.text("escalation").isPresent()
                ? workflow.object("escalations")
                        .map(it -> it.list(human.text("escalation").get()))
                        .orElse(List.of())
                : human.list("escalation");
        for (At step : steps) {
            times.any(step, "after");
            roles(step, "to");
            step.text("resolve").ifPresent(it -> references.outcome(it, outcomes, step.pointer("resolve")));
        }
    }

    private void roles(At at, String member) {
        for (At assignee : at.list(member)) {
            if (assignee.text("role").map(role -> !role.contains("{{")).orElse(false)) {
                references.declared("roles", assignee, "role");
            }
        }
    }

    private void call(At call) {
        references.declared("subworkflows", call, "subworkflow");
        At target = workflow.named("subworkflows").get(call.text("subworkflow").orElse(""));
        if (target == null || !target.has("inputs")) {
            return;
        }
        Set<String> wanted = new TreeSet<>(target.texts("inputs"));
        Set<String> given = new TreeSet<>(
                call.object("input").map(it -> it.json().members().keySet()).orElse(Set.of()));
        for (String name : wanted) {
            if (!given.contains(name)) {
                faults.add(
                        StatesFault.CALL_INPUT,
                        call.pointer("input"),
                        "the subworkflow asks for " + Quoted.text(name),
                        "add it to 'input'");
            }
        }
        for (String name : given) {
            if (!wanted.contains(name)) {
                faults.addAtName(
                        StatesFault.CALL_INPUT,
                        call.pointer("input") + "/" + name,
                        "the subworkflow has no input " + Quoted.text(name),
                        "remove it, or add it to the subworkflow's 'inputs'");
            }
        }
    }
}
