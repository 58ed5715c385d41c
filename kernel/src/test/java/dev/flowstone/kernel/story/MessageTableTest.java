package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.ControlBounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every message in every situation of a run, and every command at every aggregate; what stands in a cell is executed.
 * {@code -} is accepted without events, a word in capitals is a rejection, else the events (a routing left out).
 */
public final class MessageTableTest {
    private static final Payload NULL = Payload.of(JsonNull.NULL);
    private static final RunId STRANGER = RunId.of(Story.BIRTH, new Slot(1), 7);

    /**
     * Columns: not started; running and the activation waits, is settled, is unknown; failing; succeeded; failed;
     * suspended; canceling; canceled; terminated; compensating; draining; catching up; suspended with its tenant; resumed in it all
     * the same. To a run that stands still, or still has older input to decide, each is receipted and kept, but for its
     * parent's word.
     */
    private static final String RUNS = """
            SignalDelivered | NOT_STARTED | MessageReceived SignalAccepted | MessageReceived WaitDiscounted SignalHandedBack | MessageReceived WaitDiscounted SignalHandedBack | MessageReceived SignalHandedBack | MessageReceived SignalHandedBack | MessageReceived SignalHandedBack | MessageReceived InputBuffered | MessageReceived SignalHandedBack | MessageReceived SignalHandedBack | MessageReceived SignalHandedBack | MessageReceived SignalHandedBack | MessageReceived SignalAccepted | MessageReceived InputBuffered BufferedInputTaken ContinueScheduled | MessageReceived InputBuffered | MessageReceived SignalAccepted
            Broadcast | NOT_STARTED | MessageReceived SignalAccepted | MessageReceived WaitDiscounted | MessageReceived WaitDiscounted | MessageReceived | - | - | MessageReceived InputBuffered | MessageReceived | - | - | MessageReceived | MessageReceived SignalAccepted | MessageReceived InputBuffered BufferedInputTaken ContinueScheduled | MessageReceived InputBuffered | MessageReceived SignalAccepted
            Granted | NOT_STARTED | MessageReceived PermitAcquired | MessageReceived WaitDiscounted PermitGivenBack | MessageReceived WaitDiscounted PermitGivenBack | MessageReceived PermitGivenBack | MessageReceived PermitGivenBack | MessageReceived PermitGivenBack | MessageReceived InputBuffered | MessageReceived PermitGivenBack | MessageReceived PermitGivenBack | MessageReceived PermitGivenBack | MessageReceived PermitGivenBack | MessageReceived PermitAcquired | MessageReceived InputBuffered BufferedInputTaken ContinueScheduled | MessageReceived InputBuffered | MessageReceived PermitAcquired
            PermitExpired | NOT_STARTED | MessageReceived WaitDiscounted | MessageReceived PermitLost | MessageReceived WaitDiscounted | MessageReceived | - | - | MessageReceived InputBuffered | MessageReceived | - | - | MessageReceived | MessageReceived WaitDiscounted | MessageReceived InputBuffered BufferedInputTaken ContinueScheduled | MessageReceived InputBuffered | MessageReceived WaitDiscounted
            ChildSettled | NOT_STARTED | MessageReceived ChildEnded | MessageReceived WaitDiscounted | MessageReceived WaitDiscounted | MessageReceived | - | - | MessageReceived InputBuffered | MessageReceived | - | - | MessageReceived | MessageReceived ChildEnded | MessageReceived InputBuffered BufferedInputTaken ContinueScheduled | MessageReceived InputBuffered | MessageReceived ChildEnded
            Control | NOT_STARTED | MessageReceived | MessageReceived | MessageReceived | MessageReceived | - | - | MessageReceived | MessageReceived | - | - | MessageReceived | MessageReceived | MessageReceived BufferedInputTaken | MessageReceived | MessageReceived
            Linked | NOT_STARTED | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived InputBuffered | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived ResourceSettled | MessageReceived InputBuffered BufferedInputTaken ContinueScheduled | MessageReceived InputBuffered | MessageReceived ResourceSettled
            StartChild | RunStarted MessageReceived ChildBegun ActivationOpened ActivationOpened AwaitOpened ActivationOpened ChildStarted ActivationOpened TaskScheduled ActivationOpened PermitAwaited ActivationOpened TaskScheduled | MessageReceived | MessageReceived | MessageReceived | MessageReceived | - | - | MessageReceived InputBuffered | MessageReceived | - | - | MessageReceived | MessageReceived | MessageReceived InputBuffered BufferedInputTaken ContinueScheduled | MessageReceived InputBuffered | MessageReceived
            Subscribe | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Unsubscribe | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Signal | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            SignalReturned | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Acquire | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Release | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Link | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            SendSignal | NOT_STARTED | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE
            """;

