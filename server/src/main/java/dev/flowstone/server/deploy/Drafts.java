package dev.flowstone.server.deploy;

import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.deploy.Step.Change;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The drafts of all workflows that get a version, saved before anything is published: the server checks a draft as it does what is
 * published, so what it refuses it refuses while everything in use is still as it was.
 */
final class Drafts {
    private final Remote remote;
    private final Map<Step, Long> saved = new LinkedHashMap<>();

    Drafts(Remote remote) {
        this.remote = remote;
    }

    /** Of all these steps, or, if one is refused, of none. */
    void save(List<Step> steps) throws DeployException, InterruptedException {
        try {
            for (Step step : steps) {
                if (step.piece().orElse(null) instanceof Piece.Workflow piece && isFor(step, piece)) {
                    saved.put(step, save(remote, piece, revision(step), wasActive(step)));
                }
            }
        } catch (DeployException e) {
            if (e.isRefusal()) {
                discard(e);
            }
            throw e;
        }
    }

    /** One that was archived is taken into use again first, and so has its turn only then. */
    private static boolean isFor(Step step, Piece.Workflow piece) {
        return step.change() != Change.TAKE
                && !step.there().map(Remote::isArchived).orElse(false)
                && (!wasActive(step) || !WorkflowPlanner.says(step, piece));
    }

    /** Answers the workflow's revision then. */
    static long save(Remote remote, Piece.Workflow piece, long revision, boolean active)
            throws DeployException, InterruptedException {
        String path = active ? Remote.path(piece.name()) + "/draft" : "/workflows";
        return remote.done(
                        "workflow " + piece.name(),
                        ServerCall.of("POST", path).with(piece.definition()).at(revision))
                .revision()
                .orElse(0);
    }

    /** The revision that a step's workflow has with its draft; empty if none was saved. */
    OptionalLong of(Step step) {
        Long revision = saved.get(step);
        return revision == null ? OptionalLong.empty() : OptionalLong.of(revision);
    }

    private static boolean wasActive(Step step) {
        return step.there().map(Remote::wasActive).orElse(false);
    }

    private static long revision(Step step) {
        return step.there().map(Remote::revision).orElse(0L);
    }

    /** As far as it goes: what can't be discarded is known for ours by whoever goes on. */
    private void discard(DeployException why) throws InterruptedException {
        for (Map.Entry<Step, Long> each : saved.entrySet()) {
            Step step = each.getKey();
            if (!wasActive(step) && step.there().isPresent()) {
                continue;
            }
            String path = Remote.path(step.name()) + (wasActive(step) ? "/draft" : "");
            try {
                remote.removed(
                        "workflow " + step.name(), ServerCall.of("DELETE", path).at(each.getValue()));
            } catch (DeployException e) {
                why.addSuppressed(e);
            }
        }
    }
}
