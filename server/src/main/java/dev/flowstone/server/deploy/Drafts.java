package dev.flowstone.server.deploy;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.deploy.Ledger.VersionedEntry;
import dev.flowstone.server.deploy.Step.Change;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The drafts of all workflows that get a version, saved before anything is published: the server checks a draft as it does what is
 * published, so what it refuses it refuses while everything in use is still as it was. If anything is refused, those that weren't
 * published are undone: what others had a draft of is given back to them.
 */
final class Drafts {
    private final Remote remote;
    private final Map<String, JsonObject> others = new HashMap<>();
    private final Map<Step, Long> saved = new LinkedHashMap<>();

    Drafts(Remote remote) {
        this.remote = remote;
    }

    /**
     * Keeps the drafts of others that these steps replace, which only {@code --overwrite} lets them do.
     *
     * @param ours before anything was planned: a draft that it explains is of an interrupted call, and nobody's loss
     */
    void keep(List<Step> steps, Map<String, VersionedEntry> ours) throws DeployException, InterruptedException {
        for (Step step : steps) {
            if (step.piece().orElse(null) instanceof Piece.Workflow
                    && step.there().filter(WorkflowPlanner::hasDraft).isPresent()) {
                Optional<JsonObject> draft = remote.draft(step.name());
                if (draft.isPresent() && !isOurs(draft.get(), ours.get(step.name()))) {
                    others.put(step.name(), draft.get());
                }
            }
        }
    }

    private static boolean isOurs(JsonObject draft, @Nullable VersionedEntry entry) {
        return entry != null && entry.next().equals(Optional.of(WorkflowPlanner.checksum(draft)));
    }

    /** Of all these steps. */
    void save(List<Step> steps) throws DeployException, InterruptedException {
        for (Step step : steps) {
            if (step.piece().orElse(null) instanceof Piece.Workflow piece && isFor(step, piece)) {
                long _ = save(step, piece, revision(step));
            }
        }
    }

    /** One that was archived is taken into use again first, and so has its turn only then. */
    private static boolean isFor(Step step, Piece.Workflow piece) {
        return step.change() != Change.TAKE
                && !step.there().map(Remote::isArchived).orElse(false)
                && (!wasActive(step) || !WorkflowPlanner.says(step, piece));
    }

    /** Answers the workflow's revision then. */
    private long save(Step step, Piece.Workflow piece, long revision) throws DeployException, InterruptedException {
        long now = save("workflow " + piece.name(), step, piece.definition(), revision);
        saved.put(step, now);
        return now;
    }

    private long save(String what, Step step, JsonObject definition, long revision)
            throws DeployException, InterruptedException {
        String path = wasActive(step) ? Remote.path(step.name()) + "/draft" : "/workflows";
        return remote.done(what, ServerCall.of("POST", path).with(definition).at(revision))
                .revision()
                .orElse(0);
    }

    /**
     * The revision that a step's workflow has with its draft; it is saved if it isn't yet.
     *
     * @param revision that it has without
     */
    long of(Step step, Piece.Workflow piece, long revision) throws DeployException, InterruptedException {
        Long known = saved.get(step);
        return known == null ? save(step, piece, revision) : known;
    }

    void published(Step step) {
        saved.remove(step);
    }

    private static boolean wasActive(Step step) {
        return step.there().map(Remote::wasActive).orElse(false);
    }

    private static long revision(Step step) {
        return step.there().map(Remote::revision).orElse(0L);
    }

    /** As far as it goes: what can't be discarded is known for ours by whoever goes on. */
    void undo(DeployException why) throws InterruptedException {
        for (Map.Entry<Step, Long> each : saved.entrySet()) {
            try {
                undo(each.getKey(), each.getValue());
            } catch (DeployException e) {
                why.addSuppressed(e);
            }
        }
    }

    private void undo(Step step, long revision) throws DeployException, InterruptedException {
        JsonObject before = others.get(step.name());
        if (before != null && before.get("definition") instanceof JsonObject definition) {
            long _ = save("the draft that others had of workflow " + step.name(), step, definition, revision);
        } else {
            String path = Remote.path(step.name()) + (wasActive(step) ? "/draft" : "");
            remote.removed(
                    "the draft of workflow " + step.name(),
                    ServerCall.of("DELETE", path).at(revision));
        }
    }
}
