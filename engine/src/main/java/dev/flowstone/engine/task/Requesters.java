package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody.RunStarted;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.Parentage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads whom runs were started for off their beginnings. */
final class Requesters {
    private final RunHistory histories;

    Requesters(RunHistory histories) {
        this.histories = requireNonNull(histories);
    }

    RequesterLookup of(TenantId tenant, RunId run, Optional<Parentage> parentage) {
        RunId top = parentage.map(Parentage::root).orElse(run);
        return () -> find(tenant, run, top);
    }

    /** The topmost run may have been removed long ago; its child still knows by whom it was caused. */
    private RequesterLookup.Found find(TenantId tenant, RunId run, RunId top) throws JournalException {
        Map<RunId, Event> beginnings = histories.beginnings(tenant, run.equals(top) ? List.of(run) : List.of(run, top));
        @Nullable Event first = beginnings.getOrDefault(top, beginnings.get(run));
        return first == null
                ? new RequesterLookup.Found(Actor.ENGINE, Requested.NOTHING)
                : new RequesterLookup.Found(
                        first.header().actor(),
                        first.body() instanceof RunStarted started ? started.requested() : Requested.NOTHING);
    }
}
