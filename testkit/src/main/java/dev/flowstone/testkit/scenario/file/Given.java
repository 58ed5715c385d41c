package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.program.Handlers;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import dev.flowstone.testkit.scenario.step.PublishPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a scenario begins with.
 *
 * @param input what the workflow sees as {@code trigger}
 * @param spec the input's second part
 * @param handlers stubs by action, or by {@link #NODE} and a node's name, which goes before
 * @param now when the run starts
 * @param seed of everything that is random
 * @param versions later ones of the tested workflow, from 2 on
 * @param workflows that are published beside, by their own names; one whose name came before is its next version
 * @param policies that are published, in their first version
 * @param subject what the run is about
 */
public record Given(
        JsonValue input,
        JsonValue spec,
        Map<String, Stub> handlers,
        Instant now,
        long seed,
        List<Program> versions,
        List<Program> workflows,
        Map<PolicyName, JsonObject> policies,
        Optional<GivenSubject> subject) {
    /** What stands before a node's name. */
    public static final String NODE = "node:";

    static final Given NOTHING = new Given(
            JsonObject.EMPTY,
            JsonObject.EMPTY,
            Map.of(),
            Instant.parse("2026-01-01T00:00:00Z"),
            1,
            List.of(),
            List.of(),
            Map.of(),
            Optional.empty());

    private static final List<String> KEYS =
            List.of("input", "spec", "handlers", "now", "seed", "versions", "workflows", "policies", "subject");

    public Given {
        requireNonNull(input);
        requireNonNull(spec);
        handlers = Collections.unmodifiableMap(new LinkedHashMap<>(handlers));
        requireNonNull(now);
        versions = List.copyOf(versions);
        workflows = List.copyOf(workflows);
        policies = Map.copyOf(policies);
        requireNonNull(subject);
    }

    /** The stub for an action at a node. */
    public Optional<Stub> stub(String action, String node) {
        return Optional.ofNullable(handlers.get(NODE + node)).or(() -> Optional.ofNullable(handlers.get(action)));
    }

    /** Whether an action of these programs works in a transaction, by the stubs there are for it. */
    public boolean isTransactional(HandlerName action, Collection<Program> programs) {
        return handlers.entrySet().stream()
                .filter(entry -> entry.getValue().transactional())
                .map(Map.Entry::getKey)
                .anyMatch(name -> name.equals(action.value())
                        || (name.startsWith(NODE)
                                && programs.stream()
                                        .anyMatch(it -> Handlers.at(it, name.substring(NODE.length()))
                                                .contains(action))));
    }

    /** Reads it over what the file gives to all of its scenarios; stubs and policies go by name, everything else as a whole. */
    static Given read(Cursor value, Given all, DefinitionLoader definitions) {
        Members members = value.members(KEYS);
        Map<String, Stub> handlers = new LinkedHashMap<>(all.handlers());
        members.find("handlers")
                .ifPresent(stubs -> stubs.anyMembers()
                        .all()
                        .forEach((name, stub) -> StubReader.read(stub).ifPresent(it -> handlers.put(name, it))));
        Map<PolicyName, JsonObject> policies = new HashMap<>(all.policies());
        members.find("policies")
                .ifPresent(bundles -> bundles.anyMembers()
                        .all()
                        .forEach((text, bundle) -> PublishPolicy.name(bundle, text)
                                .ifPresent(
                                        name -> PublishPolicy.bundle(bundle).ifPresent(it -> policies.put(name, it)))));
        Optional<List<Program>> workflows = members.find("workflows").map(it -> workflows(it, definitions));
        Optional<List<Program>> versions = members.find("versions").map(it -> versions(it, definitions));
        return new Given(
                members.find("input").map(Cursor::value).orElse(all.input()),
                members.find("spec").map(Cursor::value).orElse(all.spec()),
                handlers,
                members.find("now").flatMap(Cursor::instant).orElse(all.now()),
                members.find("seed").flatMap(Cursor::whole).orElse(all.seed()),
                versions.orElse(all.versions()),
                workflows.orElse(all.workflows()),
                policies,
                members.find("subject").flatMap(GivenSubject::read).or(all::subject));
    }

    private static List<Program> versions(Cursor value, DefinitionLoader definitions) {
        List<Program> programs = new ArrayList<>();
        for (Cursor item : value.items()) {
            definitions.beside(item).map(DefinitionLoader.Loaded::program).ifPresent(program -> {
                programs.add(program);
                definitions
                        .tested()
                        .filter(tested -> !tested.equals(program.workflow()))
                        .ifPresent(tested -> item.fault("a version is one of the workflow under test, '" + tested
                                + "', not of '" + program.workflow() + "'"));
            });
        }
        return programs;
    }

    /** One whose name came before is its next version. */
    private static List<Program> workflows(Cursor value, DefinitionLoader definitions) {
        List<Program> programs = new ArrayList<>();
        for (Cursor item : value.items()) {
            definitions.beside(item).map(DefinitionLoader.Loaded::program).ifPresent(programs::add);
        }
        return programs;
    }
}
