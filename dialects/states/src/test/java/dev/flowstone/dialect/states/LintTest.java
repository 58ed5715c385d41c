package dev.flowstone.dialect.states;

import static dev.flowstone.dialect.states.Sources.states;
import static dev.flowstone.dialect.states.Sources.workflow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.lint.Beyond;
import dev.flowstone.dialect.states.lint.Bundles;
import dev.flowstone.dialect.states.lint.Callees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each lint: a source that has it, where it shows, and the same source mended, about which nothing is said. */
final class LintTest {
    private static final String END = "'end':{'end':{}}";

    @ParameterizedTest
    @MethodSource("dev.flowstone.dialect.states.LintRow#all")
    void findsItAtItsPlaceAndSaysNothingWhenItIsMended(LintRow row) {
        List<Fault> bad = lints(row.bad());
        List<Fault> good = lints(row.good());

        assertTrue(
                bad.stream()
                        .anyMatch(it -> it.code() == row.lint() && it.pointer().equals(row.pointer())),
                () -> "bad: " + bad);
        assertTrue(good.stream().noneMatch(it -> it.code() == row.lint()), () -> "good: " + good);
    }

    @Test
    void everyLintHasARow() {
        Set<Lint> shown = EnumSet.of(Lint.NOT_FULLY_EXPLORED, Lint.UNKNOWN_BUNDLE);
        LintRow.all().forEach(row -> shown.add(row.lint()));

        assertEquals(EnumSet.allOf(Lint.class), shown);
    }

    /** What the page promises: a file for each lint, which shows it. */
    @ParameterizedTest
    @EnumSource(Lint.class)
    void aFileInTheDocumentsShowsIt(Lint lint) throws IOException {
        String name = lint.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".json";
        byte[] source = Files.readAllBytes(Sources.ROOT.resolve("docs/lints").resolve(name));
        StatesOptions options =
                lint == Lint.NOT_FULLY_EXPLORED ? StatesOptions.DEFAULT.withMarkings(2) : StatesOptions.DEFAULT;

        Beyond nothingPublished = new Beyond(Callees.NONE, _ -> true);

        List<Fault> faults = assertInstanceOf(
                        StatesCompilation.Compiled.class,
                        Sources.DIALECT.compile(source, options, Sources.NAMED, nothingPublished))
                .faults();

        assertTrue(faults.stream().anyMatch(it -> it.code() == lint), faults::toString);
    }

    @Test
    void theFileOnSuspensionShowsEveryConflictThereIs() throws IOException {
        byte[] source = Files.readAllBytes(Sources.ROOT.resolve("docs/lints/suspend-conflict.json"));

        List<Fault> faults = Sources.DIALECT
                .compile(source, StatesOptions.DEFAULT, Sources.ACTIONS)
                .faults();

        assertEquals(
                List.of(
                        "LINT-SUSPEND-CONFLICT /states/again/call/onSuspend",
                        "LINT-SUSPEND-CONFLICT /suspend/approvals",
                        "LINT-SUSPEND-CONFLICT /suspend/children",
                        "LINT-SUSPEND-CONFLICT /suspend/timers"),
                Sources.brief(faults).stream().sorted().toList());
    }

    @Test
    void tellsAShortestWayToADeadlock() {
        String source = workflow(
                "'semaphores':{'s':{'permits':1}},",
                "'a':{'acquire':{'semaphore':'s'},'next':'b'}",
                "'b':{'acquire':{'semaphore':'s'},'next':'c'}",
                "'c':{'release':'b','next':'d'}",
                "'d':{'release':'a','next':'end'}",
                END);

        Fault deadlock = lints(source).stream()
                .filter(it -> it.code() == Lint.DEADLOCK)
                .findFirst()
                .orElseThrow();

        assertEquals(
                "b waits for permits that this run holds itself; a shortest way there: $start → a", deadlock.message());
    }

    @Test
    void findsACircleThroughOtherWorkflows() {
        Callees known = id -> id.equals("k") ? Set.of("l") : id.equals("l") ? Set.of("w") : Set.of();
        String source = workflow(
                "'subworkflows':{'k':{'workflow':'k'}},", "'a':{'call':{'subworkflow':'k'},'next':'end'}", END);
        byte[] bytes = Sources.json(source).getBytes(StandardCharsets.UTF_8);

        List<Fault> faults = Sources.DIALECT
                .compile(bytes, StatesOptions.DEFAULT, Sources.NAMED, new Beyond(known, Bundles.UNKNOWN))
                .faults();

        assertEquals(List.of("LINT-CHILD-CYCLE /subworkflows/k/workflow"), Sources.brief(faults));
        assertTrue(
                faults.getFirst().message().contains("w → k → l → w"),
                faults.getFirst().message());
    }

    @Test
    void findsAPolicyThatNobodyHasPublishedAndSaysNothingWhereNothingIsKnown() {
        byte[] bytes = Sources.json(workflow(
                        "'policies':{'there':{'bundle':'there'},'gone':{'bundle':'gone'}},",
                        "'a':{'policies':['there','gone'],'transitions':[{'on':'denied','to':'end'}],'next':'end'}",
                        END))
                .getBytes(StandardCharsets.UTF_8);

        List<Fault> faults = Sources.DIALECT
                .compile(
                        bytes,
                        StatesOptions.DEFAULT,
                        Sources.NAMED,
                        new Beyond(Callees.NONE, bundle -> !bundle.equals("there")))
                .faults();

        assertEquals(List.of("LINT-UNKNOWN-BUNDLE /policies/gone/bundle"), Sources.brief(faults));
        assertTrue(faults.getFirst().message().contains("'gone'"), faults.getFirst()::message);
        assertEquals(
                List.of(),
                Sources.DIALECT
                        .compile(bytes, StatesOptions.DEFAULT, Sources.ACTIONS)
                        .faults());
    }

    @Test
    void saysWhenNotEverythingWasExplored() {
        byte[] bytes = Sources.json(states("'a':{'next':'b'}", "'b':{'next':'end'}", END))
                .getBytes(StandardCharsets.UTF_8);

        StatesCompilation compilation =
                Sources.DIALECT.compile(bytes, StatesOptions.DEFAULT.withMarkings(2), Sources.ACTIONS);

        assertEquals(List.of("LINT-NOT-FULLY-EXPLORED "), Sources.brief(compilation.faults()));
    }

    private static List<Fault> lints(String source) {
        return assertInstanceOf(
                        StatesCompilation.Compiled.class,
                        Sources.compile(source),
                        () -> Sources.compile(source).faults().toString())
                .faults();
    }
}
