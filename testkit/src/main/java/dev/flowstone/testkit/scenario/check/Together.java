package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.testkit.scenario.check.ObservedSubject.Attempt;
import dev.flowstone.testkit.scenario.check.ObservedSubject.Change;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What holds in every scenario, whether it says so or not (R17): a transactional task's change of the subject and its result
 * come together. None has a result without its change, none changes it twice, and once the run is over, none has a change
 * without its result.
 */
public final class Together {
    /** How an attempt fails whose result was committed and could not be used. */
    private static final Set<String> UNUSABLE =
            Set.of("CONTEXT_TOO_LARGE", "RESULT_TOO_LARGE", "OUTPUT_TOO_LARGE", "INVALID_LINKS");

    private Together() {}

    /** Where one came without the other. */
    public static List<String> torn(Observed run) {
        List<String> lines = new ArrayList<>();
        run.surroundings().subject().filter(_ -> isAboutOne(run)).ifPresent(subject -> {
            withoutChange(run, subject, lines);
            twice(subject, lines);
            withoutResult(run, subject, lines);
        });
        return lines;
    }

    private static boolean isAboutOne(Observed run) {
        return run.state().flatMap(it -> it.subject()).isPresent();
    }

    private static void withoutChange(Observed run, ObservedSubject subject, List<String> lines) {
        Set<Attempt> asked = run.all(EventBody.TaskScheduled.class)
                .filter(it -> subject.transactional().contains(it.handler()))
                .map(it -> new Attempt(it.activation(), it.attempt()))
                .collect(Collectors.toSet());
        // A result that was recorded for an attempt before is the answer to a later one, too.
        Set<ActivationId> changed = subject.changes().stream()
                .flatMap(it -> it.by().stream())
                .map(Attempt::activation)
                .collect(Collectors.toSet());
        run.all(EventBody.TaskCompleted.class)
                .filter(it -> asked.contains(new Attempt(it.activation(), it.attempt())))
                .filter(it -> !changed.contains(it.activation()))
                .forEach(it -> lines.add(it.activation() + " has a result, but its change of " + subject.subject()
                        + " was never committed"));
    }

    /** However many attempts there are: a later one finds what the first has done. */
    private static void twice(ObservedSubject subject, List<String> lines) {
        Map<ActivationId, Long> changes = subject.changes().stream()
                .flatMap(it -> it.by().stream())
                .collect(Collectors.groupingBy(Attempt::activation, LinkedHashMap::new, Collectors.counting()));
        changes.forEach((activation, times) -> {
            if (times > 1) {
                lines.add(activation + " has changed " + subject.subject() + " " + times + " times");
            }
        });
    }

    private static void withoutResult(Observed run, ObservedSubject subject, List<String> lines) {
        if (!run.isOver()) {
            return;
        }
        for (Change change : subject.changes()) {
            Optional<ActivationId> by = change.by().map(Attempt::activation);
            if (by.isPresent() && !isRecorded(run, change.by().get())) {
                lines.add(by.get() + " has changed " + subject.subject() + ", but the run has no result of it");
            } else if (by.isPresent() && !isTold(run, change)) {
                lines.add(by.get() + " has given " + subject.subject() + " version "
                        + change.version().orElse(0L) + ", but the run was not told");
            }
        }
    }

    private static boolean isRecorded(Observed run, Attempt attempt) {
        ActivationId activation = attempt.activation();
        return run.events().stream().anyMatch(event -> switch (event.body()) {
            case EventBody.TaskCompleted body -> body.activation().equals(activation);
            case EventBody.EffectObserved body -> body.activation().equals(activation);
            case CompensationEvent.CompensationApplied body -> body.activation().equals(activation);
            // The run could not use it, and says why.
            case EventBody.TaskFailed body ->
                new Attempt(body.activation(), body.attempt()).equals(attempt)
                        && UNUSABLE.contains(body.error().code());
            default -> false;
        });
    }

    /** Whether the run knows of a change; of one that left the version as it was there is nothing to know. */
    static boolean isTold(Observed run, Change change) {
        return change.version().isEmpty()
                || run.all(DataEvent.SubjectChanged.class)
                        .anyMatch(it -> it.subjectVersion() == change.version().get()
                                && it.byThisRun() == change.by().isPresent());
    }
}
