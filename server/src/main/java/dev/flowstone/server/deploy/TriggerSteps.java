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
    private final Ledger ledger;
    private final Wishes wishes;

    TriggerSteps(Remote remote, TriggerReader reader, Ledger ledger, Wishes wishes) {
        this.remote = remote;
        this.reader = reader;
        this.ledger = ledger;
        this.wishes = wishes;
    }

    void intend(Step step, Piece.Trigger piece) {
        Optional<TriggerEntry> before = Optional.ofNullable(ledger.triggers().get(piece.name()));
        boolean makes = step.change() == Change.CREATE || step.change() == Change.REPLACE;
        // Under a key only what was sent under it before may be sent again.
        Optional<TriggerEntry> begun =
                before.filter(entry -> entry.key().isPresent() && entry.next().isPresent());
        if (makes && begun.isPresent()) {
            return;
        }
        ledger.triggers()
                .put(
                        piece.name(),
                        new TriggerEntry(
                                before.flatMap(TriggerEntry::id),
                                before.map(TriggerEntry::revision).orElse(0L),
                                before.flatMap(TriggerEntry::secrets),
                                makes ? Optional.of(freshKey()) : Optional.empty(),
                                Optional.of(piece.said())));
    }

    boolean settle(Piece.Trigger piece, JsonObject there) {
        TriggerEntry before = ledger.triggers().get(piece.name());
        keep(piece, there, piece.form());
        return !Objects.equals(ledger.triggers().get(piece.name()), before);
    }

    String made(Step step, Piece.Trigger piece) throws DeployException, InterruptedException {
        String what = "trigger " + piece.name();
        if (step.change() == Change.UPDATE) {
            return updated(what, piece, step.there().orElseThrow());
        }
        if (step.change() == Change.REPLACE) {
            JsonObject old = step.there().orElseThrow();
            remote.done(what, ServerCall.of("DELETE", path(old)).at(Remote.revision(old)));
        }
        TriggerEntry entry = ledger.triggers().get(piece.name());
        if (entry == null) {
            throw new IllegalStateException("a trigger is made that nobody has planned: " + piece.name());
        }
        TriggerFile sent = sent(entry, piece);
        JsonObject there = posted(what, sent, entry.key().orElseThrow());
        keep(piece, there, sent);
        return sent.equals(piece.form()) ? Remote.text(there, "id") : updated(what, piece, there);
    }

    /** Where nobody can tell what became of the first attempt, another one is made if that is asked. */
    private JsonObject posted(String what, TriggerFile sent, String key) throws DeployException, InterruptedException {
        ServerCall create = ServerCall.of("POST", "/triggers").with(sent.toCreate());
        try {
            return remote.done(what, create.under(key)).body();
        } catch (DeployException e) {
            if (!wishes.overwrite() || !e.isAboutKey()) {
                throw e;
            }
            return remote.done(what, create.under(freshKey())).body();
        }
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
                .equals(Optional.ofNullable(ledger.triggers().get(piece.name())).flatMap(TriggerEntry::secrets));
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
        ledger.triggers()
                .put(
                        piece.name(),
                        new TriggerEntry(
                                Optional.of(Remote.text(there, "id")),
                                Remote.revision(there),
                                TriggerPlanner.hash(form),
                                Optional.empty(),
                                Optional.empty()));
    }

    String removed(Step step) throws DeployException, InterruptedException {
        JsonObject there = step.there().orElseThrow();
        remote.done(
                "trigger " + step.name(), ServerCall.of("DELETE", path(there)).at(Remote.revision(there)));
        ledger.triggers().remove(step.name());
        return "removed";
    }

    private static String path(JsonObject trigger) {
        return "/triggers/" + Percent.segment(Remote.text(trigger, "id"));
    }
}
