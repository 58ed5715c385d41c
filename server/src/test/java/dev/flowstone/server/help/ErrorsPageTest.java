package dev.flowstone.server.help;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.policy.BundleFault;
import dev.flowstone.security.token.Refusal;
import dev.flowstone.server.http.ProblemCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/errors.md} says of every code that there is what it means, and of no other. */
final class ErrorsPageTest {
    private static final Path ROOT = Path.of("..");
    private static final String REFUSED = "Refused calls";
    private static final Set<String> OF_DEFINITIONS = Set.of("Faults of JSON DAGs", "Faults of states", "Lints");

    /** Whatever looks like a code: words with underscores between them, alone or with what is said behind them. */
    private static final Pattern WORDS = Pattern.compile("\"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:: [^\"]*)?\"");

    /** A code of one word stands where failures are made. */
    private static final Pattern FAILURE = Pattern.compile(
            "(?:TaskError\\.of|new TaskError|TaskResult\\.(?:permanent|retryable)|TaskFailure\\.(?:permanent|retryable)"
                    + "|TaskOutcome\\.failed|\\bfault|new Fault|new CloudEventException|new MutationException|stopped)\\(\\s*(?:FailureClass\\.\\w+,\\s*)?\"([A-Z]+(?:_[A-Z]+)*)\"");

    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(?:\\*|//|/\\*).*$");

    /** Made of a word and a value, a default, or an enum that no other module sees. */
    private static final Set<String> MADE_OTHERWISE = Set.of(
            "CHILD_CANCELED",
            "CHILD_FAILED",
            "CHILD_REFUSED",
            "CHILD_TERMINATED",
            "HTTP_nnn",
            "SYNTAX",
            "TYPE",
            "BUDGET_STEPS",
            "BUDGET_BYTES",
            "BUDGET_DEPTH",
            "UNKNOWN",
            "UNREACHABLE");

    /** What looks like a code and is none: modes, names of settings, of environments and of files; and faults of a body as JSON. */
    private static final Set<String> NO_CODES = Set.of(
            "AMEND_ONLY",
            "FLOWSTONE_CONFIG",
            "FLOWSTONE_LOG",
            "FLOWSTONE_LOG_FORMAT",
            "FLOWSTONE_PRINCIPAL",
            "FLOWSTONE_SERVER",
            "FLOWSTONE_TOKEN",
            "LC_ALL",
            "LC_MESSAGES",
            "NO_COLOR",
            "PG_VERSION",
            "XDG_CACHE_HOME");

    private static List<Explanation> page() {
        return Explanations.known().all().stream()
                .filter(it -> !OF_DEFINITIONS.contains(it.group()))
                .toList();
    }

    private static Set<String> codes() {
        return page().stream().map(Explanation::code).collect(toCollection(TreeSet::new));
    }

    private static <T> Set<String> names(T[] all, Function<T, String> name) {
        return Arrays.stream(all).map(name).collect(toCollection(TreeSet::new));
    }

    private static Set<String> inTheSources() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(ErrorsPageTest::isSource).toList()) {
                String source = COMMENT.matcher(read(file)).replaceAll("");
                WORDS.matcher(source).results().forEach(it -> found.add(it.group(1)));
                FAILURE.matcher(source).results().forEach(it -> found.add(it.group(1)));
            }
        }
        found.removeAll(NO_CODES);
        return found;
    }

    private static boolean isSource(Path file) {
        String path = file.toString();
        return path.endsWith(".java")
                && path.contains("/src/main/java/")
                && !path.contains("/target/") // an older release's lie there, too
                && !path.startsWith("../examples/")
                && !path.startsWith("../testkit/")
                && !path.startsWith("../bench/");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachRefusalStandsOnceInTheEnumsOrderWithItsTitleStatusAndCategory() {
        List<Explanation> refused =
                page().stream().filter(it -> it.group().equals(REFUSED)).toList();

        assertEquals(
                Arrays.stream(ProblemCode.values()).map(Enum::name).toList(),
                refused.stream().map(Explanation::code).toList());
        for (Explanation each : refused) {
            ProblemCode code = ProblemCode.valueOf(each.code());
            assertEquals(
                    "**%s.** *%d, %s.*".formatted(code.title(), code.status(), code.category()),
                    each.text().lines().findFirst().orElse(""),
                    each.code());
        }
    }

    @Test
    void eachCodeStandsOnceAndSaysWhatToDo() {
        assertEquals(codes().size(), page().size(), "a code has two sections");
        for (Explanation each : page()) {
            assertTrue(each.text().contains("\n\n*What to do*: "), each.code());
            assertFalse(each.brief().isBlank(), each.code());
        }
    }

    @Test
    void eachCodeOfTheSourcesStandsInThePage() throws Exception {
        Set<String> missing = inTheSources();
        missing.addAll(names(RejectionCode.values(), Enum::name));
        missing.addAll(names(Refusal.values(), Enum::name));
        missing.addAll(names(BundleFault.Code.values(), Enum::name));
        assertTrue(missing.size() > 100, missing::toString);
        Explanations.known().all().forEach(it -> missing.remove(it.code()));

        assertEquals(
                Set.of(),
                missing,
                "docs/errors.md explains each code; what is none is a word of ErrorsPageTest.NO_CODES");
    }

    @Test
    void thePageNamesNoCodeThatThereIsNot() throws Exception {
        Set<String> unknown = codes();
        unknown.removeAll(inTheSources());
        unknown.removeAll(names(ProblemCode.values(), Enum::name));
        unknown.removeAll(names(RejectionCode.values(), Enum::name));
        unknown.removeAll(names(Refusal.values(), Enum::name));
        unknown.removeAll(names(BundleFault.Code.values(), Enum::name));
        unknown.removeAll(MADE_OTHERWISE);

        assertEquals(Set.of(), unknown);
    }

    @Test
    void faultsAndLintsAreExplainedByTheirOwnPages() {
        for (FaultCode fault : FaultCode.values()) {
            assertEquals(1, of(fault.id(), "Faults of JSON DAGs"), fault.id());
        }
        for (StatesFault fault : StatesFault.values()) {
            assertEquals(1, of(fault.id(), "Faults of states"), fault.id());
        }
        for (Lint lint : Lint.values()) {
            assertEquals(1, of(lint.id(), "Lints"), lint.id());
        }
    }

    private static long of(String code, String group) {
        return Explanations.known().of(code).stream()
                .filter(it -> it.group().equals(group))
                .count();
    }

    @Test
    void aStatusIsExplainedByItsFamily() {
        assertEquals("HTTP_nnn", Explanations.known().of("HTTP_503").getFirst().code());
        assertEquals(List.of(), Explanations.known().of("HTTP_0x3"));
        assertEquals(List.of(), Explanations.known().of("handler_threw"));
        assertEquals(
                "HANDLER_THREW", Explanations.known().nearest("HANDLER_TREW").orElseThrow());
    }

    @Test
    void aLinkToAnotherPageIsItsNameAndHtmlIsShown() {
        assertEquals(
                "see tokens (docs/security.md#tokens) now", HelpText.plain("see [tokens](security.md#tokens) now"));
        assertEquals(
                "<p>see tokens (docs/security.md#tokens)</p>\n", HelpText.html("see [tokens](security.md#tokens)"));
        assertEquals("<p>&lt;script&gt;x&lt;/script&gt;</p>\n", HelpText.html("<script>x</script>"));
    }
}
