package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import java.util.Set;
import java.util.TreeSet;

/** Signals without correlation, and triggers that fire themselves. */
final class SignalLints {
    private final Source source;
    private final Faults faults;
    private final Set<String> sent = new TreeSet<>();

    SignalLints(Source source, Faults faults) {
        this.source = source;
        this.faults = faults;
    }

    void run() {
        for (StateDef state : source.states()) {
            state.at().object("wait").ifPresent(this::correlated);
            state.at().object("recheck").ifPresent(this::correlated);
            state.at().object("send").ifPresent(this::send);
            Steps.of(state).forEach(step -> step.object("send").ifPresent(this::send));
        }
        source.workflow().list("triggers").forEach(this::trigger);
    }

    private void send(At send) {
        sent.add(send.text("signal").orElse(""));
        if (!send.flag("broadcast", false)) {
            correlated(send);
        }
    }

    private void correlated(At signal) {
        if (!signal.text("key").orElse("").contains("{{")) {
            faults.add(
                    Lint.NO_CORRELATION,
                    signal.pointer(),
                    "the key of signal " + Quoted.text(signal.text("signal").orElse("")) + " is the same in every run,"
                            + " so that any run may take what is meant for another",
                    "add \"key\" with what tells runs apart, such as \"{{ trigger.orderId }}\"");
        }
    }

    private void trigger(At trigger) {
        if (trigger.has("guard")) {
            return;
        }
        String event = trigger.text("event").orElse("");
        boolean internal = trigger.text("source").orElse("").equals("internal");
        boolean own = trigger.text("workflow").filter(source.id()::equals).isPresent();
        boolean fires = internal ? own : sent.contains(event);
        if (fires) {
            faults.add(
                    Lint.SELF_TRIGGER,
                    trigger.pointer(),
                    "trigger " + Quoted.text(trigger.text("id").orElse("")) + " listens to " + Quoted.text(event)
                            + ", which this workflow's own runs can cause",
                    "add \"guard\", or name another \"workflow\"");
        }
    }
}
