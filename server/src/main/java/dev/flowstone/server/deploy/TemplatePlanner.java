package dev.flowstone.server.deploy;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.TemplateFiles;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.deploy.Ledger.VersionedEntry;
import dev.flowstone.server.deploy.Step.Change;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares the folder's sets and document templates with a server's. */
final class TemplatePlanner {
    private static final String OFF = "it is turned off, which whoever did it decides";
    private static final String BACK = "it is turned on again";

    private final Remote remote;
    private final Ledger ledger;
    private final Owners owners;
    private final Wishes wishes;
    private final Map<String, JsonObject> sets = new TreeMap<>();
    private final Set<String> everybodys = new TreeSet<>();
    private final Map<String, JsonObject> templates = new TreeMap<>();

    private TemplatePlanner(Remote remote, Ledger ledger, Owners owners, Wishes wishes) {
        this.remote = remote;
        this.ledger = ledger;
        this.owners = owners;
        this.wishes = wishes;
    }

    /** @param wanted whether the folder has some; a server is asked only if it or the ledger has */
    static TemplatePlanner reading(Remote remote, Ledger ledger, Owners owners, Wishes wishes, boolean wanted)
            throws DeployException, InterruptedException {
        TemplatePlanner planner = new TemplatePlanner(remote, ledger, owners, wishes);
        if (wanted || !ledger.sets().isEmpty() || !ledger.templates().isEmpty()) {
            for (JsonObject set : remote.items("/templates/sets")) {
                if (isEverybodys(set)) {
                    planner.everybodys.add(Remote.text(set, "id"));
                } else {
                    planner.sets.put(Remote.text(set, "id"), set);
                }
            }
            for (JsonObject row : remote.items("/templates")) {
                if (!isEverybodys(row)) {
                    planner.templates.put(Remote.text(row, TemplateReader.SET) + "/" + Remote.text(row, "id"), row);
                }
            }
        }
        return planner;
    }

    private static boolean isEverybodys(JsonObject row) {
        return row.find("shared").equals(Optional.of(JsonBoolean.of(true)));
    }

    Step step(Piece.TemplateSet piece) throws DeployException, InterruptedException {
        Optional<JsonObject> row = Optional.ofNullable(sets.get(piece.name()));
        Optional<VersionedEntry> entry = Optional.ofNullable(ledger.sets().get(piece.name()));
        if (row.isEmpty()) {
            return everybodys.contains(piece.name()) && !piece.hides()
                    ? Step.of(
                            Change.CONFLICT,
                            piece,
                            row,
                            "every tenant has a set of this id; \"hides\": true makes one of your own that hides it")
                    : Step.of(Change.CREATE, piece, row, entry.isPresent() ? "it was removed since" : "");
        }
        String words = TemplateReader.checksum(TemplateFiles.setWords(row.get()));
        Found found = new Found(row.get(), isOff(row.get()), Remote.revision(row.get()), words);
        return compared(Change.UPDATE, piece, piece.checksum(), found, entry);
    }

    /** @param folderSets the sets that the folder has */
    Step step(Piece.Template piece, Set<String> folderSets) throws DeployException, InterruptedException {
        Optional<JsonObject> row = Optional.ofNullable(templates.get(piece.name()));
        Optional<VersionedEntry> entry = Optional.ofNullable(ledger.templates().get(piece.name()));
        if (!sets.containsKey(piece.set()) && !folderSets.contains(piece.set())) {
            return Step.of(
                    Change.CONFLICT,
                    piece,
                    row,
                    "its set '" + piece.set() + "' is neither in the folder nor this tenant's own on the server");
        }
        if (row.isEmpty()) {
            return Step.of(Change.CREATE, piece, row, "");
        }
        if (entry.isPresent() && isAsMade(entry.get(), row.get(), piece.checksum())) {
            return Step.of(Change.UNCHANGED, piece, row, isOff(row.get()) ? OFF : "");
        }
        JsonObject now = newest(piece.set(), piece.id(), row.get());
        String words = TemplateReader.checksum(TemplateFiles.versionWords(now));
        Found found = new Found(now, isOff(row.get()), version(now), words);
        return compared(Change.VERSION, piece, piece.checksum(), found, entry);
    }

    /**
     * What the server has of it.
     *
     * @param off whether it is out of use
     * @param revision of a set, the version of a template
     * @param words hash of what it says
     */
    private record Found(JsonObject shown, boolean off, long revision, String words) {}

    /**
     * What this deployment has turned off comes back with its file, and so does what it takes over.
     *
     * @param change what is done to it if it isn't as the file says
     * @param checksum of the file
     */
    private Step compared(Change change, Piece piece, String checksum, Found found, Optional<VersionedEntry> entry)
            throws DeployException, InterruptedException {
        Optional<JsonObject> now = Optional.of(found.shown());
        boolean off = found.off();
        Optional<String> owner = entry.isEmpty() ? owners.of(piece.kind(), piece.name()) : Optional.empty();
        boolean back = off && entry.map(VersionedEntry::comesBack).orElse(true);
        if (owner.isPresent() && !wishes.overwrite()) {
            return Step.of(Change.CONFLICT, piece, now, Owners.inTheWay(owner.get()));
        }
        if (found.words().equals(checksum) && !back) {
            if (owner.isPresent()) {
                return Step.of(Change.TAKE, piece, now, Owners.made(owner.get()));
            }
            return Step.of(Change.UNCHANGED, piece, now, off ? OFF : entry.isEmpty() ? Owners.THEIRS : "");
        }
        if (!wishes.overwrite()) {
            if (entry.isEmpty()) {
                return Step.of(Change.CONFLICT, piece, now, (off ? "it is turned off, and " : "") + Owners.FOREIGN);
            }
            if (!explained(entry.get(), found.revision(), found.words())) {
                return Step.of(
                        Change.CONFLICT, piece, now, "others have changed it since; look at it, then --overwrite");
            }
        }
        return Step.of(change, piece, now, back ? BACK : "");
    }

