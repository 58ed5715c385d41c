package dev.flowstone.server.deploy;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.TriggerFile;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.deploy.Ledger.TriggerEntry;
import dev.flowstone.server.deploy.Step.Change;
import dev.flowstone.server.http.Percent;
import dev.flowstone.server.http.ProblemException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What is done for triggers. A server names them, so one is made under a key that was written down before: whoever goes on
 * after an interruption sends the same again, and learns the id of the one that is there.
 */
final class TriggerSteps {
    private final Remote remote;
    private final TriggerReader reader;
    private final Book book;
    private final Wishes wishes;

    TriggerSteps(Remote remote, TriggerReader reader, Book book, Wishes wishes) {
        this.remote = remote;
        this.reader = reader;
        this.book = book;
        this.wishes = wishes;
    }

    void intend(Step step, Piece.Trigger piece) {
        Optional<TriggerEntry> before =
                Optional.ofNullable(book.ledger().triggers().get(piece.name()));
        boolean makes = step.change() == Change.CREATE || step.change() == Change.REPLACE;
        // Under a key only what was sent under it before may be sent again.
        Optional<TriggerEntry> begun =
                before.filter(entry -> entry.key().isPresent() && entry.next().isPresent());
        if (makes && begun.isPresent()) {
            return;
        }
        book.ledger()
                .triggers()
                .put(
                        piece.name(),
                        before.orElse(TriggerEntry.NONE)
                                .begun(makes ? Optional.of(freshKey()) : Optional.empty(), piece.said()));
    }

    boolean settle(Piece.Trigger piece, JsonObject there) {
        TriggerEntry before = book.ledger().triggers().get(piece.name());
        keep(piece, there, piece.form());
        return !Objects.equals(book.ledger().triggers().get(piece.name()), before);
    }

    String made(Step step, Piece.Trigger piece) throws DeployException, InterruptedException {
        String what = "trigger " + piece.name();
        if (step.change() == Change.UPDATE) {
            return updated(what, piece, step.there().orElseThrow());
        }
        Made made = made(what, piece);
        if (step.change() == Change.REPLACE) {
            // Last: if the other is refused, this one goes on.
            remove(what, step.there().orElseThrow());
        }
        keep(piece, made.there(), made.form());
        return made.form().equals(piece.form()) ? Remote.text(made.there(), "id") : updated(what, piece, made.there());
    }

    /** What there is now, and what it was made of. */
    private record Made(JsonObject there, TriggerFile form) {}

    /** What was begun is finished first, in the words of then: so the server tells which one it is. */
    private Made made(String what, Piece.Trigger piece) throws DeployException, InterruptedException {
        TriggerEntry entry = entry(piece);
        TriggerFile sent = sent(entry, piece);
        JsonObject there;
        try {
            there = posted(what, sent, entry);
        } catch (DeployException e) {
            boolean wasNotMade = e.isRefusal() && !sent.equals(piece.form());
            if (wasNotMade || (wishes.overwrite() && e.isAboutKey())) {
                return madeAnew(what, piece);
            }
            throw e;
        }
        if (sent.isLike(piece.form())) {
            return new Made(there, sent);
        }
        remove(what, there);
        return madeAnew(what, piece);
    }

    private Made madeAnew(String what, Piece.Trigger piece) throws DeployException, InterruptedException {
        book.ledger()
                .triggers()
                .computeIfPresent(piece.name(), (_, entry) -> entry.begun(Optional.of(freshKey()), piece.said()));
        book.write();
        return new Made(posted(what, piece.form(), entry(piece)), piece.form());
    }

    private JsonObject posted(String what, TriggerFile form, TriggerEntry entry)
            throws DeployException, InterruptedException {
        return remote.done(
                        what,
                        ServerCall.of("POST", "/triggers")
                                .with(form.toCreate())
                                .under(entry.key().orElseThrow()))
                .body();
    }

    private TriggerEntry entry(Piece.Trigger piece) {
        TriggerEntry entry = book.ledger().triggers().get(piece.name());
        if (entry == null) {
            throw new IllegalStateException("a trigger is made that nobody has planned: " + piece.name());
        }
        return entry;
    }

    private static String freshKey() {
        return "apply:" + UUID.randomUUID();
    }

    private TriggerFile sent(TriggerEntry entry, Piece.Trigger piece) {
        try {
            return reader.form(entry.next().orElse(piece.said()));
        } catch (ProblemException e) {
            // The variable of its secret is not set any more: the server tells whether this is the same.
            return piece.form();
        }
    }

    private String updated(String what, Piece.Trigger piece, JsonObject there)
            throws DeployException, InterruptedException {
        boolean signed = !TriggerPlanner.hash(piece.form())
                .equals(Optional.ofNullable(book.ledger().triggers().get(piece.name()))
                        .flatMap(TriggerEntry::secrets));
        JsonObject now = remote.done(
                        what,
                        ServerCall.of("PUT", path(there))
                                .with(piece.form().toUpdate(there, signed))
                                .at(Remote.revision(there)))
                .body();
        keep(piece, now, piece.form());
        return Remote.text(now, "id");
    }

    private void keep(Piece.Trigger piece, JsonObject there, TriggerFile form) {
        book.ledger()
                .triggers()
                .put(
                        piece.name(),
                        new TriggerEntry(
                                Optional.of(Remote.text(there, "id")),
                                Remote.revision(there),
                                Optional.of(TriggerPlanner.words(there)),
                                TriggerPlanner.hash(form),
                                Optional.empty(),
                                Optional.empty()));
    }

    String removed(Step step) throws DeployException, InterruptedException {
        remove("trigger " + step.name(), step.there().orElseThrow());
        book.ledger().triggers().remove(step.name());
        return "removed";
    }

    private void remove(String what, JsonObject there) throws DeployException, InterruptedException {
        remote.removed(what, ServerCall.of("DELETE", path(there)).at(Remote.revision(there)));
    }

    private static String path(JsonObject trigger) {
        return "/triggers/" + Percent.segment(Remote.text(trigger, "id"));
    }
}
