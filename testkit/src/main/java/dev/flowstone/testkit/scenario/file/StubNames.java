package dev.flowstone.testkit.scenario.file;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.program.Handlers;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a file names under {@code handlers}, whether or not its answers can be read: so that one bad answer
 * doesn't make an action unknown as well.
 */
final class StubNames {
    private final List<Cursor> stubs = new ArrayList<>();

    StubNames(Members file) {
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
            Members handlers = given.anyMembers().find("handlers").orElseThrow().anyMembers();
            stubs.addAll(handlers.all().values());
        }
    }

    /** Actions that are stubbed by their own name. */
    Set<String> actions() {
        Set<String> actions = new TreeSet<>();
        stubs.stream()
                .map(Cursor::name)
                .filter(name -> !name.startsWith(Given.NODE))
                .forEach(actions::add);
        return actions;
    }

    /** Every stub is for something that a definition has: any other would never be asked, whatever was meant by it. */
    void check(Collection<Program> programs) {
        Set<String> actions = new TreeSet<>();
        Set<String> nodes = new TreeSet<>();
        for (Program program : programs) {
            Handlers.of(program).forEach(handler -> actions.add(handler.value()));
            Handlers.callers(program).forEach(node -> nodes.add(Given.NODE + node.value()));
        }
        Map<String, Cursor> first = new HashMap<>();
        for (Cursor stub : stubs) {
            check(stub, actions, nodes);
            called(stub.name(), programs).forEach(action -> alike(action, first.putIfAbsent(action, stub), stub));
        }
    }

    /** The actions that a stub answers for. */
    private static Set<String> called(String stub, Collection<Program> programs) {
        if (!stub.startsWith(Given.NODE)) {
            return Set.of(stub);
        }
        Set<String> actions = new TreeSet<>();
        for (Program program : programs) {
            Handlers.at(program, stub.substring(Given.NODE.length())).forEach(it -> actions.add(it.value()));
        }
        return actions;
    }

    /** An action works in a transaction wherever it is called, or nowhere, as where workflows are run. */
    private static void alike(String action, @Nullable Cursor first, Cursor stub) {
        if (first != null && StubReader.isTransactional(first.value()) != StubReader.isTransactional(stub.value())) {
            stub.faults()
                    .atName(
                            stub.pointer(),
                            "'" + action + "' works in a transaction or it doesn't: the stub in line " + first.line()
                                    + (StubReader.isTransactional(first.value()) ? " says" : " doesn't say")
                                    + " 'transaction'");
        }
    }

    private static void check(Cursor stub, Collection<String> actions, Collection<String> nodes) {
        String name = stub.name();
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
