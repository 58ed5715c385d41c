package dev.flowstone.server.deploy;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.deploy.Ledger.VersionedEntry;
import dev.flowstone.server.deploy.Step.Change;
import java.util.List;
import java.util.Optional;

/** Carries a plan out: first it writes down what it is about to do, then it does it, step by step. */
final class Applier {
    /** What is done is written down after so many steps, and at the end; what isn't yet is found out by whoever goes on. */
    private static final int STEPS = 50;

    private final Remote remote;
    private final Book book;
    private final TriggerSteps triggers;
    private final TemplateSteps templates;
    private final Drafts drafts;

    Applier(Remote remote, TriggerReader reader, Book book, Wishes wishes) {
        this.remote = remote;
        this.book = book;
        this.triggers = new TriggerSteps(remote, reader, book, wishes);
        this.templates = new TemplateSteps(remote, book);
        this.drafts = new Drafts(remote);
    }

    void apply(Plan plan, Deployment.Progress progress) throws DeployException, InterruptedException {
        List<Step> steps =
                plan.steps().stream().filter(step -> step.change().isPending()).toList();
        boolean found = false;
        for (Step step : plan.steps()) {
            found |= step.change() == Change.UNCHANGED && settle(step);
            found |= step.change() == Change.YIELDED && forget(step);
        }
        if (steps.isEmpty()) {
            if (found) {
                book.write();
            }
            return;
        }
        drafts.keep(steps, book.ledger().workflows());
        steps.forEach(this::intend);
        book.write();
        int done = 0;
        try {
            drafts.save(steps);
            for (Step step : steps) {
                progress.done(step, carryOut(step));
                // Only its id tells a trigger from another's; a workflow is known by what it says.
                boolean named = step.kind() == Piece.Kind.TRIGGER;
                if ((++done % STEPS == 0 || named) && done < steps.size()) {
                    book.write();
                }
            }
        } catch (DeployException e) {
            if (e.isRefusal()) {
                drafts.undo(e);
            }
            try {
                book.write();
            } catch (DeployException unwritten) {
                e.addSuppressed(unwritten);
            }
            throw e;
        }
        book.write();
    }

    /**
     * What is as it is to be, and ours, is written down as that, however it came to be so; not where somebody has a draft open,
     * which the next version would take the place of.
     */
    private boolean settle(Step step) {
        JsonObject there = step.there().orElse(JsonObject.EMPTY);
        return switch (step.piece().orElse(null)) {
            case Piece.Workflow _ when WorkflowPlanner.hasDraft(there) -> false;
            case Piece.Workflow piece -> {
                VersionedEntry now = new VersionedEntry(
                        Optional.of(piece.checksum().toString()), Optional.empty(), Remote.revision(there), false);
                VersionedEntry before = book.ledger().workflows().replace(piece.name(), now);
                yield before != null && !before.equals(now);
            }
            case Piece.Trigger piece -> triggers.settle(piece, there);
            case Piece.TemplateSet piece -> templates.settle(piece, there);
            case Piece.Template piece -> templates.settle(piece, there);
            case null -> false;
        };
    }

    private boolean forget(Step step) {
        return switch (step.kind()) {
            case WORKFLOW -> book.ledger().workflows().remove(step.name()) != null;
            case TRIGGER -> book.ledger().triggers().remove(step.name()) != null;
            case SET, TEMPLATE -> templates.forget(step);
        };
    }

    private void intend(Step step) {
        switch (step.piece().orElse(null)) {
            case Piece.Workflow piece ->
                book.ledger()
                        .workflows()
                        .merge(
                                piece.name(),
                                planned(piece),
                                (entry, _) -> entry.toBe(piece.checksum().toString()));
            case Piece.Trigger piece -> triggers.intend(step, piece);
            case Piece.TemplateSet piece -> templates.intend(piece);
            case Piece.Template piece -> templates.intend(piece);
            case null -> {
                // It is in the ledger, and stays there until it is removed.
            }
        }
    }

    private static VersionedEntry planned(Piece.Workflow piece) {
        return new VersionedEntry(Optional.empty(), Optional.of(piece.checksum().toString()), 0, false);
    }

    private String carryOut(Step step) throws DeployException, InterruptedException {
        if (step.piece().isEmpty()) {
            return switch (step.kind()) {
                case WORKFLOW -> removed(step);
                case TRIGGER -> triggers.removed(step);
                case SET, TEMPLATE -> templates.removed(step);
            };
        }
        return switch (step.piece().get()) {
            case Piece.Workflow piece -> made(step, piece);
            case Piece.Trigger piece -> triggers.made(step, piece);
            case Piece.TemplateSet piece -> templates.made(step, piece);
            case Piece.Template piece -> templates.made(step, piece);
        };
    }

    private String made(Step step, Piece.Workflow piece) throws DeployException, InterruptedException {
        String what = "workflow " + piece.name();
        String path = Remote.path(piece.name());
        long revision = step.there().map(Remote::revision).orElse(0L);
        if (step.change() == Change.TAKE) {
            keep(piece, revision);
            return "taken over";
        }
        boolean wasActive = step.there().map(Remote::wasActive).orElse(false);
        if (step.there().map(Remote::isArchived).orElse(false)) {
            revision =
                    revision(what, ServerCall.of("POST", path + "/reactivate").at(revision));
        }
        String version = "taken into use again";
        if (!wasActive || !WorkflowPlanner.says(step, piece)) {
            revision = drafts.of(step, piece, revision);
            ServerAnswer.Done published =
                    remote.done(what, ServerCall.of("POST", path + "/publish").at(revision));
            drafts.published(step);
            revision = published.revision().orElse(0);
            version =
                    published.body().get("version") instanceof JsonNumber number ? "version " + number.longValue() : "";
        }
        keep(piece, revision);
        return version;
    }

    private void keep(Piece.Workflow piece, long revision) {
        book.ledger()
                .workflows()
                .put(
                        piece.name(),
                        new VersionedEntry(
                                Optional.of(piece.checksum().toString()), Optional.empty(), revision, false));
    }

    private long revision(String what, ServerCall call) throws DeployException, InterruptedException {
        return remote.done(what, call).revision().orElse(0);
    }

    private String removed(Step step) throws DeployException, InterruptedException {
        JsonObject there = step.there().orElseThrow();
        String what = "workflow " + step.name();
        String path = Remote.path(step.name());
        long revision = Remote.revision(there);
        if (!Remote.wasActive(there)) {
            remote.done(what, ServerCall.of("DELETE", path).at(revision));
            book.ledger().workflows().remove(step.name());
            return "removed";
        }
        long archived = revision(what, ServerCall.of("POST", path + "/archive").at(revision));
        book.ledger()
                .workflows()
                .computeIfPresent(
                        step.name(),
                        (_, entry) -> new VersionedEntry(entry.checksum(), Optional.empty(), archived, true));
        return "archived";
    }
}
