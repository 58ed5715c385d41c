package dev.flowstone.testkit.scenario.step;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.List;
import java.util.Optional;

/** A whole scope is suspended, drained or let go: the workflow of the run, its tenant or the system (R25). */
record HoldScope(Scope scope, Actor by, Setting setting) implements Step {
    HoldScope {
        requireNonNull(scope);
        requireNonNull(by);
        requireNonNull(setting);
    }

    /** How much is held. */
    enum Scope {
        WORKFLOW,
        TENANT,
        SYSTEM
    }

    /** What is set, worked out when its time has come. */
    @FunctionalInterface
    interface Setting {
        SettingRequest of(SettingScope scope, Observed run, Actor by);
    }

    /** The step if {@code scope} says something wider than the run; empty if it says the run, or nothing. */
    static Optional<Step> of(Members at, Setting setting) {
        Optional<Cursor> said = at.find("scope");
        Optional<String> word = said.flatMap(it -> it.word(List.of("run", "workflow", "tenant", "system")));
        if (word.isEmpty() || word.get().equals("run")) {
            return Optional.empty();
        }
        // Nobody refuses a setting, it belongs to no one run, and a repetition is a setting of its own.
        for (String of : List.of("child", "refused", "once")) {
            at.find(of).ifPresent(it -> it.fault("only for the scope run"));
        }
        Scope scope = switch (word.get()) {
            case "workflow" -> Scope.WORKFLOW;
            case "tenant" -> Scope.TENANT;
            default -> Scope.SYSTEM;
        };
        return Optional.of(new HoldScope(scope, Ask.by(at), setting));
    }

    @Override
    public void perform(Stage stage) throws StepException {
        Observed run = stage.observed(List.of());
        SettingScope held = switch (scope) {
            case WORKFLOW ->
                new SettingScope.Workflow(stage.tenant(), run.program().workflow());
            case TENANT -> new SettingScope.Tenant(stage.tenant());
            case SYSTEM -> new SettingScope.Everything();
        };
        stage.hold(setting.of(held, run, by));
    }
}
