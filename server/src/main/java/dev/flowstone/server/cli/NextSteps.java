package dev.flowstone.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What whoever has watched a run may do next.
 *
 * @param steps commands without the program and with {@code RUN} for the run, by what they are for
 */
record NextSteps(Map<String, String> steps) {
    NextSteps {
        steps = new LinkedHashMap<>(steps);
    }

    /** @param again the options that name the same database in another call */
    static NextSteps ofDatabase(String again) {
        Map<String, String> steps = new LinkedHashMap<>();
        steps.put("Look at it again", "show RUN" + again);
        steps.put("Draw what it did", "graph RUN" + again + " --output run.svg");
        steps.put("Check its chain", "verify RUN" + again);
        return new NextSteps(steps);
    }

    /** @param again the options that name the same server in another call */
    static NextSteps ofServer(String again) {
        return new NextSteps(Map.of("Look at it again", "executions events RUN" + again));
    }

    void print(Terminal terminal, String run) {
        steps.forEach((what, words) -> terminal.out()
                .println(terminal.dim(what + " ".repeat(Math.max(1, 19 - what.length()))) + Hints.COMMAND + " "
                        + words.replace("RUN", run)));
    }
}
