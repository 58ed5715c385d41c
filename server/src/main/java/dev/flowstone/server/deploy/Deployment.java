package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.client.ServerClient;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A folder that is applied to one server under one name. Not thread-safe. */
public final class Deployment {
    static final String PREFIX = "deployment-";

    private final String name;
    private final Contents contents;
    private final TriggerReader reader;
    private final Remote remote;
    private final Wishes wishes;
    private Ledger ledger = new Ledger();
    private long revision;

    /** @param name whose the things are that it makes; 1 to 50 of a-z, 0-9 and '-' */
    public Deployment(String name, Contents contents, TriggerReader reader, ServerClient client, Wishes wishes) {
        this.name = requireNonNull(name);
        this.contents = requireNonNull(contents);
        this.reader = requireNonNull(reader);
        this.remote = new Remote(client);
        this.wishes = requireNonNull(wishes);
    }

    /** The id of the workflow that carries what a deployment has made. */
    public static String ledgerOf(String name) {
        return PREFIX + name;
    }

    /**
     * Compares the folder with the server; nothing is changed.
     *
     * @throws DeployException if the server refuses, or doesn't answer
     * @throws UnreadableLedgerException if what the server keeps of this deployment can't be read
     */
    public Plan plan() throws DeployException, UnreadableLedgerException, InterruptedException {
        readLedger();
        Map<String, JsonObject> workflows = remote.all("/workflows");
        String book = ledgerOf(name);
        JsonObject row = workflows.getOrDefault(book, JsonObject.EMPTY);
        if (Remote.wasActive(row) || Remote.isArchived(row)) {
            throw UnreadableLedgerException.ofPublished(book);
        }
        List<Piece.Trigger> fired = of(Piece.Trigger.class);
        Map<String, JsonObject> triggers =
                fired.isEmpty() && ledger.triggers().isEmpty() ? Map.of() : remote.all("/triggers");
        Owners owners = new Owners(remote, workflows.keySet(), name);
        WorkflowPlanner planner = new WorkflowPlanner(remote, workflows, ledger.workflows(), owners, wishes);
        List<Step> steps = new ArrayList<>();
        List<Piece.Template> templates = of(Piece.Template.class);
        List<Piece.TemplateSet> sets = of(Piece.TemplateSet.class);
        Set<String> setNames = names(Piece.TemplateSet.class);
        TemplatePlanner documents =
                TemplatePlanner.reading(remote, ledger, owners, wishes, !templates.isEmpty() || !sets.isEmpty());
        for (Piece.TemplateSet piece : sets) {
            steps.add(documents.step(piece));
        }
        for (Piece.Template piece : templates) {
            steps.add(documents.step(piece, setNames));
        }
        for (Piece.Workflow piece : of(Piece.Workflow.class)) {
            steps.add(planner.step(piece));
        }
        List<Step> goneWorkflows = planner.gone(names(Piece.Workflow.class));
        Set<String> startable = startable(workflows, goneWorkflows);
        TriggerPlanner firing = new TriggerPlanner(reader, triggers, ledger.triggers(), startable, wishes);
        fired.forEach(piece -> steps.add(firing.step(piece)));
        // What starts runs goes before what it starts, and what renders templates before these.
        steps.addAll(firing.gone(names(Piece.Trigger.class)));
        steps.addAll(goneWorkflows);
        steps.addAll(documents.gone(templates, setNames));
        return new Plan(steps);
    }

    /** What a trigger may start when all is done. */
    private Set<String> startable(Map<String, JsonObject> workflows, List<Step> gone) {
        Set<String> startable = new HashSet<>();
        workflows.forEach((id, row) -> {
            if (!Remote.isArchived(row)) {
                startable.add(id);
            }
        });
        startable.remove(ledgerOf(name));
        gone.stream()
                .filter(step -> step.change() == Step.Change.REMOVE)
                .forEach(step -> startable.remove(step.name()));
        startable.addAll(names(Piece.Workflow.class));
        return startable;
    }

    private void readLedger() throws DeployException, UnreadableLedgerException, InterruptedException {
        Optional<JsonObject> kept = remote.draft(ledgerOf(name));
        if (kept.isEmpty()) {
            return;
        }
        ledger = Ledger.in(kept.get()).orElseThrow(() -> new UnreadableLedgerException(ledgerOf(name)));
        revision = Remote.revision(kept.get());
    }

    private <T extends Piece> List<T> of(Class<T> kind) {
        return contents.pieces().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private Set<String> names(Class<? extends Piece> kind) {
        return of(kind).stream().map(Piece::name).collect(Collectors.toSet());
    }

    /**
     * Carries a plan out.
     *
     * @param done told of each step when it is done, with the version that it made or the id that it has
     */
    public void apply(Plan plan, Progress done) throws DeployException, InterruptedException {
        Book book = new Book(remote, name, ledger, revision);
        new Applier(remote, reader, book, wishes).apply(plan, done);
    }

    /** Hears what is done. */
    @FunctionalInterface
    public interface Progress {
        void done(Step step, String result);
    }
}
