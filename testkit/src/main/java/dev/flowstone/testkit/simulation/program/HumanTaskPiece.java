package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.testkit.simulation.world.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** People are asked: some, many, roles, nobody; with every quorum, vetoes, abstention, reminders. */
final class HumanTaskPiece implements ProgramPiece {
    private static final Outcome YES = new Outcome("yes");
    private static final Outcome NO = new Outcome("no");
    private static final Outcome PASS = new Outcome("pass");

    @Override
    public Class<? extends Node> kind() {
        return Node.HumanTask.class;
    }

    @Override
    public int weight() {
        return 9;
    }

    @Override
    public void write(Sketch sketch, String id) {
        Dice dice = sketch.dice();
        sketch.humans().add(id);
        sketch.add(new Node.HumanTask(
                new NodeId(id),
                sketch.scope(),
                List.of(YES, NO, PASS),
                dice.percent(50) ? Set.of(NO) : Set.of(),
                dice.percent(50) ? Optional.of(PASS) : Optional.empty(),
                quorum(dice),
                assignees(dice),
                JsonObject.builder()
                        .put("ask", dice.percent(90) ? "{{trigger.x}}" : "{{context.data.n1.n}}")
                        .build(),
                dice.percent(80),
                reminders(dice),
                dice.percent(60) ? Optional.of(NO) : Optional.empty(),
                dice.pick(List.of(Drift.values())),
                sketch.routing(),
                sketch.mayEnd(),
                new Origin("/nodes/" + id)));
    }

    private static Quorum quorum(Dice dice) {
        return switch (dice.below(8)) {
            case 0 -> new Quorum.Count(2);
            case 1 -> new Quorum.Majority();
            case 2 -> new Quorum.All();
            case 3 -> new Quorum.Serial();
            default -> new Quorum.One();
        };
    }

    private static JsonValue assignees(Dice dice) {
        if (dice.percent(5)) {
            return new JsonString("{{trigger.x}}");
        }
        List<JsonValue> asked = new ArrayList<>();
        for (int i = dice.between(1, 3); i > 0; i--) {
            asked.add(
                    dice.percent(30)
                            ? JsonObject.builder()
                                    .put("role", "r" + dice.below(2))
                                    .build()
                            : new JsonString("u" + dice.below(4)));
        }
        return new JsonArray(asked);
    }

    private static List<Reminder> reminders(Dice dice) {
        List<Reminder> reminders = new ArrayList<>();
        if (dice.percent(30)) {
            reminders.add(new Reminder("soon", new JsonString("PT3S"), new Reminder.Action.Remind()));
        }
        if (dice.percent(30)) {
            JsonValue whom = dice.percent(80)
                    ? new JsonArray(List.of(new JsonString("u" + dice.below(4))))
                    : new JsonString("{{context.data.n1.n}}");
            reminders.add(new Reminder(
                    "later", new JsonString("PT15S"), new Reminder.Action.Escalate(whom, dice.percent(50))));
        }
        if (dice.percent(30)) {
            reminders.add(new Reminder("last", new JsonString("PT50S"), new Reminder.Action.Resolve(NO)));
        }
        return reminders;
    }
}
