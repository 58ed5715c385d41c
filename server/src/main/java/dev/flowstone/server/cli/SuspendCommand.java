package dev.flowstone.server.cli;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.ControlAccess;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code suspend}: nothing of a database goes on, from before its first server on. */
@Command(
        name = "suspend",
        header = "Suspend all runs of a database, before a server works on it.",
        description = {
            "For a database that was restored: servers read this before they touch its first run, and decide, call and send",
            "nothing until it is taken back, as a whole or by tenant and workflow: control resume. A server that is there",
            "already is told the same by control suspend system.%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone suspend --db jdbc:postgresql://localhost/flowstone --reason restored",
            "  flowstone control resume workflow --workflow orders --reason looked",
            "  flowstone control resume system --reason looked",
            "",
            Exit.HELP
        })
final class SuspendCommand implements Callable<Integer> {
    /** Whoever runs the installation, as a server calls its callers who say no name. */
    private static final Actor OPERATOR = new Actor("user", "system");

    private static final int LONGEST = 4_000;

    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; it is kept with the setting.")
    private String reason = "";

    @Option(
            names = "--timers",
            paramLabel = "RULE",
            defaultValue = "freeze",
            description = "What waiting times do meanwhile: freeze or catch_up (default: ${DEFAULT-VALUE}).")
    private String timers = "freeze";

    SuspendCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        HoldPolicy policy = new HoldPolicy(rule(), HoldPolicy.DEFAULT.input());
        if (reason.isBlank() || reason.length() > LONGEST) {
            throw new UsageException("--reason takes 1 to " + LONGEST + " characters");
        }
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ControlAccess access = stop.opening(() -> ControlAccess.open(config));
            List<ScopeSetting> made = access.suspend(policy, reason, OPERATOR);
            terminal.out()
                    .println("suspended all runs of " + config.database() + " (setting "
                            + made.getLast().number() + "); flowstone control resume lets them go on");
            for (ScopeSetting own : made.subList(0, made.size() - 1)) {
                terminal.out()
                        .println("  and by itself, to be resumed by itself: tenant "
                                + own.scope().tenantId().map(TenantId::value).orElse("")
                                + own.scope()
                                        .workflowId()
                                        .map(id -> ", workflow " + id.value())
                                        .orElse(""));
            }
            return Exit.SUCCEEDED;
        }
    }

    private HoldPolicy.TimerRule rule() throws UsageException {
        return Arrays.stream(HoldPolicy.TimerRule.values())
                .filter(rule -> rule.name().toLowerCase(Locale.ROOT).equals(timers))
                .findFirst()
                .orElseThrow(() -> new UsageException("--timers is freeze or catch_up, not '" + timers + "'"));
    }
}
