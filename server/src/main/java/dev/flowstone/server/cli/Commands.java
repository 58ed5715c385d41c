package dev.flowstone.server.cli;

import java.util.Arrays;
import java.util.Locale;

/** Every command, in the order in which help shows them. */
enum Commands {
    RUN,
    SERVE,
    VALIDATE,
    TEST,
    APPLY,
    GRAPH,
    EXPLAIN,
    INIT,
    RUNS,
    EXECUTIONS,
    CONTROL,
    WORKFLOWS,
    ACTIONS,
    CONNECTORS,
    TASKS,
    SIGNAL,
    TRIGGERS,
    TEMPLATES,
    DEAD_LETTERS,
    OUTBOX,
    SUBSCRIPTIONS,
    CLUSTER,
    HEALTH,
    STUCK,
    SHOW,
    VERIFY,
    ANCHOR,
    SUSPEND,
    ARCHIVE,
    SCHEDULE,
    BENCH,
    SIMULATE_FAULTS,
    TORTURE,
    COMPLETION,
    CHECK,
    DIST;

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Object create(Terminal terminal) {
        return switch (this) {
            case RUN -> new RunCommand(terminal);
            case SERVE -> new ServeCommand(terminal);
            case VALIDATE -> new ValidateCommand(terminal);
            case TEST -> new TestCommand(terminal);
            case APPLY -> new ApplyCommand(terminal);
            case GRAPH -> new GraphCommand(terminal);
            case EXPLAIN -> new ExplainCommand(terminal);
            case INIT -> new InitCommand(terminal);
            case RUNS -> new RunsCommand(terminal);
            case EXECUTIONS -> new ExecutionsCommand();
            case CONTROL -> new ControlCommand();
            case WORKFLOWS -> new WorkflowsCommand();
            case ACTIONS -> new ActionsCommand();
            case CONNECTORS -> new ConnectorsCommand();
            case TASKS -> new TasksCommand();
            case SIGNAL -> new SignalCommand();
            case TRIGGERS -> new TriggersCommand();
            case TEMPLATES -> new TemplatesCommand();
            case DEAD_LETTERS -> new DeadLettersCommand();
            case OUTBOX -> new OutboxCommand();
            case SUBSCRIPTIONS -> new SubscriptionsCommand();
            case CLUSTER -> new ClusterCommand(terminal);
            case HEALTH -> new HealthCommand(terminal);
            case STUCK -> new StuckCommand();
            case SHOW -> new ShowCommand(terminal);
            case VERIFY -> new VerifyCommand(terminal);
            case ANCHOR -> new AnchorCommand(terminal);
            case SUSPEND -> new SuspendCommand(terminal);
            case ARCHIVE -> new ArchiveCommand(terminal);
            case SCHEDULE -> new ScheduleCommand(terminal);
            case BENCH -> new BenchCommand(terminal);
            case SIMULATE_FAULTS -> new SimulateFaultsCommand(terminal);
            case TORTURE -> new TortureCommand(terminal);
            case COMPLETION -> new CompletionCommand(terminal);
            case CHECK -> new CheckCommand();
            case DIST -> new DistCommand();
        };
    }

    /** Whether these arguments name this command, or none at all, so that every one must be known. */
    boolean isMeantBy(String... args) {
        boolean namesOne = args.length > 0
                && Arrays.stream(values()).anyMatch(it -> it.word().equals(args[0]));
        return !namesOne || word().equals(args[0]);
    }
}
