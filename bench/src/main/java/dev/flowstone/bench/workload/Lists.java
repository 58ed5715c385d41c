package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** How long lists and counts take: the first page, by every filter, through the readers that REST asks. */
final class Lists {
    private static final int PAGE = 50;

    /** As REST bounds counts of young runs. */
    private static final int COUNTED = 25_000;

    private static final int TIMES = 100;
    private static final Set<RunStatus> LIVE =
            Set.of(RunStatus.RUNNING, RunStatus.FAILING, RunStatus.CANCELING, RunStatus.COMPENSATING);
    private static final Duration MOST = Duration.ofSeconds(5);
    private static final String ROLE = "role:reviewer";

    private final Ports ports;
    private final WorkflowId finished;
    private final WorkflowId waiting;

    /**
     * Of a database that is full.
     *
     * @param finished a workflow of which many runs are over
     * @param waiting one of which many runs wait for people
     */
    Lists(Ports ports, WorkflowId finished, WorkflowId waiting) {
        this.ports = requireNonNull(ports);
        this.finished = requireNonNull(finished);
        this.waiting = requireNonNull(waiting);
    }

    /** One question and how long its answers took, in microseconds. */
    record Asked(String question, Histogram micros) {}

    @FunctionalInterface
    private interface Question {
        void ask() throws JournalException;
    }

    /** Asks each question a hundred times, or for some seconds. */
    List<Asked> ask() throws JournalException {
        List<Asked> all = new ArrayList<>();
        all.add(runs("runs", Optional.empty(), Set.of()));
        for (WorkflowId workflow : List.of(finished, waiting)) {
            all.add(runs("runs of " + workflow, Optional.of(workflow), Set.of()));
        }
        for (RunStatus status : List.of(RunStatus.RUNNING, RunStatus.SUCCEEDED, RunStatus.FAILED)) {
            all.add(runs("runs " + status, Optional.empty(), Set.of(status)));
            for (WorkflowId workflow : List.of(finished, waiting)) {
                all.add(runs("runs of " + workflow + " " + status, Optional.of(workflow), Set.of(status)));
            }
        }
        all.add(runs("runs not over", Optional.empty(), LIVE));
        all.add(counts("counts", Optional.empty()));
        all.add(counts("counts of " + waiting, Optional.of(waiting)));
        all.add(young("counts since", Optional.empty()));
        for (WorkflowId workflow : List.of(finished, waiting)) {
            all.add(young("counts of " + workflow + " since", Optional.of(workflow)));
        }
        all.add(tasks("human tasks", HumanTaskFilter.ALL));
        all.add(tasks("human tasks asking " + ROLE, HumanTaskFilter.ALL.asking(Set.of(ROLE))));
        all.add(tasks("human tasks asking nobody known", HumanTaskFilter.ALL.asking(Set.of("user:nobody"))));
        all.add(tasks("human tasks of " + waiting, HumanTaskFilter.ALL.ofWorkflow(waiting)));
        all.add(tasks("human tasks claimed", HumanTaskFilter.ALL.claimed("user:nobody")));
        all.add(tasks("human tasks due", HumanTaskFilter.ALL.due(ports.clock().now())));
        HumanTaskFilter inbox = HumanTaskFilter.ALL.asking(Set.of(ROLE)).free("user:nobody");
        all.add(tasks("human tasks for one of " + ROLE, inbox));
        all.add(tasks("human tasks for one of " + ROLE + " of " + finished, inbox.ofWorkflow(finished)));
        all.add(tasks(
                "human tasks for one of " + ROLE + " due",
                inbox.due(ports.clock().now())));
        return all;
    }

    private Asked runs(String name, Optional<WorkflowId> workflow, Set<RunStatus> statuses) throws JournalException {
        RunFilter filter = new RunFilter(workflow, statuses);
        return time("list: " + name, () -> ports.runs().runs(Rig.TENANT, filter, Optional.empty(), PAGE));
    }

    private Asked counts(String name, Optional<WorkflowId> workflow) throws JournalException {
        return time(name, () -> ports.runs().counts(Rig.TENANT, workflow));
    }

    private Asked young(String name, Optional<WorkflowId> workflow) throws JournalException {
        return time(name, () -> ports.runs().countsSince(Rig.TENANT, workflow, Instant.EPOCH, COUNTED));
    }

    private Asked tasks(String name, HumanTaskFilter filter) throws JournalException {
        return time("list: " + name, () -> ports.humanTasks().tasks(Rig.TENANT, filter, Optional.empty(), PAGE));
    }

    private static Asked time(String name, Question question) throws JournalException {
        Histogram micros = new Histogram(LoadMeter.LONGEST_MICROS, 3);
        long end = System.nanoTime() + MOST.toNanos();
        question.ask();
        for (int i = 0; i < TIMES && (i == 0 || System.nanoTime() < end); i++) {
            long begin = System.nanoTime();
            question.ask();
            micros.recordValue(LoadMeter.micros(System.nanoTime() - begin));
        }
        return new Asked(name, micros);
    }
}
