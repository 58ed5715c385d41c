package dev.flowstone.server.template;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.workflow.CatalogAnswer;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.engine.workflow.Saved;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.templates.fields.FieldFault;
import dev.flowstone.templates.workflow.Blueprint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Makes drafts of workflow templates (dataflow.md §3.5.1). What becomes a draft has been checked by its format. Thread-safe. */
public final class Drafting {
    private static final int SHOWN = 50;
    private static final WorkflowId TRIAL = new WorkflowId("trial");

    /** Both formats' words for how a workflow is called. */
    private static final Set<String> NAMED_ANEW = Set.of("id", "displayName", "name");

    private final Workflows workflows;
    private final DefinitionCompiler compiler;

    public Drafting(Workflows workflows, DefinitionCompiler compiler) {
        this.workflows = requireNonNull(workflows);
        this.compiler = requireNonNull(compiler);
    }

    /** What is asked for. */
    public record Wish(WorkflowId workflow, String displayName, JsonObject config) {
        public Wish {
            requireNonNull(workflow);
            requireNonNull(displayName);
            requireNonNull(config);
        }
    }

    /** What came of it. */
    public sealed interface Outcome {
        /** There is the draft, or what became of it; it may have been there before. */
        record Drafted(boolean created, WorkflowRow row) implements Outcome {
            public Drafted {
                requireNonNull(row);
            }
        }

        /** The config can't be used, or what comes of it is no sound workflow; pointers go into the request. */
        record Refused(List<FieldFault> faults, List<String> missingActions) implements Outcome {
            public Refused {
                faults = List.copyOf(faults);
                missingActions = List.copyOf(missingActions);
            }
        }

        /** There is another workflow of this id. */
        record Taken() implements Outcome {}
    }

    /**
     * Every fault of a template, up to a bound, whose pointers begin with {@code /definition} or {@code /configSchema}; none if it makes a
     * sound workflow of the schema's first example.
     */
    public Outcome.Refused check(WorkflowTemplateDraft draft) {
        Blueprint blueprint = new Blueprint(draft.definition(), draft.configSchema());
        List<FieldFault> faults = blueprint.check();
        if (!faults.isEmpty()) {
            return refused(faults, List.of());
        }
        return switch (blueprint.bind(blueprint.example())) {
            case Blueprint.WrongConfig(List<FieldFault> wrong) -> refused(trial(blueprint, wrong), List.of());
            case Blueprint.Bound bound ->
                switch (compiler.compile(source(bound.definition(), TRIAL, draft.displayName()))) {
                    case DefinitionCompiler.Compiled _ -> refused(List.of(), List.of());
                    case DefinitionCompiler.Faulty(List<DefinitionFault> found) ->
                        refused(
                                found.stream()
                                        .map(it -> new FieldFault(
                                                it.code(), "/definition" + it.pointer(), it.message(), it.remedy()))
                                        .toList(),
                                missing(found));
                };
        };
    }

    /** An example's faults where it stands, or where it should. */
    private static List<FieldFault> trial(Blueprint blueprint, List<FieldFault> faults) {
        return faults.stream()
                .map(it -> blueprint.hasExample()
                        ? new FieldFault(
                                it.code(), "/configSchema/examples/0" + it.pointer(), it.message(), it.remedy())
                        : new FieldFault(
                                it.code(),
                                "/configSchema",
                                "the template can't be tried with an empty config: " + it.message(),
                                "give configSchema 'examples' with a config that it can be tried with"))
                .toList();
    }

    private static Outcome.Refused refused(List<FieldFault> faults, List<String> missing) {
        return new Outcome.Refused(faults.stream().limit(SHOWN).toList(), missing);
    }

    private static List<String> missing(List<DefinitionFault> faults) {
        return faults.stream()
                .flatMap(it -> it.missingAction().stream())
                .distinct()
                .toList();
    }

