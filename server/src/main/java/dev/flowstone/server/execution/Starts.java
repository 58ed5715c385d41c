package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartReceipts;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.start.SubjectSlot;
import dev.flowstone.engine.workflow.CatalogAnswer;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.definition.Programs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Starts executions of workflows; answers after the commit. Thread-safe; blocks. */
public final class Starts {
    /** The input root that a {@code triggerSchema} speaks of. */
    public static final String TRIGGER = "trigger";

    public static final String SPEC = "spec";

    /** Version of a run that follows a draft. */
    public static final int DRAFT = 0;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What is answered after it was waited for in vain. */
    public static final StartAnswer.Busy UNANSWERED =
            new StartAnswer.Busy("no answer within " + PATIENCE.toSeconds() + " s", PATIENCE);

    private final Ports ports;
    private final Workflows workflows;
    private final Programs programs;
    private final Engine engine;
    private final boolean drafts;

    /** Most starts are of few workflows: what each is like now is read once for all who start it at the same time. */
    private final SharedReads<Named, Optional<WorkflowRow>> rows;

    /** @param drafts whether drafts may be run (dataflow.md §10.4) */
    public Starts(Ports ports, Workflows workflows, Programs programs, Engine engine, boolean drafts) {
        this.ports = requireNonNull(ports);
        this.workflows = requireNonNull(workflows);
        this.programs = requireNonNull(programs);
        this.engine = requireNonNull(engine);
        this.drafts = drafts;
        this.rows = new SharedReads<>(named -> workflows.find(named.tenant(), named.workflow()));
    }

    private record Named(TenantId tenant, WorkflowId workflow) {}

    /**
     * A wish for an execution of a workflow's current version; of its draft if it has nothing else, and drafts may be run.
     *
     * @param draft asks for the draft, whatever else there is
     * @param input by root name
     * @param requested what else the caller said
     * @param subject what the execution is about
     */
    public record Wish(
            TenantId tenant,
            WorkflowId workflow,
            boolean draft,
            Optional<String> requestId,
            Map<String, JsonValue> input,
            Actor actor,
            String correlation,
            Requested requested,
            Optional<SubjectBinding> subject) {
        public Wish {
            requireNonNull(tenant);
            requireNonNull(workflow);
            requireNonNull(requestId);
            input = Map.copyOf(input);
            requireNonNull(actor);
            requireNonNull(correlation);
            requireNonNull(requested);
            requireNonNull(subject);
        }
    }

    /** What became of it. */
    public sealed interface Outcome {
        /** The engine's answer. */
        record Answered(StartAnswer answer) implements Outcome {}

        /** There is no such workflow. */
        record Unknown() implements Outcome {}

        /** Whoever counts starts lets none of this workflow in now, and this request id never started one. */
        record NotNow() implements Outcome {}

        /** The workflow takes no executions in this state, and this request id never started one. */
        record NotExecutable(WorkflowRow row) implements Outcome {}

        /** Its draft was asked for, and drafts are not run here, or none is open. */
        record NoDraft(WorkflowRow row, boolean allowed) implements Outcome {}

        /** Its draft doesn't compile any more. */
        record BadDraft(List<DefinitionFault> faults) implements Outcome {
            public BadDraft {
                faults = List.copyOf(faults);
            }
        }

        /** The trigger's payload isn't what the workflow's {@code triggerSchema} asks for. */
        record BadTrigger(List<Fault> faults) implements Outcome {
            public BadTrigger {
                faults = List.copyOf(faults);
            }
        }
    }

    /**
     * Starts one.
     *
     * @param letsIn asked once the workflow was found, before anything is done
     */
    public Outcome start(Wish wish, BooleanSupplier letsIn) throws JournalException {
        Optional<WorkflowRow> found = rows.read(new Named(wish.tenant(), wish.workflow()));
        if (found.isEmpty()) {
            return new Outcome.Unknown();
        }
        if (!letsIn.getAsBoolean()) {
            return beforeOr(wish, new Outcome.NotNow());
        }
        WorkflowRow row = found.get();
        if (runsDraft(wish, row)) {
            return drafts && row.draft().isPresent()
                    ? startDraft(wish, row)
                    : beforeOr(wish, new Outcome.NoDraft(row, drafts));
        }
        if (row.status() != WorkflowStatus.ACTIVE || !row.enabled()) {
            return beforeOr(wish, new Outcome.NotExecutable(row));
        }
        return start(wish, row.currentVersion(), programs.current(row));
    }