    /** Columns: channel, semaphore, resource link; each first with nothing in it, then after a first message. */
    private static final String AGGREGATES = """
            Subscribe | MessageReceived SubscriptionOpened | MessageReceived | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Unsubscribe | MessageReceived | MessageReceived SubscriptionClosed | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Signal | MessageReceived SignalReceived TimerSet | MessageReceived SignalReceived SignalMatched | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            SignalReturned | MessageReceived SignalTakenBack TimerSet | MessageReceived SignalTakenBack SignalMatched | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Acquire | INVALID_COMMAND | INVALID_COMMAND | MessageReceived PermitRequested TimerSet PermitGranted | MessageReceived | INVALID_COMMAND | INVALID_COMMAND
            Release | INVALID_COMMAND | INVALID_COMMAND | MessageReceived | MessageReceived TimerCanceled PermitReleased | INVALID_COMMAND | INVALID_COMMAND
            Link | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | MessageReceived ResourceLinked | MessageReceived ResourceFound
            SignalDelivered | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Broadcast | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Granted | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            PermitExpired | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Linked | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            StartChild | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            Control | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            ChildSettled | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND | INVALID_COMMAND
            SendSignal | SignalReceived TimerSet | SignalReceived SignalMatched | INVALID_STATE | INVALID_STATE | INVALID_STATE | INVALID_STATE
            StartRun | NOT_STARTED | INVALID_STATE | NOT_STARTED | INVALID_STATE | NOT_STARTED | INVALID_STATE
            CompleteTask | NOT_STARTED | INVALID_STATE | NOT_STARTED | INVALID_STATE | NOT_STARTED | INVALID_STATE
            HandOutTask | NOT_STARTED | INVALID_STATE | NOT_STARTED | INVALID_STATE | NOT_STARTED | INVALID_STATE
            FireTimer | NOT_STARTED | NOT_FOUND | NOT_STARTED | TimerFired LeaseExpired | NOT_STARTED | NOT_FOUND
            ContinueRun | NOT_STARTED | - | NOT_STARTED | - | NOT_STARTED | -
            """;

    private final Post post = new Post();

    private static Stream<List<String>> cells(String table) {
        List<List<String>> cells = new ArrayList<>();
        for (String line : table.strip().lines().toList()) {
            List<String> row =
                    Stream.of(line.split("\\|", -1)).map(String::strip).toList();
            for (int column = 1; column < row.size(); column++) {
                cells.add(List.of(row.getFirst(), Integer.toString(column - 1), row.get(column)));
            }
        }
        return cells.stream();
    }

    /** What is sent in the rows about runs, by name; a broadcast is a way in which a signal is delivered. */
    public static Set<String> toRuns() {
        return runs().map(List::getFirst)
                .filter(name -> !name.equals("Broadcast"))
                .collect(Collectors.toSet());
    }

    /** The same, of the rows about aggregates. */
    public static Set<String> toAggregates() {
        return aggregates()
                .map(List::getFirst)
                .filter(name -> !name.equals("Broadcast"))
                .collect(Collectors.toSet());
    }

    static Stream<List<String>> runs() {
        return cells(RUNS);
    }

