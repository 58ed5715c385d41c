package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.RunState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Old histories replay: bytes that were once stored decode to the same events and fold to the same state, in this release
 * and in every later one. A new version of an event (say {@code V2} of TaskCompleted) gets its own form and applier
 * beside the old ones and a new story here; the files that exist stay as they are.
 *
 * <p>{@code mvn -pl kernel test -Dtest=GoldenTest -Dflowstone.golden=write} writes the files that are missing (and only
 * those), which CI refuses.
 */
final class GoldenTest {
    static final Path FOLDER = Path.of("src/test/resources/golden");
    static final boolean WRITE = "write".equals(System.getProperty("flowstone.golden"));
    static final Map<String, Supplier<Story>> STORIES = new TreeMap<>(Map.of(
            "sequence", GoldenTest::sequence,
            "fan-out-fan-in", GoldenTest::fanOut,
            "fail-fast", GoldenTest::failFast,
            "retries-and-timers", GoldenTest::retries,
            "handed-out-again", GoldenTest::handedOutAgain,
            "slot-with-exit", GoldenTest::slot,
            "incidents-and-deadline", GoldenTest::incidents,
            "continue", GoldenTest::continued,
            "requested-and-large", GoldenTest::requestedAndLarge));

    static {
        STORIES.putAll(HumanGolden.STORIES);
        STORIES.putAll(ForkStories.ALL);
        STORIES.putAll(TimerGolden.STORIES);
    }

    static {
        STORIES.putAll(ControlHistories.STORIES);
        STORIES.put(
                "policy-denies",
                () -> PolicyStoryTest.started(PolicyStoryTest.published(
                        7, "{'name':'frozen','effect':'deny','when':'trigger.frozen','reason':'it is frozen'}")));
        STORIES.put("late-effects", LateEffectStoryTest::contradicted);
        STORIES.put("context-pruned", ContextPruningTest::pruned);
        STORIES.put("context-dropped", ContextPruningTest::dropped);
        STORIES.put("policy-missing", () -> PolicyStoryTest.started(JsonNull.NULL));
    }