    /** In a draft's state, whether the workflow is enabled doesn't matter yet (dataflow.md §3.0). */
    private boolean runsDraft(Wish wish, WorkflowRow row) {
        return switch (row.status()) {
            case DRAFT -> wish.draft() || drafts;
            case ACTIVE -> wish.draft();
            case ARCHIVED -> false;
        };
    }

    private Outcome startDraft(Wish wish, WorkflowRow row) throws JournalException {
        return switch (workflows.draftProgram(row)) {
            case CatalogAnswer.Done<Sha256>(Sha256 program) -> start(wish, DRAFT, program);
            case CatalogAnswer.Invalid<Sha256>(List<DefinitionFault> faults) ->
                beforeOr(wish, new Outcome.BadDraft(faults));
            case CatalogAnswer.Refused<Sha256> _, CatalogAnswer.Unknown<Sha256> _, CatalogAnswer.Changed<Sha256> _ ->
                beforeOr(wish, new Outcome.NoDraft(row, true));
        };
    }

    private Outcome start(Wish wish, int version, Sha256 program) throws JournalException {
        List<Fault> faults = programs.program(wish.tenant(), program)
                .trigger()
                .check(wish.input().getOrDefault(TRIGGER, JsonNull.NULL));
        if (!faults.isEmpty()) {
            return beforeOr(wish, new Outcome.BadTrigger(faults));
        }
        StartAnswer answer = ask(new StartRequest(
                wish.tenant(),
                wish.workflow(),
                version,
                program,
                wish.requestId(),
                wish.input(),
                wish.actor(),
                wish.correlation(),
                wish.requested(),
                wish.subject()));
        return answer instanceof StartAnswer.OverQuota
                ? beforeOr(wish, new Outcome.Answered(answer))
                : new Outcome.Answered(answer);
    }

    /** What was started while it could be is there to be found, whatever became of the workflow since. */
    private Outcome beforeOr(Wish wish, Outcome otherwise) throws JournalException {
        return before(wish).<Outcome>map(Outcome.Answered::new).orElse(otherwise);
    }

    /** The run that this request id started before, looked for without starting one. */
    private Optional<StartAnswer> before(Wish wish) throws JournalException {
        return wish.requestId().isEmpty()
                ? Optional.empty()
                : before(
                        wish.tenant(),
                        wish.workflow(),
                        wish.subject(),
                        wish.requestId().get());
    }

    /** The run that a request id started before, which is about no subject; nothing is started. */
    public Optional<StartAnswer> before(TenantId tenant, WorkflowId workflow, String requestId)
            throws JournalException {
        return before(tenant, workflow, Optional.empty(), requestId);
    }

    /** A receipt is where its start belonged, and nowhere else. */
    private Optional<StartAnswer> before(
            TenantId tenant, WorkflowId workflow, Optional<SubjectBinding> subject, String requestId)
            throws JournalException {
        ReceiptKey key = StartReceipts.key(tenant, subject, requestId);
        Slot slot = subject.map(binding -> SubjectSlot.of(new SubjectKey(tenant, binding.subject())))
                .orElseGet(() -> RequestSlot.of(tenant, requestId));
        for (Shard shard :
                ports.leases().shards().stream().filter(it -> it.holds(slot)).toList()) {
            Receipt receipt = ports.journal().receipts(shard.id(), List.of(key)).get(key);
            Optional<RunRow> run =
                    receipt == null ? Optional.empty() : ports.runs().run(key.tenant(), receipt.run());
            if (run.isPresent()) {
                RunRow row = run.get();
                return Optional.of(
                        row.workflow().equals(workflow)
                                ? new StartAnswer.Existing(row.key().run())
                                : new StartAnswer.OtherWorkflow(row.key().run(), row.workflow()));
            }
        }
        return Optional.empty();
    }

    private StartAnswer ask(StartRequest request) {
        try {
            return engine.start(request).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return UNANSWERED;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a start failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new StartAnswer.Busy("the server is stopping", Duration.ofSeconds(1));
        }
    }
}
