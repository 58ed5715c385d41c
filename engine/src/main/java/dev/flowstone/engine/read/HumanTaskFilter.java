package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Which human tasks to list; what is empty doesn't matter.
 *
 * @param assignees one of them at least is asked, as {@code user:ID} or {@code role:NAME}
 * @param claimedBy who has claimed it
 * @param freeFor nobody else than this one has claimed it
 * @param dueBefore something happens before this if nobody decides
 */
public record HumanTaskFilter(
        Optional<RunId> run,
        Optional<WorkflowId> workflow,
        Set<String> assignees,
        Optional<String> claimedBy,
        Optional<String> freeFor,
        Optional<Instant> dueBefore) {
    public static final HumanTaskFilter ALL = new HumanTaskFilter(
            Optional.empty(), Optional.empty(), Set.of(), Optional.empty(), Optional.empty(), Optional.empty());

    public HumanTaskFilter {
        requireNonNull(run);
        requireNonNull(workflow);
        assignees = Set.copyOf(assignees);
        requireNonNull(claimedBy);
        requireNonNull(freeFor);
        requireNonNull(dueBefore);
    }

    public HumanTaskFilter ofRun(RunId id) {
        return new HumanTaskFilter(Optional.of(id), workflow, assignees, claimedBy, freeFor, dueBefore);
    }

    public HumanTaskFilter ofWorkflow(WorkflowId id) {
        return new HumanTaskFilter(run, Optional.of(id), assignees, claimedBy, freeFor, dueBefore);
    }

    public HumanTaskFilter asking(Set<String> parties) {
        return new HumanTaskFilter(run, workflow, parties, claimedBy, freeFor, dueBefore);
    }

    public HumanTaskFilter claimed(String by) {
        return new HumanTaskFilter(run, workflow, assignees, Optional.of(by), freeFor, dueBefore);
    }

    public HumanTaskFilter free(String party) {
        return new HumanTaskFilter(run, workflow, assignees, claimedBy, Optional.of(party), dueBefore);
    }

    public HumanTaskFilter due(Instant before) {
        return new HumanTaskFilter(run, workflow, assignees, claimedBy, freeFor, Optional.of(before));
    }

    /** Whether a task is one of those; the definition that every reader keeps to. */
    public boolean admits(OpenTask open) {
        return run.map(open.run().run()::equals).orElse(true)
                && workflow.map(open.workflow()::equals).orElse(true)
                && (assignees.isEmpty() || open.task().assignees().stream().anyMatch(assignees::contains))
                && (claimedBy.isEmpty() || claimedBy.equals(open.task().claimedBy()))
                && (freeFor.isEmpty()
                        || open.task().claimedBy().map(freeFor.get()::equals).orElse(true))
                && dueBefore
                        .map(time -> open.task().dueAt().map(time::isAfter).orElse(false))
                        .orElse(true);
    }
}
