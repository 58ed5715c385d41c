package dev.flowstone.dialect.dag;

import dev.flowstone.dialect.dag.DagCompilation.Compiled;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the tests of this dialect share. */
final class Dags {
    /** The built-in ones, and the connectors' that the specification's examples name. */
    static final ActionCatalog ACTIONS = ActionCatalog.of(List.of(
            "confluence.create-page",
            "core.echo",
            "core.transform",
            "core.fail",
            "core.http",
            "core.sometimes-fails",
            "core.template.render",
            "monday.get-items",
            "slack.post-message"));

    static final DagDialect DIALECT = new DagDialect(new ScriptExpressions());

    /** The repository, wherever the tests are started from. */
    static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("../..");

    private static final Path EXAMPLES = ROOT.resolve("examples/dag");

    private Dags() {}

    static DagCompilation compile(String source) {
        return compile(source, DagOptions.DEFAULT);
    }

    static DagCompilation compile(String source, DagOptions options) {
        return DIALECT.compile(source.getBytes(StandardCharsets.UTF_8), options, ACTIONS);
    }

    static Program program(String source) {
        return program(source, DagOptions.DEFAULT);
    }

    static Program program(String source, DagOptions options) {
        if (compile(source, options) instanceof Compiled compiled) {
            return compiled.program();
        }
        throw new AssertionError("refused: " + compile(source, options).faults());
    }

    /** {@code line CODE pointer}, one for each fault. */
    static List<String> brief(List<Fault> faults) {
        return faults.stream()
                .map(fault -> fault.line() + " " + fault.code() + " " + fault.pointer())
                .toList();
    }

    /** A workflow {@code w} that starts at {@code a}, with these nodes. */
    static String workflow(String... nodes) {
        return "{\"id\":\"w\",\"displayName\":\"W\",\"startNode\":\"a\",\"nodes\":[" + String.join(",", nodes) + "]}";
    }

    /** A {@code core.echo} node with these edges, written as {@code b} or {@code b:failure} or {@code b:success:cond}. */
    static String node(String id, String... edges) {
        StringBuilder out = new StringBuilder("{\"id\":\"" + id + "\",\"actionType\":\"core.echo\",\"edges\":[");
        for (int i = 0; i < edges.length; i++) {
            List<String> parts = List.of(edges[i].split(":", 3));
            out.append(i == 0 ? "" : ",")
                    .append("{\"targetNode\":\"")
                    .append(parts.getFirst())
                    .append('"');
            if (parts.size() > 1) {
                out.append(",\"when\":\"").append(parts.get(1)).append('"');
            }
            if (parts.size() > 2) {
                out.append(",\"condition\":\"").append(parts.get(2)).append('"');
            }
            out.append('}');
        }
        return out.append("]}").toString();
    }

    /** A file beside the tests. */
    static byte[] resource(String name) throws IOException {
        try (InputStream stream = Dags.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException("no resource " + name);
            }
            return stream.readAllBytes();
        }
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    static String example(String name) throws IOException {
        return Files.readString(EXAMPLES.resolve(name));
    }
}
