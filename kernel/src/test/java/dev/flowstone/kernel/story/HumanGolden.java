package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.PASS;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.behalf;
import static dev.flowstone.kernel.story.Asks.changed;
import static dev.flowstone.kernel.story.Asks.claim;
import static dev.flowstone.kernel.story.Asks.decide;
import static dev.flowstone.kernel.story.Asks.on;
import static dev.flowstone.kernel.story.Asks.overriding;
import static dev.flowstone.kernel.story.Asks.own;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Histories of people and of a run's data, which later releases must fold to the same states. */
final class HumanGolden {
    private static final ActivationId ASK = ActivationId.parse("ask#1");
    private static final Duration HOUR = Duration.ofHours(1);

    static final Map<String, Supplier<Story>> STORIES = Map.of(
            "human-quorums", HumanGolden::quorums,
            "human-unreachable", HumanGolden::unreachable,
            "human-claims", HumanGolden::claims,
            "human-handover", HumanGolden::handover,
            "human-reminders", HumanGolden::reminders,
            "human-open", HumanGolden::open,
            "subject-gate", HumanGolden::gate,
            "subject-drift", HumanGolden::drift,
            "subject-bound", HumanGolden::bound,
            "variables-output", HumanGolden::variables);

    private HumanGolden() {}

    private static Story quorums() {
        return Story.of(Programs.dag()
                        .node(Asks.of("majority", "ann", "bob", "cem").quorum(new Quorum.Majority()))
                        .node(Asks.of("serial", "ann", "bob").quorum(new Quorum.Serial()))
                        .node(Asks.of("veto", "role:cfo", "bob")
                                .quorum(new Quorum.All())
                                .vetoes(REJECTED))
                        .edge("start", "majority")
                        .edge("start", "serial")
                        .edge("start", "veto"))
                .start()
                .by("ann")
                .accepted(decide("majority#1", PASS))
                .accepted(decide("serial#1", APPROVED))
                .accepted(decide("veto#1", APPROVED, "cfo"))
                .by("bob")
                .accepted(decide("majority#1", APPROVED))
                .accepted(decide("serial#1", APPROVED))
                .accepted(decide("veto#1", REJECTED))
                .by("cem")
                .accepted(decide("majority#1", APPROVED));
    }

    private static Story unreachable() {
        return Story.of(Asks.flow(Asks.of("ask", "ann", "bob").quorum(new Quorum.All()))
                        .node(Asks.of("again", "ann", "bob")
                                .quorum(new Quorum.Count(2))
                                .unmet(REJECTED))
                        .on(Outcome.FAILURE, "ask", "again")
                        .on(REJECTED, "again", "no"))
                .start()
                .by("ann")
                .accepted(decide("ask#1", APPROVED))
                .by("bob")
                .accepted(decide("ask#1", REJECTED))
                .accepted(decide("again#1", PASS));
    }

    private static Story claims() {
        return Story.of(Asks.flow(Asks.of("ask", "role:cfo", "zoe").quorum(new Quorum.All())))
                .start()
                .by("ann")
                .accepted(claim("ask#1", HOUR, "cfo"))
                .later(Duration.ofMinutes(30))
                .accepted(new HumanCommand.Heartbeat(ASK, HOUR))
                .later(HOUR)
                .fire("ask#1/claim", 2)
                .by("bob")
                .accepted(claim("ask#1", HOUR, "cfo"))
                .accepted(new HumanCommand.Release(ASK, false))
                .accepted(claim("ask#1", HOUR, "cfo"))
                .accepted(decide("ask#1", APPROVED, "cfo"))
                .by("zoe")
                .accepted(decide("ask#1", APPROVED));
    }

    private static Story handover() {
        return Story.of(Asks.flow(Asks.of("ask", "ann", "bob", "cem").quorum(new Quorum.All())))
                .start()
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .by("boss")
                .accepted(new HumanCommand.Reassign(
                        ASK, Optional.of(Party.user("ann")), List.of(Party.user("dan"), Party.role("cfo")), "ill"))
                .by("bob")
                .accepted(new HumanCommand.Delegate(ASK, Party.user("bob"), Party.user("eve"), Set.of(), false, "away"))
                .by("eve")
                .accepted(decide("ask#1", APPROVED))
                .by("fay")
                .accepted(behalf("ask#1", APPROVED, "cem"))
                .by("boss")
                .accepted(overriding("ask#1", APPROVED))
                .by("gil")
                .accepted(new HumanCommand.Decide(
                        ASK,
                        APPROVED,
                        Set.of("cfo"),
                        Optional.empty(),
                        Optional.of("fine, \"é\""),
                        Optional.empty(),
                        false));
    }

