package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.EventBody.RunCompleted;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.EventBody.RunFailing;
import dev.flowstone.kernel.event.EventBody.RunStarted;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import java.util.List;

/** What happens to the run as a whole. */
final class RunApplier {
    private RunApplier() {}

    static void started(Draft draft, EventHeader header, RunStarted body) {
        draft.follow(body.program());
        draft.tenant = header.tenant();
        draft.run = header.run();
        draft.version = header.typeVersion();
        draft.correlation = header.correlation();
        draft.input = body.input();
        body.subject().ifPresent(subject -> {
            draft.data.subject = subject;
            draft.data.subjectVersion = subject.version();
        });
        draft.post.principal = draft.topology.calls() ? header.actor().toString() : "";
        draft.weight += Weight.STATE;
        for (Payload root : body.input().values()) {
            draft.weight += Weight.of(root);
            draft.contextBytes += PayloadSize.of(root);
        }
        Scopes.put(draft, ScopeInstance.open(ScopeInstance.ROOT, draft.program.root(), -1));
        draft.tree.nextScope = 1;
        Queue.push(
                draft,
                new WorkItem.Enter(ScopeInstance.ROOT, draft.topology.entry().number(), List.of()));
    }

    static void failing(Draft draft, RunFailing body) {
        draft.status = RunStatus.FAILING;
        draft.failure = new Failure(body.error(), body.node());
        draft.ending = Ending.FAILING;
        draft.control = draft.control.mark(null);
        IncidentApplier.release(draft);
    }

    static void completed(Draft draft, RunCompleted body) {
        draft.status = RunStatus.SUCCEEDED;
        UndoingApplier.forget(draft);
        draft.output = body.output();
        draft.weight += Weight.of(body.output());
    }

    static void failed(Draft draft, RunFailed body) {
        draft.status = RunStatus.FAILED;
        UndoingApplier.forget(draft);
        draft.failure = new Failure(body.error(), body.node());
    }
}
