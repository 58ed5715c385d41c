package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartReceipts;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.testkit.simulation.world.Clients;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/**
 * I12: when a caller is told of a run, that run is stored, follows the workflow that was said, and is the only one that its
 * request id names, for as long as it is remembered. A refusal for a fault of ours is a violation too. That no stale epoch gets through is watched at the
 * commits.
 */
final class AnsweredIsLogged implements Invariant {
    private final RequestNames<ReceiptKey> names = new RequestNames<>();
    private int seen;

    @Override
    public String number() {
        return "I12";
    }

    @Override
    public void stepped(World world) {
        List<Clients.Told> told = world.clients().told();
        while (seen < told.size()) {
            check(world, told.get(seen));
            seen++;
        }
    }

    private void check(World world, Clients.Told told) {
        switch (told.answer()) {
            case StartAnswer.Started started ->
                logged(world, told, started.run(), told.request().workflow());
            case StartAnswer.Existing existing ->
                logged(world, told, existing.run(), told.request().workflow());
            case StartAnswer.OtherWorkflow other -> {
                if (other.workflow().equals(told.request().workflow())) {
                    throw broken("the same workflow is called another: " + told);
                }
                logged(world, told, other.run(), other.workflow());
            }
            case StartAnswer.Refused refused -> {
                if (!isRight(world, told.request(), refused.code())) {
                    throw broken("a good start is refused: " + told);
                }
            }
            case StartAnswer.OverQuota _, StartAnswer.Busy _ -> {}
        }
    }

    private void logged(World world, Clients.Told told, RunId run, WorkflowId workflow) {
        RunLog log = world.logs().values().stream()
                .filter(one -> one.run().run().equals(run))
                .findFirst()
                .orElseThrow(() -> broken("a caller is told of run " + run + ", which isn't stored: " + told));
        if (!log.state().program().workflow().equals(workflow)) {
            throw broken("run " + run + " follows " + log.state().program().workflow() + ": " + told);
        }
        told.request().requestId().ifPresent(id -> {
            ReceiptKey key =
                    StartReceipts.key(told.request().tenant(), told.request().subject(), id);
            if (!names.mayName(world, key, log)) {
                throw broken("the request id " + id + " names another run and " + run);
            }
        });
    }

    /** What runs are about is a reason too (R16), and what is set for their scope (R25). */
    private static boolean isRight(World world, StartRequest request, String code) {
        return switch (code) {
            case "BAD_DATA" -> true;
            case "SUSPENDED" -> world.mayRefuseStarts(request.workflow());
            case "SUBJECT_BUSY" ->
                request.subject()
                        .filter(binding -> world.subjects().isUsed(binding.subject()))
                        .isPresent();
            case "STALE_SUBJECT_VERSION" ->
                request.subject()
                        .filter(binding -> world.subjects().version(binding.subject()) > binding.version())
                        .isPresent();
            default -> false;
        };
    }
}
