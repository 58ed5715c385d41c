package dev.flowstone.server.deploy;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.deploy.Ledger.VersionedEntry;
import dev.flowstone.server.deploy.Step.Change;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Makes and turns off sets and document templates, and writes down what was made. */
final class TemplateSteps {
    private static final String SETS = "/templates/sets";
    private static final int CONFLICT = 409;

    private final Remote remote;
    private final Book book;

    TemplateSteps(Remote remote, Book book) {
        this.remote = remote;
        this.book = book;
    }

    void intend(Piece.TemplateSet piece) {
        intend(book.ledger().sets(), piece.name(), piece.checksum());
    }

    void intend(Piece.Template piece) {
        intend(book.ledger().templates(), piece.name(), piece.checksum());
    }

    private static void intend(Map<String, VersionedEntry> entries, String name, String checksum) {
        entries.merge(
                name,
                new VersionedEntry(Optional.empty(), Optional.of(checksum), 0, false),
                (entry, _) -> entry.toBe(checksum));
    }

    boolean settle(Piece.TemplateSet piece, JsonObject there) {
        return settle(book.ledger().sets(), piece.name(), kept(piece.checksum(), Remote.revision(there)));
    }

    boolean settle(Piece.Template piece, JsonObject there) {
        return settle(book.ledger().templates(), piece.name(), kept(piece.checksum(), TemplatePlanner.version(there)));
    }

    private static boolean settle(Map<String, VersionedEntry> entries, String name, VersionedEntry now) {
        VersionedEntry before = entries.replace(name, now);
        return before != null && !before.equals(now);
    }

    private static VersionedEntry kept(String checksum, long revision) {
        return new VersionedEntry(Optional.of(checksum), Optional.empty(), revision, false);
    }

    boolean forget(Step step) {
        return entries(step.kind()).remove(step.name()) != null;
    }

    private Map<String, VersionedEntry> entries(Piece.Kind kind) {
        return kind == Piece.Kind.SET ? book.ledger().sets() : book.ledger().templates();
    }

    String made(Step step, Piece.TemplateSet piece) throws DeployException, InterruptedException {
        if (step.change() == Change.TAKE) {
            return taken(
                    step, kept(piece.checksum(), Remote.revision(step.there().orElseThrow())));
        }
        Map<String, JsonValue> said = new LinkedHashMap<>(piece.said().members());
        ServerCall call;
        if (step.change() == Change.CREATE) {
            said.put("id", new JsonString(piece.name()));
            said.put("hides", JsonBoolean.of(piece.hides()));
            call = ServerCall.of("POST", SETS).with(JsonObject.of(said));
        } else {
            if (comesBack(step)) {
                said.put("isEnabled", JsonBoolean.of(true));
            }
            call = ServerCall.of("PUT", Remote.set(piece.name()))
                    .with(JsonObject.of(said))
                    .at(Remote.revision(step.there().orElseThrow()));
        }
        ServerAnswer.Done done = remote.done("template set " + piece.name(), call);
        book.ledger().sets().put(piece.name(), kept(piece.checksum(), Remote.revision(done.body())));
        return step.change() == Change.CREATE ? "made" : "changed";
    }

    private boolean comesBack(Step step) {
        VersionedEntry entry = entries(step.kind()).get(step.name());
        return entry != null && entry.comesBack();
    }

    private String taken(Step step, VersionedEntry now) {
        entries(step.kind()).put(step.name(), now);
        return "taken over";
    }

    String made(Step step, Piece.Template piece) throws DeployException, InterruptedException {
        if (step.change() == Change.TAKE) {
            return taken(
                    step,
                    kept(piece.checksum(), TemplatePlanner.version(step.there().orElseThrow())));
        }
        ServerCall write = ServerCall.of("POST", Remote.template(piece.set(), piece.id()) + "/versions")
                .with(piece.said())
                // 0 where there was none: what others have written since is theirs.
                .at(step.there().map(TemplatePlanner::version).orElse(0L));
        JsonObject version = remote.done("template " + piece.name(), write).body();
        book.ledger().templates().put(piece.name(), kept(piece.checksum(), TemplatePlanner.version(version)));
        return "version " + TemplatePlanner.version(version);
    }

    /** A template stays for good, turned off in all its versions; a set, too, if it ever had some. */
    String removed(Step step) throws DeployException, InterruptedException {
        return step.kind() == Piece.Kind.SET ? removedSet(step) : turnedOff(step);
    }

    private String removedSet(Step step) throws DeployException, InterruptedException {
        String what = "template set " + step.name();
        String path = Remote.set(step.name());
        try {
            remote.removed(what, ServerCall.of("DELETE", path));
            Object _ = book.ledger().sets().remove(step.name());
            return "removed";
        } catch (DeployException e) {
            if (!(e.answer() instanceof ServerAnswer.Refused(int status, JsonObject _)) || status != CONFLICT) {
                throw e;
            }
        }
        JsonObject off = remote.done(
                        what,
                        ServerCall.of("PUT", path)
                                .with(JsonObject.builder()
                                        .put("isEnabled", JsonBoolean.of(false))
                                        .build())
                                .at(Remote.revision(step.there().orElseThrow())))
                .body();
        return off(step, Remote.revision(off));
    }

    private String turnedOff(Step step) throws DeployException, InterruptedException {
        int slash = step.name().indexOf('/');
        String versions =
                Remote.template(step.name().substring(0, slash), step.name().substring(slash + 1)) + "/versions";
        long newest = TemplatePlanner.version(step.there().orElseThrow());
        for (JsonObject each : remote.items(versions)) {
            if (each.find("configuredEnabled").equals(Optional.of(JsonBoolean.of(true)))
                    && each.get("version") instanceof JsonNumber number
                    // What was written after the plan was made is somebody else's.
                    && number.longValue() <= newest) {
                remote.done(
                        "template " + step.name(),
                        ServerCall.of("POST", versions + "/" + number.longValue() + "/disable"));
            }
        }
        return off(step, newest);
    }

    private String off(Step step, long revision) {
        entries(step.kind())
                .computeIfPresent(
                        step.name(),
                        (_, entry) -> new VersionedEntry(entry.checksum(), Optional.empty(), revision, true));
        return "turned off";
    }
}
