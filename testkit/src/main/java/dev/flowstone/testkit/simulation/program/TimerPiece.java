package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.testkit.simulation.world.Dice;
import java.util.List;

/** A wait of every sort: long, short, none, negative, one that can't be read; until an instant; by a schedule somewhere. In a cycle always some. */
final class TimerPiece implements ProgramPiece {
    private static final List<String> ANY =
            List.of("PT0S", "PT1S", "PT5S", "PT45S", "-PT1S", "{{context.data.n1.n}}", "nonsense");
    private static final List<String> SOME = List.of("PT2S", "PT20S", "PT45S", "nonsense");

    /** The worlds begin with the year 2026: before that, in the midst, hours later; with an offset, and without. */
    private static final List<String> INSTANTS = List.of(
            "2025-12-31T23:59:59Z",
            "2026-01-01T00:00:20Z",
            "2026-01-01T01:01:30+01:00",
            "2026-01-01T00:02:00Z",
            "2026-01-01T00:00:20");

    private static final List<String> SCHEDULES = List.of("*/7 * * * * *", "30 * * * * *", "* * * * *", "61 * * * *");

    /** One is in summer then, one is half an hour beside the others, one doesn't exist. */
    private static final List<String> ZONES =
            List.of("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "Europe/Nowhere");

    @Override
    public Class<? extends Node> kind() {
        return Node.Timer.class;
    }

    @Override
    public int weight() {
        return 5;
    }

    @Override
    public void write(Sketch sketch, String id) {
        sketch.add(new Node.Timer(
                new NodeId(id),
                sketch.scope(),
                due(sketch.dice(), sketch.isSettling()),
                sketch.routing(),
                sketch.isSettling(),
                new Origin("/nodes/" + id)));
    }

    private static Due due(Dice dice, boolean settling) {
        Due.Missed missed = dice.pick(List.of(Due.Missed.values()));
        int sort = dice.below(20);
        if (sort < 3) {
            return new Due.Every(new JsonString("PT7S"), missed);
        }
        if (sort < 6) {
            return new Due.Cron(text(dice, SCHEDULES), text(dice, ZONES), missed);
        }
        // An instant that is over would be no wait in a cycle.
        return sort < 9 && settling
                ? new Due.At(text(dice, INSTANTS))
                : new Due.After(text(dice, settling ? ANY : SOME));
    }

    private static JsonString text(Dice dice, List<String> texts) {
        return new JsonString(dice.pick(texts));
    }
}