    private static Story reminders() {
        Reminder.Action more = new Reminder.Action.Escalate(new JsonArray(List.of(new JsonString("max"))), false);
        Reminder.Action other = new Reminder.Action.Escalate(new JsonArray(List.of(new JsonString("eve"))), true);
        Reminder.Action nobody = new Reminder.Action.Escalate(JsonArray.EMPTY, true);
        return Story.of(Asks.flow(Asks.of("ask", "ann")
                        .quorum(new Quorum.All())
                        .remind("soon", "PT1H", new Reminder.Action.Remind())
                        .remind("more", "PT2H", more)
                        .remind("other", "PT3H", other)
                        .remind("nobody", "PT4H", nobody)
                        .remind("end", "PT5H", new Reminder.Action.Resolve(REJECTED))))
                .start()
                .fire("ask#1/soon", 1)
                .fire("ask#1/more", 1)
                .fire("ask#1/other", 1)
                .fire("ask#1/nobody", 1)
                .later(Duration.ofHours(5))
                .fire("ask#1/end", 1);
    }

    /** Not over: everything that a snapshot holds of people. */
    private static Story open() {
        Story story = Story.of(Programs.flow()
                        .node(Asks.of("ask", "ann"))
                        .node(Asks.of("next", "ann", "role:cfo")
                                .quorum(new Quorum.All())
                                .remind("soon", "PT1H", new Reminder.Action.Remind()))
                        .node(Asks.gate("gate", "ask"))
                        .end("end")
                        .edge("start", "ask")
                        .on(APPROVED, "ask", "next")
                        .on(APPROVED, "next", "gate")
                        .edge("gate", "end"))
                .start()
                .accepted(own(4))
                .accepted(new DataCommand.SetVariables(Map.of("limit", JsonNumber.of(7)), "agreed"))
                .by("ann")
                .accepted(on(4, "ask#1", APPROVED))
                .accepted(on(4, "next#1", APPROVED));
        return story.by("cfo").accepted(claim("next#1", HOUR, "cfo"));
    }

    private static Story gate() {
        return Story.of(Programs.flow()
                        .node(Asks.of("ask", "ann"))
                        .node(Asks.gate("gate", "ask"))
                        .end("end")
                        .edge("start", "ask")
                        .on(APPROVED, "ask", "gate")
                        .on(Outcome.FAILURE, "gate", "ask")
                        .edge("gate", "end"))
                .start()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "ask#1", APPROVED))
                .accepted(changed(2))
                .ok("gate")
                .accepted(on(2, "ask#2", APPROVED))
                .accepted(own(3))
                .ok("gate");
    }

    /** About a subject from its start; one task changes it, and people decide on what it made. */
    private static Story bound() {
        Story story = Story.of(Programs.dag()
                .tasks("post", "after")
                .node(Asks.of("ask", "ann"))
                .edge("start", "post")
                .edge("post", "ask")
                .on(Outcome.SUCCESS, "post", "after"));
        story.accepted(BoundRunTest.about(story, BoundRunTest.INVOICE));
        Payload order = Payload.of(new JsonString("order 7"));
        return story.accepted(new Command.CompleteTask(
                        story.id("post#1"),
                        1,
                        new TaskAnswer.Ok(
                                Payload.of(new JsonString("done")), List.of(new ResourceLink("order", "7", order))),
                        Optional.of(6L)))
                .accepted(new Command.Deliver(
                        story.state().tenant(),
                        story.state().run(),
                        Aggregates.link(story.state().tenant(), "order", "7"),
                        3,
                        new Message.Linked(
                                story.id("post#1"), true, story.state().run(), order)))
                .restored()
                .by("ann")
                .accepted(changed(7));
    }

    private static Story drift() {
        return Story.of(Programs.dag()
                        .node(Asks.of("on", "ann", "bob").quorum(new Quorum.All()))
                        .node(Asks.of("exit", "ann").drift(Drift.EXIT))
                        .node(Asks.of("fail", "ann").drift(Drift.FAIL))
                        .tasks("amend", "mend")
                        .edge("start", "on")
                        .edge("start", "exit")
                        .edge("start", "fail")
                        .on(Outcome.DRIFT, "exit", "amend")
                        .on(Outcome.FAILURE, "fail", "mend"))
                .with(new Bounds(2, 100, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .goOn()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "on#1", APPROVED))
                .accepted(changed(2))
                .restored()
                .goOn()
                .ok("amend")
                .ok("mend")
                .accepted(on(2, "on#1", APPROVED));
    }

    private static Story variables() {
        return Story.of(Programs.dag()
                        .node(Asks.assign("init", Map.of("a", JsonNumber.of(1), "b", new JsonString("{{trigger}}"))))
                        .task("t")
                        .node(Asks.assign("more", Map.of("a", new JsonString("{{context.data.t}}"))))
                        .chain("start", "init", "t", "more")
                        .output(JsonObject.builder().put("all", "{{variables}}").build()))
                .start()
                .accepted(new DataCommand.SetVariables(Map.of("c", JsonNumber.of(3)), "asked for"))
                .ok("t", 5);
    }
}