    static Stream<List<String>> aggregates() {
        return cells(AGGREGATES);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("runs")
    void aRunAnswers(List<String> cell) {
        Party run = run(Integer.parseInt(cell.get(1)));
        String visit = cell.get(1).equals("3") ? "#9" : "#1";
        RunId child = run.all(ChildStarted.class).stream()
                .findFirst()
                .map(ChildStarted::child)
                .orElse(STRANGER);
        String kind = cell.getFirst();
        Command command = kind.equals("SendSignal")
                ? post.send("t", "k", "x", Optional.empty())
                : new Command.Deliver(Post.ACME, run.id(), sender(kind, child), 1_000, message(kind, visit));

        assertEquals(cell.get(2), answer(run, command), run::tale);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("aggregates")
    void anAggregateAnswers(List<String> cell) {
        int column = Integer.parseInt(cell.get(1));
        String kind = cell.getFirst();
        Party party = switch (column / 2) {
            case 0 -> post.channel("t", "k");
            case 1 -> post.semaphore("s");
            default -> post.link("t", "k");
        };
        if (column % 2 == 1) {
            String first = List.of("Subscribe", "Acquire", "Link").get(column / 2);
            post.accepted(party, new Command.Deliver(Post.ACME, party.id(), STRANGER, 1, message(first, "#1")));
        }
        Command command = switch (kind) {
            case "SendSignal" ->
                new Command.SendSignal(
                        Post.ACME, party.id(), "t", "k", NULL, Optional.empty(), false, Duration.ofHours(1));
            case "StartRun" -> new Command.StartRun(Post.ACME, party.id(), 0, Sha256.ZERO, Optional.empty(), Map.of());
            case "CompleteTask" -> new Command.CompleteTask(ActivationId.parse("a#1"), 1, new TaskAnswer.TimedOut());
            case "HandOutTask" -> new Command.HandOutTask(ActivationId.parse("a#1"), 1);
            case "FireTimer" -> new Command.FireTimer(new TimerId("lease/1"), 1);
            case "ContinueRun" -> new Command.ContinueRun();
            default -> new Command.Deliver(Post.ACME, party.id(), STRANGER, 2, message(kind, "#1"));
        };

        assertEquals(cell.get(2), answer(party, command), party::tale);
    }

    private String answer(Party party, Command command) {
        return switch (post.decide(party, command)) {
            case Decision.Rejected rejected -> rejected.code().name();
            case Decision.Accepted accepted when accepted.events().isEmpty() -> "-";
            case Decision.Accepted accepted ->
                accepted.events().stream()
                        .filter(body -> !(body instanceof EventBody.Transitioned))
                        .map(EventBody::kind)
                        .collect(Collectors.joining(" "));
            case Decision.Needs needs -> needs.toString();
        };
    }

    private static Program program() {
        return program(Programs.dag().tasks("hold", "zboom"));
    }

    /** What undoes its task is under way when it has failed. */
    private static Program undoing() {
        return program(Programs.dag()
                .onFailure(Scope.FailurePolicy.COMPENSATE)
                .undoable("hold")
                .task("zboom"));
    }

    private static Program program(Programs tasks) {
        return tasks.named("table")
                .await("await", "t", "k")
                .permit("permit", "s", 1, 1, Duration.ofHours(1))
                .call("call", "child")
                .edge("start", "await")
                .edge("start", "permit")
                .edge("start", "call")
                .edge("start", "hold")
                .edge("start", "zboom")
                .build();
    }

    /** Of two inputs that were kept one is decided, and the other waits for its turn. */
    private void catchesUp(Party run) {
        post.with(Bounds.DEFAULT.withControl(new ControlBounds(10, 1)));
        post.accepted(run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
        for (int i = 0; i < 2; i++) {
            post.answer(run, "hold#1", new TaskAnswer.Returned());
        }
        post.accepted(run, new ControlCommand.ResumeRun("go on"));
    }

    private Party run(int situation) {
        post.published(
                Programs.dag().named("child").task("work").edge("start", "work").build());
        if (situation == 0) {
            RunId id = RunId.of(Instant.parse("2026-11-27T12:00:00Z"), new Slot(3), 9);
            return new Party(id, program(), ProgramCodec.hash(program()));
        }
        Party run = post.start(situation == 11 ? undoing() : program(), JsonNull.NULL);
        if (situation == 2 || situation == 5) {
            // Everything that it waits for comes, but nothing of what it says is delivered.
            RunId child = run.all(ChildStarted.class).getFirst().child();
            for (String kind : List.of("SignalDelivered", "Granted", "ChildSettled")) {
                post.accepted(
                        run, new Command.Deliver(Post.ACME, run.id(), sender(kind, child), 1, message(kind, "#1")));
            }
        }
        if (situation == 5) {
            post.ok(run, "hold");
            post.ok(run, "zboom");
        }
        if (situation == 4 || situation == 6) {
            post.answer(run, "zboom#1", Story.failed(FailureClass.PERMANENT));
        }
        if (situation == 11) {
            post.ok(run, "hold");
            post.answer(run, "zboom#1", Story.failed(FailureClass.PERMANENT));
        }
        if (situation == 6) {
            post.answer(run, "hold#1", new TaskAnswer.TimedOut());
        }
        switch (situation) {
            case 7 -> post.accepted(run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
            case 12 ->
                post.accepted(
                        run, new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", "run"));
            case 13 -> catchesUp(run);
            case 14 -> post.accepted(run, WideHolds.heed(WideHolds.suspend(4, 0)));
            case 15 -> {
                post.accepted(run, WideHolds.heed(WideHolds.suspend(4, 0)));
                post.accepted(run, new ControlCommand.ResumeRun("go on"));
            }
            case 8, 9 ->
                post.accepted(run, new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty()));
            case 10 -> post.accepted(run, new ControlCommand.TerminateRun("now"));
            default -> {}
        }
        if (situation == 9) {
            post.ok(run, "hold");
            post.ok(run, "zboom");
        }
        assertEquals(
                List.of(
                                "",
                                "RUNNING",
                                "RUNNING",
                                "RUNNING",
                                "FAILING",
                                "SUCCEEDED",
                                "FAILED",
                                "RUNNING",
                                "CANCELING",
                                "CANCELED",
                                "TERMINATED",
                                "COMPENSATING",
                                "RUNNING",
                                "RUNNING",
                                "RUNNING",
                                "RUNNING")
                        .get(situation),
                run.status().name());
        return run;
    }

    private static RunId sender(String kind, RunId child) {
        return switch (kind) {
            case "SignalDelivered", "Broadcast" -> Aggregates.channel(Post.ACME, "t", "k");
            case "Granted", "PermitExpired" -> Aggregates.semaphore(Post.ACME, "s");
            case "Linked" -> Aggregates.link(Post.ACME, "t", "k");
            case "ChildSettled" -> child;
            default -> STRANGER;
        };
    }

    private static Message message(String kind, String visit) {
        ActivationId await = ActivationId.parse("await" + visit);
        ActivationId permit = ActivationId.parse("permit" + visit);
        ActivationId call = ActivationId.parse("call" + visit);
        Instant later = Story.BIRTH.plus(Duration.ofHours(1));
        return switch (kind) {
            case "SignalDelivered" -> new Message.SignalDelivered(await, 1, NULL, false, later);
            case "Broadcast" -> new Message.SignalDelivered(await, 1, NULL, true, later);
            case "Granted" -> new Message.Granted(permit, 1, 1, later);
            case "PermitExpired" -> new Message.PermitExpired(permit, 2);
            case "ChildSettled" -> new Message.ChildSettled(call, Message.Ended.SUCCEEDED, NULL, Optional.empty());
            case "Control" -> new Message.Control(Message.Operation.DETACH, "why");
            case "Linked" -> new Message.Linked(call, true, STRANGER, NULL);
            case "StartChild" ->
                new Message.StartChild(
                        new WorkflowId("table"),
                        1,
                        ProgramCodec.hash(program()),
                        Map.of("trigger", NULL),
                        call,
                        true,
                        STRANGER,
                        1,
                        List.of(),
                        "corr",
                        "user:ada");
            case "Subscribe" -> new Message.Subscribe(await, "t", "k");
            case "Unsubscribe" -> new Message.Unsubscribe(await);
            case "Signal" -> new Message.Signal("t", "k", NULL, Optional.empty(), false, later);
            case "SignalReturned" -> new Message.SignalReturned(await, 1, NULL, later);
            case "Acquire" -> new Message.Acquire(permit, "s", 1, 1, Duration.ofHours(1));
            case "Release" -> new Message.Release(permit);
            case "Link" -> new Message.Link(call, "t", "k", NULL);
            default -> throw new AssertionError("no message " + kind);
        };
    }
}
