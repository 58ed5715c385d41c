package dev.flowstone.testkit.scenario.file;

import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** Every stub is for something that the definition has: one that isn't would never be asked, whatever was meant by it. */
final class StubCheck {
    private final Set<String> actions = new TreeSet<>();
    private final Set<String> nodes = new TreeSet<>();

    StubCheck(Program program) {
        for (Node node : program.nodes()) {
            if (node instanceof Node.Task task) {
                actions.add(task.handler().value());
                nodes.add(Given.NODE + task.id().value());
            }
        }
    }

    void check(Members file) {
        file.find("given").ifPresent(this::given);
        file.find("scenarios").filter(it -> it.value() instanceof JsonArray).ifPresent(scenarios -> {
            for (Cursor scenario : scenarios.items()) {
                if (scenario.value() instanceof JsonObject) {
                    scenario.anyMembers().find("given").ifPresent(this::given);
                }
            }
        });
    }

    private void given(Cursor given) {
        if (given.value() instanceof JsonObject object && object.get("handlers") instanceof JsonObject) {
            given.anyMembers()
                    .find("handlers")
                    .ifPresent(stubs -> stubs.anyMembers().all().forEach(this::stub));
        }
    }

    private void stub(String name, Cursor stub) {
        boolean ofNode = name.startsWith(Given.NODE);
        Collection<String> known = ofNode ? nodes : actions;
        if (!known.contains(name)) {
            String what = ofNode
                    ? "the definition has no node '" + name.substring(Given.NODE.length()) + "' that calls an action"
                    : "no node of the definition calls '" + name + "'";
            stub.faults().atName(stub.pointer(), what + stub.faults().meant(name, known));
        }
    }
}
