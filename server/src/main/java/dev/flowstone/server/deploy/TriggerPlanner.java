package dev.flowstone.server.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.TriggerFile;
import dev.flowstone.server.deploy.Ledger.TriggerEntry;
import dev.flowstone.server.deploy.Step.Change;
import dev.flowstone.server.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares the folder's triggers with a server's. */
final class TriggerPlanner {
    private final TriggerReader reader;
    private final Map<String, JsonObject> there;
    private final Map<String, TriggerEntry> ours;
    private final Set<String> workflows;
    private final Wishes wishes;

    /** @param workflows that there are, or will be */
    TriggerPlanner(
            TriggerReader reader,
            Map<String, JsonObject> there,
            Map<String, TriggerEntry> ours,
            Set<String> workflows,
            Wishes wishes) {
        this.reader = reader;
        this.there = there;
        this.ours = ours;
        this.workflows = workflows;
        this.wishes = wishes;
    }

    Step step(Piece.Trigger piece) {
        TriggerFile form = piece.form();
        Optional<TriggerEntry> entry = Optional.ofNullable(ours.get(piece.name()));
        Optional<JsonObject> found = entry.flatMap(TriggerEntry::id).map(there::get);
        if (!workflows.contains(form.workflow())) {
            return Step.of(
                    Change.CONFLICT,
                    piece,
                    found,
                    "its workflow '" + form.workflow()
                            + "' is neither in the folder nor in use on the server, or is removed here");
        }
        if (found.isEmpty()) {
            boolean made = entry.flatMap(TriggerEntry::id).isPresent();
            return Step.of(Change.CREATE, piece, found, made ? "it was removed since" : "");
        }
        JsonObject now = found.get();
        boolean sameSecrets = hash(form).equals(entry.flatMap(TriggerEntry::secrets));
        // Nobody is shown secrets: what has changed since may have others.
        boolean sure = form.secrets().isEmpty() || entry.orElseThrow().revision() == Remote.revision(now);
        if (form.describes(now) && sameSecrets && sure) {
            return Step.of(Change.UNCHANGED, piece, found, "");
        }
        boolean switched = form.enabled().isEmpty() && isSwitchedOnly(entry.orElseThrow(), now);
        if (!wishes.overwrite() && !switched && !explained(entry.orElseThrow(), now)) {
            return Step.of(Change.CONFLICT, piece, found, changed(entry.get(), now));
        }
        if (!form.isOf(now)) {
            return Step.of(
                    Change.REPLACE, piece, found, "a trigger stays of its workflow and type; it gets another id");
        }
        return Step.of(
                Change.UPDATE,
                piece,
                found,
                sameSecrets ? sure ? "" : "its secrets are sent again" : "its secrets change");
    }

    /** What this deployment has made and the folder doesn't have any more. */
    List<Step> gone(Set<String> names) {
        List<Step> steps = new ArrayList<>();
        ours.forEach((name, entry) -> {
            JsonObject now = entry.id().map(there::get).orElse(null);
            if (names.contains(name) || now == null) {
                return;
            }
            if (!wishes.prune()) {
                steps.add(Step.gone(Change.LEFT, Piece.Kind.TRIGGER, name, now, Step.PRUNES));
            } else if (!explained(entry, now) && !isSwitchedOnly(entry, now)) {
                steps.add(Step.gone(Change.YIELDED, Piece.Kind.TRIGGER, name, now, Step.YIELDS));
            } else {
                steps.add(Step.gone(Change.REMOVE, Piece.Kind.TRIGGER, name, now, ""));
            }
        });
        return steps;
    }

    /** Whether it is as it was left, or as an interrupted call of ours has made it. */
    private boolean explained(TriggerEntry entry, JsonObject now) {
        return entry.revision() == Remote.revision(now)
                || entry.next().map(said -> describes(said, now)).orElse(false);
    }

    /** Whether nothing but being on or off can have changed; of secrets nobody can tell. */
    private static boolean isSwitchedOnly(TriggerEntry entry, JsonObject now) {
        return entry.secrets().isEmpty() && entry.words().equals(Optional.of(words(now)));
    }

    /** Hash of what a server shows of it, besides whether it is on. */
    static String words(JsonObject there) {
        return Sha256.digest(CanonicalJson.exact(TriggerFile.words(there))).toString();
    }

    private boolean describes(JsonObject said, JsonObject now) {
        try {
            return reader.form(said).describes(now);
        } catch (ProblemException e) {
            // Its secrets are set no more: nobody can tell.
            return false;
        }
    }

    private static String changed(TriggerEntry entry, JsonObject now) {
        return "others have changed it: it is at revision " + Remote.revision(now) + ", and was left at "
                + entry.revision() + "; look at it, then --overwrite";
    }

    /** Of its secrets, if it has some. */
    static Optional<String> hash(TriggerFile form) {
        return form.secrets().isEmpty()
                ? Optional.empty()
                : Optional.of(Sha256.digest(String.join("\n", form.secrets()).getBytes(UTF_8))
                        .toString());
    }
}
