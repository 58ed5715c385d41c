package dev.flowstone.kernel.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/events.md} names every kind of event, and none that there isn't. */
final class EventCatalogueTest {
    private static final Pattern KIND = Pattern.compile("`([A-Z][A-Za-z]+)`");

    /** The kinds of enterprise.md, section 3. */
    private static final List<String> ENTERPRISE = words("""
            Started Completed Canceled Terminated Migrated TaskScheduled TaskClaimed TaskStarted TaskCompleted TaskFailed
            TaskTimedOut ApprovalRequested ApprovalGranted ApprovalDenied ApprovalExpired ApprovalDelegated TimerSet
            TimerCanceled TimerFired Transitioned GuardFailed BarrierReached CompensationScheduled CompensationApplied
            RollbackPointCreated ChildStarted ChildCompleted SignalSent SignalReceived OutboundIntentRecorded
            InboundMessageAccepted Paused Resumed Quarantined PolicyDecisionRecorded ReplayStarted ReplayCompleted""");

    /** The domain events of accreditation.md. */
    private static final List<String> ACCREDITATION = words("""
            participant.entered participant.advanced participant.approved participant.rejected participant.bypassed
            participant.returned participant.escalated participant.completed sla.warning sla.breached workflow.published
            workflow.activated workflow.deactivated step.assigned step.reassigned batch.started batch.completed
            parallel.forked parallel.joined""");

    private static List<String> words(String text) {
        return Stream.of(text.split("\\s+")).sorted().toList();
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isInterface()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(EventCatalogueTest::kinds)
                : Stream.of(type);
    }

    private static List<String> named(String text) {
        List<String> names = new ArrayList<>();
        Matcher matcher = KIND.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "events.md"));
    }

    private static List<String> existing() {
        return kinds(EventBody.class).map(Class::getSimpleName).sorted().toList();
    }

    /** What the first column of a section's table says; {@code a.b · c} stands for {@code a.b} and {@code a.c}. */
    private static List<String> mapped(String section) {
        List<String> names = new ArrayList<>();
        section.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| their "))
                .forEach(line -> {
                    String family = "";
                    for (String name : line.split("\\|", -1)[1].strip().split(" · ", -1)) {
                        boolean whole = family.isEmpty() || name.indexOf('.') >= 0;
                        names.add(whole ? name : family + name);
                        family = whole ? name.substring(0, name.indexOf('.') + 1) : family;
                    }
                });
        return names.stream().sorted().toList();
    }

    @Test
    void theTableOfAllKindsNamesEachOnce() throws IOException {
        String page = page();
        String table = page.substring(page.indexOf("## All kinds"), page.indexOf("## The enterprise team"));

        assertEquals(existing(), named(table).stream().sorted().toList());
    }

    @Test
    void theMappingsNameNothingThatIsNotThere() throws IOException {
        String page = page();
        Set<String> unknown = new TreeSet<>(named(page.substring(page.indexOf("## The enterprise team"))));
        existing().forEach(unknown::remove);

        assertEquals(Set.of(), unknown);
    }

    @Test
    void everyEventOfTheSpecificationsHasItsRow() throws IOException {
        String page = page();
        int enterprise = page.indexOf("## The enterprise team");
        int accreditation = page.indexOf("## The accreditation team");

        assertEquals(ENTERPRISE, mapped(page.substring(enterprise, accreditation)));
        assertEquals(ACCREDITATION, mapped(page.substring(accreditation)));
    }
}
