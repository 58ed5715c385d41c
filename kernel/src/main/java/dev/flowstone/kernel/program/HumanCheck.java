package dev.flowstone.kernel.program;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ProgramFault.Code;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules of human tasks, of gates that use their decisions, and of variables (R13–R15). */
final class HumanCheck {
    /** Behind a node's name, its visit and a slash, it must fit into a timer's name. */
    private static final Pattern REMINDER = Pattern.compile("[A-Za-z0-9_.-]{1,24}");

    /** Names of timers that a task has for itself. */
    private static final Set<String> RESERVED = Set.of("claim", "retry");

    private final Program program;
    private final List<ProgramFault> faults;

    HumanCheck(Program program, List<ProgramFault> faults) {
        this.program = program;
        this.faults = faults;
    }

    void run() {
        for (Node node : program.nodes()) {
            switch (node) {
                case Node.HumanTask task -> check(task);
                case Node.Task task -> gate(task);
                case Node.Assign assign -> variables(assign);
                case Node.Start _,
                        Node.End _,
                        Node.Timer _,
                        Node.Choice _,
                        Node.Fork _,
                        Node.Join _,
                        Node.Await _,
                        Node.Emit _,
                        Node.Call _ -> {}
            }
        }
    }

    private void check(Node.HumanTask task) {
        if (task.outcomes().isEmpty()) {
            fault(Code.INVALID_OUTCOMES, task, task.id() + " declares no outcome that could be decided");
        }
        Set<Outcome> seen = new HashSet<>();
        for (Outcome outcome : task.outcomes()) {
            boolean reserved = outcome.equals(Outcome.ALWAYS)
                    || outcome.equals(Outcome.SKIPPED)
                    || outcome.equals(Outcome.DRIFT)
                    || outcome.name().isEmpty();
            if (reserved || !seen.add(outcome)) {
                fault(Code.INVALID_OUTCOMES, task, task.id() + " can't declare the outcome '" + outcome + "'");
            }
        }
        task.vetoes().stream().sorted().forEach(veto -> declared(task, veto, "settles at once by"));
        task.abstain().ifPresent(outcome -> declared(task, outcome, "abstains by"));
        task.unmet().ifPresent(outcome -> declared(task, outcome, "falls back to"));
        if (task.abstain().isPresent() && task.vetoes().contains(task.abstain().get())) {
            fault(
                    Code.INVALID_OUTCOMES,
                    task,
                    task.id() + " can't both abstain and settle by "
                            + task.abstain().get());
        }
        nobody(task);
        reminders(task);
    }

    private void declared(Node.HumanTask task, Outcome outcome, String what) {
        if (!task.outcomes().contains(outcome)) {
            fault(
                    Code.INVALID_OUTCOMES,
                    task,
                    task.id() + " " + what + " the outcome " + outcome + ", which it doesn't declare");
        }
    }

    /** Known before anything runs only if there is no template in it. */
    private void nobody(Node.HumanTask task) {
        JsonValue assignees = task.assignees();
        if (assignees instanceof JsonNull
                || (assignees instanceof JsonArray list && list.items().isEmpty())) {
            fault(Code.NO_ASSIGNEE, task, task.id() + " asks nobody");
        }
    }

    private void reminders(Node.HumanTask task) {
        Set<String> names = new HashSet<>();
        for (Reminder reminder : task.reminders()) {
            String name = reminder.name();
            if (!REMINDER.matcher(name).matches() || RESERVED.contains(name) || !names.add(name)) {
                fault(
                        Code.INVALID_REMINDER,
                        task,
                        "a reminder of " + task.id() + " needs a name of its own, of at most 24 letters, digits, dots"
                                + " and dashes, that isn't one of "
                                + RESERVED.stream().sorted().toList());
            }
            if (reminder.action() instanceof Reminder.Action.Resolve resolve) {
                declared(task, resolve.outcome(), "is resolved with");
            }
        }
    }

    private void gate(Node.Task task) {
        task.applies().ifPresent(decided -> {
            if (!program.has(decided) || !(program.node(decided) instanceof Node.HumanTask)) {
                fault(
                        Code.INVALID_GATE,
                        task,
                        task.id() + " uses what " + decided + " decided, which is no human task");
            }
        });
    }

    private void variables(Node.Assign assign) {
        for (String name : assign.values().keySet().stream().sorted().toList()) {
            if (!Node.Assign.VARIABLE.matcher(name).matches()) {
                fault(
                        Code.INVALID_VARIABLE,
                        assign,
                        assign.id() + " writes a variable whose name isn't made of at most 64 letters, digits and"
                                + " underscores");
            }
        }
    }

    private void fault(Code code, Node node, String message) {
        faults.add(ProgramFault.of(code, node, message));
    }
}
