package dev.flowstone.server.config;

import dev.flowstone.dialect.dag.option.ContextDefaults;
import dev.flowstone.expression.ExpressionBudget;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of the specification (dataflow.md §5, §6, §8.4, §10) that have no place among the other settings: docs/options.md has all of
 * them. One that nothing here could follow takes the one value that is true, and any other is refused with the reason.
 */
final class OptionSettings {
    private static final ExpressionBudget E = ExpressionBudget.DEFAULT;
    private static final ContextDefaults C = ContextDefaults.DEFAULT;

    static final Setting<Boolean> DRAFTS = Setting.flag(
            "catalog.allowDraftExecution", false, "whether drafts may be run, as version 0; for development");

    static final Setting<Boolean> REGISTER = Setting.flag(
            "catalog.autoRegisterActions",
            true,
            "whether this node tells the catalog which actions it has, from its start on");
    static final Setting<Boolean> SCHEMAS = Setting.flag(
            "catalog.validateActionSchemas",
            true,
            "whether this node doesn't start with an action whose schema can't be used; else it warns, and does without the schema");

    static final Setting<String> SNAPSHOT = Setting.oneOf(
            "context.snapshot",
            ContextDefaults.SNAPSHOTS,
            C.snapshot(),
            "what is shown of a run's data, unless its definition says");
    static final Setting<List<String>> KEYS = new Setting<>(
            "context.keys",
            "names with commas between them",
            "",
            "nodes whose data a snapshot KeysOnly shows, such as render,publish",
            false,
            text -> NameLists.names(text).toList());
    static final Setting<String> OVERFLOW = Setting.oneOf(
            "context.overflow",
            ContextDefaults.OVERFLOWS,
            C.overflow(),
            "what becomes of data beyond engine.maxContextSizeBytes, unless the definition says");

    static final Setting<Integer> STATEMENTS = Setting.number(
            "condition.maxStatements",
            (int) (E.steps() / ExpressionBudget.STEPS_PER_STATEMENT),
            1,
            1_000_000,
            "of one expression; one is taken as 200 steps");
    static final Setting<Integer> MEMORY = Setting.number(
            "condition.memoryLimitBytes", (int) E.bytes(), 64, 1 << 30, "that one expression may produce");
    static final Setting<Integer> FUNCTIONS = Setting.number(
            "condition.maxRecursionDepth",
            E.functionDepth(),
            0,
            64,
            "of functions inside functions, in one expression");

    private static final String COUNTED =
            "expressions are bounded by steps, which end the same way on every machine: condition.maxStatements";
    private static final String LANGUAGE =
            "what a published definition means can't depend on how a server is set up: the language is the one of docs/expressions.md";
    private static final String LEASED = "shards are leased in the database, and each commit checks the lease";

    static final List<Setting<String>> FIXED = List.of(
            Setting.only("condition.scriptTimeout", "", COUNTED),
            Setting.only("template.renderTimeout", "", COUNTED),
            Setting.only("template.nullValueReplacement", "", LANGUAGE),
            Setting.only("template.strictMode", "true", LANGUAGE),
            Setting.only("template.enableLoops", "true", LANGUAGE),
            Setting.only("template.enableFunctions", "true", LANGUAGE),
            Setting.only("engine.distributedLocking", "false", LEASED),
            Setting.only("engine.redisConnectionString", "", LEASED),
            Setting.only(
                    "trigger.schedulerProvider",
                    "built-in",
                    "schedules are rows of the database that the owner of their shard fires, so that each tick is one run"),
            Setting.only(
                    "auth.validateDownstreamPermissions",
                    "false",
                    "whoever is called checks what its caller may; nobody can be asked before"));

    private OptionSettings() {}

    /** In the order of the documentation. */
    static List<Setting<?>> all() {
        List<Setting<?>> all = new ArrayList<>(
                List.of(DRAFTS, REGISTER, SCHEMAS, SNAPSHOT, KEYS, OVERFLOW, STATEMENTS, MEMORY, FUNCTIONS));
        all.addAll(FIXED);
        return all;
    }

    static CatalogConfig catalog(Sources sources) throws ConfigException {
        return new CatalogConfig(sources.value(DRAFTS), sources.value(REGISTER), sources.value(SCHEMAS));
    }

    static ContextDefaults context(Sources sources) throws ConfigException {
        return new ContextDefaults(sources.value(SNAPSHOT), sources.value(KEYS), sources.value(OVERFLOW));
    }

    static ExpressionBudget expressions(Sources sources) throws ConfigException {
        return new ExpressionBudget(
                E.sourceChars(),
                E.sourceDepth(),
                sources.value(FUNCTIONS),
                (long) sources.value(STATEMENTS) * ExpressionBudget.STEPS_PER_STATEMENT,
                sources.value(MEMORY),
                E.valueDepth(),
                E.templateSteps(),
                E.templateBytes());
    }

    /** Refuses what could have no effect. */
    static void check(Sources sources) throws ConfigException {
        for (Setting<String> fixed : FIXED) {
            String _ = sources.value(fixed);
        }
    }
}
