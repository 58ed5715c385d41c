package dev.flowstone.server.deploy;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.deploy.Ledger.VersionedEntry;
import dev.flowstone.server.deploy.Step.Change;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares the folder's workflows with a server's. */
final class WorkflowPlanner {
    private final Remote remote;
    private final Map<String, JsonObject> there;
    private final Map<String, VersionedEntry> ours;
    private final Owners owners;
    private final Wishes wishes;

    WorkflowPlanner(
            Remote remote,
            Map<String, JsonObject> there,
            Map<String, VersionedEntry> ours,
            Owners owners,
            Wishes wishes) {
        this.remote = remote;
        this.there = there;
        this.ours = ours;
        this.owners = owners;
        this.wishes = wishes;
    }

    Step step(Piece.Workflow piece) throws DeployException, InterruptedException {
        Optional<JsonObject> row = Optional.ofNullable(there.get(piece.name()));
        Optional<VersionedEntry> entry = Optional.ofNullable(ours.get(piece.name()));
        if (row.isEmpty()) {
            return Step.of(Change.CREATE, piece, row, entry.isPresent() ? "it was removed since" : "");
        }
        String checksum = piece.checksum().toString();
        if (entry.isPresent()
                && isAsMade(entry.get(), row.get())
                && entry.get().checksum().equals(Optional.of(checksum))) {
            return Step.of(Change.UNCHANGED, piece, row, "");
        }
        Optional<JsonObject> now = remote.current(piece.name());
        if (now.isEmpty()) {
            return Step.of(Change.CREATE, piece, now, "it was removed just now");
        }
        return compared(piece, now.get(), entry, checksum);
    }

    private Step compared(Piece.Workflow piece, JsonObject now, Optional<VersionedEntry> entry, String checksum)
            throws DeployException, InterruptedException {
        Optional<JsonObject> found = Optional.of(now);
        boolean active = Remote.wasActive(now) && !Remote.isArchived(now);
        Optional<String> owner = entry.isEmpty() ? owners.of(Piece.Kind.WORKFLOW, piece.name()) : Optional.empty();
        if (owner.isPresent() && !wishes.overwrite()) {
            return Step.of(Change.CONFLICT, piece, found, Owners.inTheWay(owner.get()));
        }
        if (active && checksum(now).equals(checksum)) {
            if (owner.isPresent()) {
                return Step.of(Change.TAKE, piece, found, Owners.made(owner.get()));
            }
            return Step.of(Change.UNCHANGED, piece, found, entry.isEmpty() ? Owners.THEIRS : "");
        }
        if (!wishes.overwrite()) {
            if (entry.isEmpty()) {
                return Step.of(Change.CONFLICT, piece, found, Owners.FOREIGN);
            }
            if (!explained(entry.get(), now)) {
                return Step.of(Change.CONFLICT, piece, found, changed(entry.get(), now));
            }
        }
        if (!Remote.wasActive(now)) {
            return Step.of(Change.CREATE, piece, found, "its draft is there");
        }
        return Step.of(Change.VERSION, piece, found, Remote.isArchived(now) ? "it is taken into use again" : "");
    }

    /** What this deployment has made and the folder doesn't have any more. */
    List<Step> gone(Set<String> names) throws DeployException, InterruptedException {
        List<Step> steps = new ArrayList<>();
        for (Map.Entry<String, VersionedEntry> each : ours.entrySet()) {
            String name = each.getKey();
            JsonObject row = there.get(name);
            if (names.contains(name) || row == null || (each.getValue().removed() && Remote.isArchived(row))) {
                continue;
            }
            Optional<JsonObject> now = wishes.prune() ? remote.current(name) : Optional.of(row);
            if (now.isPresent()) {
                steps.add(gone(name, each.getValue(), now.get()));
            }
        }
        return wishes.prune() ? callersFirst(steps) : steps;
    }

    /** So that nothing in use calls what is out of use. Whatever names a workflow is taken for a caller of it. */
    private static List<Step> callersFirst(List<Step> gone) {
        Map<String, Step> steps = new LinkedHashMap<>();
        gone.forEach(step -> steps.put(step.name(), step));
        List<Piece.Workflow> pieces = new ArrayList<>();
        for (Step step : gone) {
            JsonObject definition = step.there().orElse(JsonObject.EMPTY).get("definition") instanceof JsonObject shown
                    ? shown
                    : JsonObject.EMPTY;
            Set<String> named = new HashSet<>();
            Mentions.of(definition, steps.keySet(), named);
            named.remove(step.name());
            pieces.add(new Piece.Workflow(
                    Path.of(""), step.name(), definition, Sha256.digest(CanonicalJson.exact(definition)), named));
        }
        return new Order(pieces)
                .order().reversed().stream()
                        .map(piece -> steps.get(piece.name()))
                        .toList();
    }

    /** What others have made or changed since isn't removed, whatever was asked: it isn't ours any more. */
    private Step gone(String name, VersionedEntry entry, JsonObject now) throws DeployException, InterruptedException {
        if (!wishes.prune()) {
            return Step.gone(Change.LEFT, Piece.Kind.WORKFLOW, name, now, Step.PRUNES);
        }
        if (!explained(entry, now)) {
            return Step.gone(Change.YIELDED, Piece.Kind.WORKFLOW, name, now, Step.YIELDS);
        }
        Optional<String> owner = owners.of(Piece.Kind.WORKFLOW, name);
        if (owner.isPresent()) {
            return Step.gone(Change.YIELDED, Piece.Kind.WORKFLOW, name, now, Owners.has(owner.get()));
        }
        String why = Remote.wasActive(now) ? "it is archived: runs that have begun go on" : "";
        return Step.gone(Change.REMOVE, Piece.Kind.WORKFLOW, name, now, why);
    }

    private static boolean isAsMade(VersionedEntry entry, JsonObject row) {
        return entry.next().isEmpty() && !entry.removed() && entry.revision() == Remote.revision(row);
    }

    /** Whether it is as it was left, or as far as an interrupted call of ours may have brought it. */
    private boolean explained(VersionedEntry entry, JsonObject now) throws DeployException, InterruptedException {
        if (entry.revision() == Remote.revision(now) && !hasDraft(now)) {
            return true;
        }
        if (entry.next().isEmpty()) {
            return false;
        }
        Set<String> known = Stream.of(entry.checksum(), entry.next())
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        boolean current = !Remote.wasActive(now) || known.contains(checksum(now));
        return current && (!hasDraft(now) || known.contains(draft(now)));
    }

    private String draft(JsonObject now) throws DeployException, InterruptedException {
        return Remote.wasActive(now)
                ? remote.draft(Remote.text(now, "id"))
                        .map(WorkflowPlanner::checksum)
                        .orElse("")
                : checksum(now);
    }

    static boolean hasDraft(JsonObject now) {
        return now.find("hasDraft").equals(Optional.of(JsonBoolean.of(true)));
    }

    /** Whether what is shown of a step's workflow is what its file says. */
    static boolean says(Step step, Piece.Workflow piece) {
        return step.there()
                .map(WorkflowPlanner::checksum)
                .filter(piece.checksum().toString()::equals)
                .isPresent();
    }

    /** Of the definition that is shown. */
    static String checksum(JsonObject workflow) {
        return workflow.get("definition") instanceof JsonObject definition
                ? Sha256.digest(CanonicalJson.exact(definition)).toString()
                : "";
    }

    private static String changed(VersionedEntry entry, JsonObject now) {
        return "others have changed it: it is at revision " + Remote.revision(now) + ", and was left at "
                + entry.revision() + "; look at it, then --overwrite";
    }
}
