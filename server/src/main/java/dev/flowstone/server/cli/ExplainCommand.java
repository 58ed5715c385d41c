package dev.flowstone.server.cli;

import dev.flowstone.server.help.Explanation;
import dev.flowstone.server.help.Explanations;
import dev.flowstone.server.help.HelpText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code explain}: what a code means, from the page that is in this program. Asks no server. */
@Command(
        name = "explain",
        header = "Say what an error's code means, and what to do.",
        description = {
            "Codes of refused calls, of runs, nodes and attempts that failed, of incidents, of expressions, and of what is wrong"
                    + " with a definition (faults and lints).%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone explain WFENG002",
            "  flowstone explain HANDLER_THREW",
            "  flowstone explain LINT-DEADLOCK",
            "  flowstone explain",
            "",
            "Exit codes: 0 explained, 2 there is no such code."
        })
final class ExplainCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "CODE", description = "The code; without one, all are listed.")
    private @Nullable String code;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The call that explains this code; nothing if this program can't, as for one that an action of others made up. */
    static Optional<String> of(String code) {
        return Explanations.known().of(code).isEmpty()
                ? Optional.empty()
                : Optional.of(Hints.COMMAND + " explain " + code);
    }

    @Override
    public Integer call() throws UsageException {
        if (code == null) {
            list();
        } else {
            explain(code);
        }
        return Exit.SUCCEEDED;
    }

    private void explain(String asked) throws UsageException {
        String meant = Explanations.known().of(asked).isEmpty() ? asked.toUpperCase(Locale.ROOT) : asked;
        List<Explanation> said = Explanations.known().of(meant);
        if (said.isEmpty()) {
            throw new UsageException("no code is called '" + asked + "'; "
                    + Explanations.known()
                            .nearest(asked)
                            .map(near -> "did you mean '" + near + "'?")
                            .orElse("`" + Hints.COMMAND + " explain` lists them all"));
        }
        for (int i = 0; i < said.size(); i++) {
            if (i > 0) {
                terminal.out().println();
            }
            Explanation each = said.get(i);
            terminal.out().println(terminal.bold(meant) + terminal.dim("   " + each.group()));
            terminal.out().println();
            terminal.out().println(HelpText.plain(each.text()));
        }
    }

    private void list() {
        List<Explanation> all = Explanations.known().all();
        int width = all.stream().mapToInt(it -> it.code().length()).max().orElse(0);
        String group = "";
        for (Explanation each : all) {
            if (!each.group().equals(group)) {
                if (!group.isEmpty()) {
                    terminal.out().println();
                }
                group = each.group();
                terminal.out().println(terminal.bold(group));
            }
            terminal.out()
                    .println("  " + each.code() + " ".repeat(width - each.code().length()) + "  " + each.brief());
        }
    }
}
