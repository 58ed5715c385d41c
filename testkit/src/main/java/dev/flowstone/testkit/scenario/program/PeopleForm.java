package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.testkit.scenario.source.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code human: [ann, {role: cfo}]}: people are asked; they approve or reject unless other outcomes are declared. */
final class PeopleForm {
    static final List<String> KEYS = List.of(
            "human",
            "outcomes",
            "vetoes",
            "abstain",
            "quorum",
            "request",
            "uniqueActors",
            "reminders",
            "unmet",
            "drift");

    private static final List<Outcome> OUTCOMES = List.of(new Outcome("approved"), new Outcome("rejected"));

    private PeopleForm() {}

    static Node read(Part at, Place place) {
        return new Node.HumanTask(
                place.id(),
                place.scope(),
                at.has("outcomes") ? at.outcomes("outcomes") : OUTCOMES,
                Set.copyOf(at.outcomes("vetoes")),
                at.outcome("abstain"),
                at.find("quorum").map(PeopleForm::quorum).orElse(new Quorum.One()),
                at.value("human"),
                at.value("request", JsonObject.EMPTY),
                at.flag("uniqueActors", true),
                at.find("reminders").map(PeopleForm::reminders).orElse(List.of()),
                at.outcome("unmet"),
                at.word("drift", Drift.class, Drift.GO_ON),
                place.routing(),
                place.mayEnd(),
                place.origin());
    }

    private static Quorum quorum(Cursor value) {
        if (value.value() instanceof JsonNumber) {
            return new Quorum.Count(value.count().orElse(1));
        }
        return switch (value.word(List.of("one", "majority", "all", "serial")).orElse("one")) {
            case "majority" -> new Quorum.Majority();
            case "all" -> new Quorum.All();
            case "serial" -> new Quorum.Serial();
            default -> new Quorum.One();
        };
    }

    private static List<Reminder> reminders(Cursor value) {
        List<Reminder> reminders = new ArrayList<>();
        for (Cursor item : value.items()) {
            Part at = new Part(item, List.of("name", "after", "escalate", "replace", "resolve"));
            String name = at.maybeText("name").orElse("r" + (reminders.size() + 1));
            reminders.add(new Reminder(name, at.wait("after").orElseGet(() -> at.value("after")), action(at)));
        }
        return reminders;
    }

    private static Reminder.Action action(Part at) {
        if (at.has("escalate")) {
            return new Reminder.Action.Escalate(at.value("escalate"), at.flag("replace", false));
        }
        return at.outcome("resolve")
                .<Reminder.Action>map(Reminder.Action.Resolve::new)
                .orElse(new Reminder.Action.Remind());
    }
}
