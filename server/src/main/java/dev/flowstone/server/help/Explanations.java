package dev.flowstone.server.help;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Every code that is explained, in the order of the pages. Read when it is first asked for: a start needs none of it. A code of several
 * groups, such as a fault that an expression has, too, has an explanation in each.
 */
public final class Explanations {
    private static final Pattern OF_HTTP = Pattern.compile("HTTP_[1-9][0-9]{2}");
    private static final String FAMILY_OF_HTTP = "HTTP_nnn";

    private final List<Explanation> all;

    private Explanations(List<Explanation> all) {
        this.all = List.copyOf(all);
    }

    /** Those of this release. */
    public static Explanations known() {
        return Holder.KNOWN;
    }

    private static final class Holder {
        private static final Explanations KNOWN = read();
    }

    private static Explanations read() {
        List<Explanation> all = new ArrayList<>();
        all.addAll(Sections.of(page("errors.md"), "### "));
        all.addAll(FaultTable.of(page("dag.md"), "Faults of JSON DAGs"));
        all.addAll(FaultTable.of(page("states.md"), "Faults of states"));
        all.addAll(Sections.of(page("lints.md"), "## "));
        return new Explanations(all);
    }

    public List<Explanation> all() {
        return all;
    }

    /** What is said of this code; nothing if there is no such code. Case counts. */
    public List<Explanation> of(String code) {
        String listed = OF_HTTP.matcher(code).matches() ? FAMILY_OF_HTTP : code;
        return all.stream().filter(it -> it.code().equals(listed)).toList();
    }

    /** The code that a wrong one is most likely meant for. */
    public Optional<String> nearest(String wrong) {
        return new Nearest().to(wrong, all.stream().map(Explanation::code).toList());
    }

    private static String page(String name) {
        try (InputStream in = Explanations.class.getResourceAsStream(name)) {
            return new String(requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " can't be read", e);
        }
    }
}
