package dev.flowstone.kernel.story;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.story.Story.Sent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine dies after any commit, and whoever takes over goes on <em>deciding</em> from what is stored (known case 13, of
 * compensation and of everything else): the same commands come to the same bytes, and old histories come to an end.
 */
final class PrefixTest {
    private static final int MOST = 300;

    static Stream<String> stories() {
        return GoldenTest.STORIES.keySet().stream();
    }

    static Stream<String> histories() {
        try (Stream<Path> files = Files.list(GoldenTest.FOLDER)) {
            return files.map(it -> it.getFileName().toString().replace(".json", "")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RunState restored(Programs programs, RunState state) {
        return state.lastSequence() == 0
                ? state
                : Kernel.restore(programs, state.program(), state.programHash(), state.toJson());
    }

    /** From each prefix on, restored from a snapshot, the rest of the commands is decided byte for byte as it was. */
    @ParameterizedTest
    @MethodSource("stories")
    void theRestIsDecidedAsItWasFromEveryPrefix(String name) {
        goesOn(name, requireNonNull(GoldenTest.STORIES.get(name)).get());
    }

    /** Decides the rest of a story from each of its prefixes on. */
    static void goesOn(String name, Story whole) {
        List<RunState> before = new ArrayList<>();
        List<Decision> decided = new ArrayList<>();
        RunState state = Kernel.initial(whole.programs(), whole.program(), whole.programHash());
        for (Sent step : whole.sent()) {
            Decision decision = step.decide(state);
            before.add(state);
            decided.add(decision);
            state = after(state, decision);
        }
        assertEquals(whole.state().lastHash(), state.lastHash(), "the same commands are the same history");
        for (int from = 0; from < before.size(); from++) {
            RunState now = restored(whole.programs(), before.get(from));
            for (int i = from; i < before.size(); i++) {
                Sent step = whole.sent().get(i);
                Decision again = step.decide(now);
                String place = name + ": command " + i + " from prefix " + from;
                same(decided.get(i), again, () -> place + ", " + step.command());
                now = after(now, again);
            }
            assertEquals(whole.state().toJson(), now.toJson(), name + " from prefix " + from);
        }
    }

    /**
     * From each prefix of a stored history, folded from its bytes and restored from a snapshot, the run is driven on in
     * the simplest way, until it is over or waits for other runs: both decide the same, and what they record folds to it.
     */
    @ParameterizedTest
    @MethodSource("histories")
    void everyPrefixOfAStoredHistoryGoesOnToAnEnd(String name) throws IOException {
        JsonCursor golden = JsonCursor.of(GoldenTest.read(name));
        RunState folded = GoldenTest.unborn(golden);
        int prefix = 0;
        for (String entry : golden.list("entries", JsonCursor::string)) {
            for (Event event : GoldenTest.decode(entry, folded)) {
                folded = folded.apply(event);
            }
            driveOn(GoldenTest.programs(golden), folded, name + " from entry " + ++prefix);
        }
        assertTrue(prefix > 0, name);
    }

    private static void driveOn(Programs programs, RunState folded, String place) {
        RunState one = folded;
        RunState other = restored(programs, folded);
        long random = 1;
        for (int step = 0; step < MOST; step++) {
            Optional<Onwards.Step> next = Onwards.of(one);
            if (next.isEmpty()) {
                assertTrue(one.status().isFinal() || Onwards.waitsForOthers(one), () -> place + " stands still");
                return;
            }
            Stamp stamp = Onwards.stamp(one, next.get(), random++);
            Decision decision = Kernel.decide(
                    Story.env(Bounds.DEFAULT), one, stamp, next.get().command());
            Decision twin = Kernel.decide(
                    Story.env(Bounds.DEFAULT), other, stamp, next.get().command());
            String number = place + ", step " + step;
            Supplier<String> at = () -> number + ": " + next.get().command();
            same(decision, twin, at);
            if (decision instanceof Decision.Needs) {
                // A value that was set aside: this test has no payload store to fetch it from.
                return;
            }
            Decision.Accepted accepted = assertInstanceOf(Decision.Accepted.class, decision, at);
            assertTrue(!accepted.events().isEmpty(), () -> at.get() + " changes nothing, for ever");
            assertEquals(text(accepted.state()), text(fold(one, accepted)), at);
            one = accepted.state();
            other = after(other, twin);
        }
        // A cycle that nobody leaves goes on for ever, and this far well.
        assertTrue(!one.status().isFinal(), place);
    }

    private static RunState fold(RunState state, Decision.Accepted accepted) {
        RunState folded = state;
        for (JournalEntry entry : accepted.entry().stream().toList()) {
            for (Event event : GoldenTest.decode(Base64.getEncoder().encodeToString(entry.bytes()), folded)) {
                folded = folded.apply(event);
            }
        }
        return folded;
    }

    private static String text(RunState state) {
        return CanonicalJson.exactText(state.toJson());
    }

    private static RunState after(RunState state, Decision decision) {
        return decision instanceof Decision.Accepted accepted ? accepted.state() : state;
    }

    private static void same(Decision expected, Decision actual, Supplier<String> place) {
        if (!(expected instanceof Decision.Accepted one)) {
            assertEquals(expected, actual, place);
            return;
        }
        Decision.Accepted other = assertInstanceOf(Decision.Accepted.class, actual, place);
        assertEquals(one.events(), other.events(), place);
        assertEquals(one.messages(), other.messages(), place);
        assertEquals(one.entry().isPresent(), other.entry().isPresent(), place);
        one.entry().ifPresent(entry -> assertArrayEquals(entry.bytes(), bytes(other), place));
    }

    private static byte[] bytes(Decision.Accepted accepted) {
        return accepted.entry().orElseThrow().bytes();
    }
}
