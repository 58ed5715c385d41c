package dev.flowstone.server.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;

/** Every command, in the order in which help shows them. */
enum Commands {
    RUN(RunCommand::new),
    SERVE(ServeCommand::new),
    VALIDATE(ValidateCommand::new),
    GRAPH(GraphCommand::new),
    INIT(InitCommand::new),
    RUNS(RunsCommand::new),
    SHOW(ShowCommand::new),
    VERIFY(VerifyCommand::new),
    BENCH(BenchCommand::new),
    CHECK(CheckCommand::new);

    private final Function<Terminal, Object> factory;

    Commands(Function<Terminal, Object> factory) {
        this.factory = factory;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    Object create(Terminal terminal) {
        return factory.apply(terminal);
    }

    /** Whether these arguments name this command, or none at all, so that every one must be known. */
    boolean isMeantBy(String... args) {
        boolean namesOne = args.length > 0 && Arrays.stream(values()).anyMatch(it -> it.word().equals(args[0]));
        return !namesOne || word().equals(args[0]);
    }
}