    /** Makes a draft, unless a workflow of that id is there: one that came of the same wish is answered, no other is touched. */
    public Outcome draft(TenantId tenant, WorkflowTemplateDraft template, Wish wish) throws JournalException {
        return switch (new Blueprint(template.definition(), template.configSchema()).bind(wish.config())) {
            case Blueprint.WrongConfig(List<FieldFault> wrong) ->
                refused(
                        wrong.stream()
                                .map(it ->
                                        new FieldFault(it.code(), "/config" + it.pointer(), it.message(), it.remedy()))
                                .toList(),
                        List.of());
            case Blueprint.Bound bound -> save(tenant, bound, wish);
        };
    }

    private Outcome save(TenantId tenant, Blueprint.Bound bound, Wish wish) throws JournalException {
        byte[] source = source(bound.definition(), wish.workflow(), wish.displayName());
        return switch (workflows.save(tenant, source, OptionalLong.of(0))) {
            case CatalogAnswer.Done<Saved>(Saved saved) -> new Outcome.Drafted(true, saved.row());
            case CatalogAnswer.Invalid<Saved>(List<DefinitionFault> faults) ->
                refused(faults.stream().map(it -> asked(bound, it)).toList(), missing(faults));
            case CatalogAnswer.Changed<Saved> _, CatalogAnswer.Refused<Saved> _, CatalogAnswer.Unknown<Saved> _ ->
                there(tenant, wish.workflow(), source);
        };
    }

    /** A fault of the workflow where the request brought it about. */
    private static FieldFault asked(Blueprint.Bound bound, DefinitionFault fault) {
        String pointer = fault.pointer();
        String place = bound.origin(pointer).map(origin -> "/config" + origin).orElseGet(() -> switch (pointer) {
            case "/id" -> "/workflowId";
            case "/displayName", "/name" -> "/displayName";
            default -> "";
        });
        String message = place.isEmpty() ? fault.message() + " (at " + pointer + " of the workflow)" : fault.message();
        return new FieldFault(fault.code(), place, message, fault.remedy());
    }

    private Outcome there(TenantId tenant, WorkflowId id, byte[] source) throws JournalException {
        return written(tenant, id)
                .filter(it -> Arrays.equals(it.source, source))
                .<Outcome>map(it -> new Outcome.Drafted(false, it.row))
                .orElseGet(Outcome.Taken::new);
    }

    /** A workflow that is there, whoever made it, and what it says: its draft, or what was published if it has none. */
    public static final class Written {
        private final WorkflowRow row;
        private final byte[] source;

        private Written(WorkflowRow row, byte[] source) {
            this.row = row;
            this.source = source;
        }

        public WorkflowRow row() {
            return row;
        }

        /** Whether it says what comes of that template and that wish. */
        public boolean isOf(WorkflowTemplateDraft template, Wish wish) {
            return new Blueprint(template.definition(), template.configSchema()).bind(wish.config())
                            instanceof Blueprint.Bound bound
                    && Arrays.equals(source, source(bound.definition(), wish.workflow(), wish.displayName()));
        }
    }

    /** The workflow of an id, if there is one. */
    public Optional<Written> written(TenantId tenant, WorkflowId id) throws JournalException {
        Optional<WorkflowRow> row = workflows.find(tenant, id);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Optional<byte[]> source = row.get().draft().isPresent()
                ? row.get().draft()
                : workflows.version(tenant, id, row.get().currentVersion()).map(WorkflowVersion::source);
        return source.map(it -> new Written(row.get(), it));
    }

    /** A definition under a name of its own, in the words of its format. */
    private static byte[] source(JsonObject definition, WorkflowId id, String displayName) {
        boolean states = definition.get("$schema") instanceof JsonString
                && StatesDialect.speaks(CanonicalJson.exact(definition));
        JsonObject.Builder named =
                JsonObject.builder().put("id", id.value()).put(states ? "name" : "displayName", displayName);
        List<String> members = new ArrayList<>(definition.members().keySet());
        members.removeAll(NAMED_ANEW);
        members.forEach(name -> definition.find(name).ifPresent(value -> named.put(name, value)));
        return CanonicalJson.exact(named.build());
    }
}