    private JsonObject newest(String set, String id, JsonObject row) throws DeployException, InterruptedException {
        return remote.done(
                        "template " + set + "/" + id,
                        ServerCall.of("GET", Remote.template(set, id)).asking("version", Long.toString(version(row))))
                .body();
    }

    /** Templates, then sets, that this deployment has made and the folder doesn't have any more. */
    List<Step> gone(List<Piece.Template> pieces, Set<String> folderSets) throws DeployException, InterruptedException {
        Set<String> names = new HashSet<>();
        Set<String> used = new HashSet<>();
        for (Piece.Template piece : pieces) {
            names.add(piece.name());
            used.add(piece.set());
        }
        List<Step> steps = new ArrayList<>();
        Set<String> left = new HashSet<>(templates.keySet());
        for (Map.Entry<String, VersionedEntry> each : ledger.templates().entrySet()) {
            JsonObject row = templates.get(each.getKey());
            if (!names.contains(each.getKey())
                    && row != null
                    && !(each.getValue().removed() && isOff(row))) {
                Step step = gone(each.getKey(), each.getValue(), row);
                steps.add(step);
                if (step.change() == Change.REMOVE) {
                    left.remove(each.getKey());
                }
            }
        }
        left.removeIf(name -> isOff(templates.getOrDefault(name, JsonObject.EMPTY)));
        left.forEach(name -> used.add(name.substring(0, name.indexOf('/'))));
        for (Map.Entry<String, VersionedEntry> each : ledger.sets().entrySet()) {
            JsonObject row = sets.get(each.getKey());
            if (!folderSets.contains(each.getKey())
                    && row != null
                    && !(each.getValue().removed() && isOff(row))) {
                steps.add(goneSet(each.getKey(), each.getValue(), row, used));
            }
        }
        return steps;
    }

    private Step gone(String name, VersionedEntry entry, JsonObject row) throws DeployException, InterruptedException {
        if (!wishes.prune()) {
            return Step.gone(Change.LEFT, Piece.Kind.TEMPLATE, name, row, Step.PRUNES);
        }
        int slash = name.indexOf('/');
        String words = entry.revision() == version(row)
                ? ""
                : TemplateReader.checksum(
                        TemplateFiles.versionWords(newest(name.substring(0, slash), name.substring(slash + 1), row)));
        Optional<String> taken = taken(Piece.Kind.TEMPLATE, name, explained(entry, version(row), words));
        if (taken.isPresent()) {
            return Step.gone(Change.YIELDED, Piece.Kind.TEMPLATE, name, row, taken.get());
        }
        return Step.gone(
                Change.REMOVE,
                Piece.Kind.TEMPLATE,
                name,
                row,
                "its versions are turned off: who renders it is refused from then on");
    }

    /** Why it isn't this deployment's any more, if it isn't. */
    private Optional<String> taken(Piece.Kind kind, String name, boolean explained)
            throws DeployException, InterruptedException {
        return explained ? owners.of(kind, name).map(Owners::has) : Optional.of(Step.YIELDS);
    }

    private Step goneSet(String name, VersionedEntry entry, JsonObject row, Set<String> used)
            throws DeployException, InterruptedException {
        if (!wishes.prune()) {
            return Step.gone(Change.LEFT, Piece.Kind.SET, name, row, Step.PRUNES);
        }
        String words = TemplateReader.checksum(TemplateFiles.setWords(row));
        Optional<String> taken = taken(Piece.Kind.SET, name, explained(entry, Remote.revision(row), words));
        if (taken.isPresent()) {
            return Step.gone(Change.YIELDED, Piece.Kind.SET, name, row, taken.get());
        }
        return used.contains(name)
                ? Step.gone(Change.LEFT, Piece.Kind.SET, name, row, "templates are left in it: it stays")
                : Step.gone(Change.REMOVE, Piece.Kind.SET, name, row, "turned off, if it has had templates");
    }

    private static boolean isAsMade(VersionedEntry entry, JsonObject row, String checksum) {
        return entry.next().isEmpty()
                && !entry.removed()
                && entry.revision() == version(row)
                && entry.checksum().equals(Optional.of(checksum));
    }

    /** Whether it is as it was left, or as an interrupted call of ours has made it. */
    private static boolean explained(VersionedEntry entry, long revision, String words) {
        return entry.revision() == revision || entry.next().equals(Optional.of(words));
    }

    /** A set that is off, or a template all of whose versions are. */
    private static boolean isOff(JsonObject row) {
        return row.find("isEnabled").equals(Optional.of(JsonBoolean.of(false)))
                || (row.find("latestVersion").isPresent() && !(row.get("currentVersion") instanceof JsonNumber));
    }

    /** Of a template, in a list or alone. */
    static long version(JsonObject there) {
        return there.find("version").or(() -> there.find("latestVersion")).orElse(JsonNumber.of(0))
                        instanceof JsonNumber number
                ? number.longValue()
                : 0;
    }
}