    @Test
    void storedHistoriesFoldToTheirRecordedStates() throws IOException {
        if (WRITE && "true".equals(System.getenv("CI"))) {
            fail("golden files are written by people who mean it, not by CI");
        }
        for (Map.Entry<String, Supplier<Story>> story : STORIES.entrySet()) {
            Path file = FOLDER.resolve(story.getKey() + ".json");
            if (WRITE && !Files.exists(file)) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, golden(story.getValue().get()));
            }
            check(story.getKey());
        }
    }

    /** A file that nobody names would be folded by nobody. */
    @Test
    void everyHistoryThatIsStoredIsFolded() throws IOException {
        Set<String> folded = new TreeSet<>(STORIES.keySet());
        folded.addAll(MessageGoldenTest.STORIES.keySet());
        assertEquals(List.copyOf(folded), stored());
    }

    /** Each with its bytes as stored, its public events, and the state they fold to. */
    @Test
    void thereAreHistoriesOfEveryPartOfTheKernel() throws IOException {
        Set<Sha256> programs = new HashSet<>();
        Set<String> kinds = new TreeSet<>();
        for (String name : stored()) {
            JsonCursor golden = JsonCursor.of(read(name));
            programs.add(
                    Sha256.digest(CanonicalJson.exact(golden.member("program").value())));
            for (JsonCursor event : golden.member("events").items()) {
                kinds.add(event.string("kind"));
            }
        }
        assertTrue(
                programs.size() >= 40,
                () -> "golden histories are added, never removed: " + programs.size() + " programs");
        // A run is killed, moved, undone and begun at another's past by these, whatever its file is called.
        for (String kind :
                List.of("RunTerminated", "Migrated", "CompensationApplied", "RunReset", "RolledBack", "RunSuspended")) {
            assertTrue(kinds.contains(kind), () -> "no history has " + kind + ", only " + kinds);
        }
    }

    private static List<String> stored() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .map(name -> name.replaceAll("\\.json$", ""))
                    .sorted()
                    .toList();
        }
    }

    /** A run of these programs that has not begun. */
    static RunState unborn(JsonCursor golden) {
        Program program =
                ProgramCodec.decode(CanonicalJson.exact(golden.member("program").value()));
        return Kernel.initial(programs(golden), program, ProgramCodec.hash(program));
    }

    /** The program store of a golden history: what the run changed to. */
    static dev.flowstone.kernel.program.Programs programs(JsonCursor golden) {
        Map<Sha256, Program> others = new HashMap<>();
        golden.find("programs").map(JsonCursor::items).orElse(List.of()).forEach(other -> {
            Program one = ProgramCodec.decode(CanonicalJson.exact(other.value()));
            others.put(ProgramCodec.hash(one), one);
        });
        return hash -> Optional.ofNullable(others.get(hash));
    }

    static void check(String name) throws IOException {
        JsonCursor golden = JsonCursor.of(read(name));
        RunState state = unborn(golden);
        List<JsonObject> events = new ArrayList<>();
        for (String entry : golden.list("entries", JsonCursor::string)) {
            for (Event event : decode(entry, state)) {
                state = state.apply(event);
                events.add(EventJson.of(event));
            }
        }
        assertEquals(golden.member("events").value(), new JsonArray(List.copyOf(events)), name);
        assertEquals(
                CanonicalJson.exactText(golden.member("state").value()), CanonicalJson.exactText(state.toJson()), name);
    }

    static List<Event> decode(String entry, RunState state) {
        try {
            return JournalEntry.decode(Base64.getDecoder().decode(entry), state.lastSequence() + 1, state.lastHash());
        } catch (CorruptEntryException e) {
            throw new AssertionError(e);
        }
    }

    static JsonObject read(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name + ".json")) {
            byte[] bytes = WRITE
                    ? Files.readAllBytes(FOLDER.resolve(name + ".json"))
                    : assertFound(in, name).readAllBytes();
            return (JsonObject) JsonParser.parse(bytes);
        } catch (JsonSyntaxException e) {
            throw new AssertionError(name, e);
        }
    }

    private static InputStream assertFound(@org.jspecify.annotations.Nullable InputStream in, String name) {
        assertNotNull(in, "no golden file " + name);
        return in;
    }

    /** One event a line, so that a difference shows. */
    private static String golden(Story story) {
        return golden(story.program(), others(story), story.entries(), story.events(), story.state());
    }

    static String golden(Program program, List<JournalEntry> stored, List<Event> decoded, RunState state) {
        return golden(program, "", stored, decoded, state);
    }

    private static String golden(
            Program program, String others, List<JournalEntry> stored, List<Event> decoded, RunState state) {
        StringBuilder out = new StringBuilder("{\n\"program\": ");
        out.append(new String(ProgramCodec.encode(program), StandardCharsets.UTF_8))
                .append(others)
                .append(",\n\"entries\": [");
        List<String> entries = new ArrayList<>();
        for (JournalEntry entry : stored) {
            entries.add("\n\"" + Base64.getEncoder().encodeToString(entry.bytes()) + "\"");
        }
        List<String> events = new ArrayList<>();
        for (Event event : decoded) {
            events.add("\n" + CanonicalJson.exactText(EventJson.of(event)));
        }
        return out.append(String.join(",", entries))
                .append("\n],\n\"events\": [")
                .append(String.join(",", events))
                .append("\n],\n\"state\": ")
                .append(CanonicalJson.exactText(state.toJson()))
                .append("\n}\n")
                .toString();
    }

    /** Programs that the run changed to. */
    private static String others(Story story) {
        List<String> others = new ArrayList<>();
        for (Program other : story.others()) {
            others.add("\n" + new String(ProgramCodec.encode(other), StandardCharsets.UTF_8));
        }
        return others.isEmpty() ? "" : ",\n\"programs\": [" + String.join(",", others) + "\n]";
    }

    private static Story sequence() {
        return Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b"))
                .start()
                .ok("a")
                .ok("b", 7);
    }

    private static Story fanOut() {
        return Story.of(Programs.dag()
                        .tasks("A", "B", "C", "D")
                        .edge("start", "A")
                        .edge("A", "B", "context.data.A=1")
                        .edge("A", "C", "boom")
                        .edge("B", "D")
                        .edge("C", "D"))
                .start()
                .ok("A", 1)
                .ok("B")
                .ok("D");
    }

    private static Story failFast() {
        return Story.of(Programs.dag()
                        .tasks("a", "b", "c", "join")
                        .edge("start", "a")
                        .edge("start", "b")
                        .edge("start", "c")
                        .edge("a", "join")
                        .edge("b", "join")
                        .edge("c", "join"))
                .start()
                .failForGood("b")
                .ok("a")
                .answer("c", new TaskAnswer.TimedOut());
    }

    private static Story retries() {
        return Story.of(Programs.dag()
                        .task("a", new Retry(3, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), true))
                        .timer("wait", "PT1H")
                        .chain("start", "a", "wait")
                        .deadline(Duration.ofDays(2)))
                .start()
                .fail("a")
                .fire("a#1/retry", 1)
                .answer("a", new TaskAnswer.Returned())
                .answer("a", new TaskAnswer.Lost())
                .ok("a", new JsonString("é"))
                .later(Duration.ofHours(1))
                .fire("wait#1", 1);
    }

    private static Story handedOutAgain() {
        Story story =
                Story.of(Programs.dag().task("a").edge("start", "a")).start().answer("a", new TaskAnswer.Returned());
        return story.accepted(new Command.HandOutTask(story.id("a"), 1));
    }

    private static Story slot() {
        return Story.of(Programs.flow()
                        .strictTask("next")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .tasks("in", "left", "out")
                        .edge("in", "left")
                        .edge("in", "out")
                        .edge("left", "out")
                        .edge("out", "next")
                        .on(Outcome.FAILURE, "left", "next")
                        .edge("start", "in")
                        .edge("next", "end")
                        .on(Outcome.FAILURE, "next", "in"))
                .start()
                .ok("in")
                .failForGood("left")
                .failForGood("next")
                .ok("in")
                .answer("left", new TaskAnswer.Skipped("nothing to do"))
                .ok("out")
                .ok("next", 1);
    }

    private static Story incidents() {
        return Story.of(Programs.flow()
                        .strictTask("a")
                        .end("end")
                        .edge("start", "a")
                        .edge("a", "end", "false")
                        .deadline(Duration.ofHours(1)))
                .start()
                .ok("a")
                .later(Duration.ofHours(1))
                .fire("deadline", 1);
    }

    private static Story continued() {
        Programs program = Programs.dag().task("a").edge("start", "a");
        for (int i = 0; i < 7; i++) {
            program.task("b" + i).edge("a", "b" + i);
        }
        return Story.of(program.build())
                .with(new Bounds(3, 10, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .ok("a")
                .accepted(new dev.flowstone.kernel.command.Command.ContinueRun());
    }

    /** A start with everything that its caller may say; an input and an output that stand aside. */
    private static Story requestedAndLarge() {
        JsonObject input = JsonObject.builder().put("all", "{{trigger}}").build();
        Story story = Story.of(Programs.dag()
                        .task("a", Retry.NONE, input, true, Routing.ALL)
                        .task("b")
                        .edge("start", "a")
                        .edge("start", "b"))
                .with(new Bounds(100, 100, 1 << 20, 100, 5_000_000));
        Command.StartRun plain = story.startCommand(Map.of("trigger", Payload.of(new JsonString("x".repeat(95)))));
        return story.accepted(new Command.StartRun(
                        plain.tenant(),
                        plain.run(),
                        0,
                        plain.program(),
                        plain.requestId(),
                        plain.input(),
                        new Requested(Optional.of("Ada"), Optional.of("ada@example.com"), Optional.of(7))))
                .ok("a", new JsonString("y".repeat(60)))
                .ok("b", new JsonString("z".repeat(60)));
    }
}
