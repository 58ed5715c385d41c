package dev.flowstone.dialect.states;

import dev.flowstone.dialect.action.NamedActions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the tests of this dialect share. Sources are written with single quotes. */
final class Sources {
    static final List<String> ACTIONS = List.of("core.echo", "core.fail");
    static final NamedActions NAMED = NamedActions.of(ACTIONS);
    static final StatesDialect DIALECT = new StatesDialect(new ScriptExpressions());

    /** A step that no lint finds anything about. */
    static final String PURE = "{'action':'core.echo','sideEffects':false}";

    /** People who are asked with a deadline. */
    static final String ASK = "{'assignees':['ann'],'escalation':[{'after':'P1D','resolve':'reject'}]}";

    /** The repository, wherever the tests are started from. */
    static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("../..");

    private Sources() {}

    static StatesCompilation compile(String source) {
        return DIALECT.compile(json(source).getBytes(StandardCharsets.UTF_8), StatesOptions.DEFAULT, ACTIONS);
    }

    static String json(String source) {
        return source.replace('\'', '"');
    }

    static Program program(String source) {
        if (compile(source) instanceof StatesCompilation.Compiled compiled) {
            return compiled.program();
        }
        throw new AssertionError("refused: " + compile(source).faults());
    }

    /** A workflow {@code w} that starts in {@code a}: sections, each with a comma behind it, then states. */
    static String workflow(String sections, String... states) {
        return "{'$schema':'" + StatesDialect.SCHEMA + "','id':'w','name':'W'," + sections + "'start':'a','states':{"
                + String.join(",", states) + "}}";
    }

    static String states(String... states) {
        return workflow("", states);
    }

    /** {@code ID pointer}, one for each fault, in their order. */
    static List<String> brief(List<Fault> faults) {
        return faults.stream().map(it -> it.code().id() + " " + it.pointer()).toList();
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("examples/states"))) {
            return files.filter(it -> it.toString().endsWith(".json")).sorted().toList();
        }
    }
}
