package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.check.Expectation;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Faults;
import dev.flowstone.testkit.scenario.source.FileFault;
import dev.flowstone.testkit.scenario.source.Members;
import dev.flowstone.testkit.scenario.source.SourceException;
import dev.flowstone.testkit.scenario.source.Sources;
import dev.flowstone.testkit.scenario.step.StepKind;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads scenario files. Finds every fault of a file and of its definition in one go; never throws at what is in them. */
public final class ScenarioReader {
    private static final List<String> FILE = List.of("definition", "program", "settings", "given", "scenarios");
    private static final List<String> SCENARIO = List.of("name", "given", "when", "then");
    private static final int LONGEST_NAME = 300;

    private final Compilers compilers;

    public ScenarioReader(Compilers compilers) {
        this.compilers = requireNonNull(compilers);
    }

    public ReadFile read(Path path) {
        try {
            return read(path, Sources.bytes(path));
        } catch (NoSuchFileException e) {
            return faulty(path, "there is no such file");
        } catch (IOException e) {
            return faulty(path, "can't be read: " + e.getMessage());
        }
    }

    /** A file whose bytes are these. */
    public ReadFile read(Path path, byte[] bytes) {
        JsonParser.Located document;
        try {
            document = Sources.read(path.toString(), bytes);
        } catch (SourceException e) {
            return new ReadFile.Faulty(
                    path, List.of(new FileFault(path, e.line(), e.column(), "", String.valueOf(e.getMessage()))));
        }
        Faults faults = new Faults(path, document);
        Optional<ScenarioFile> file = file(path, new Cursor(faults, "", document.value()));
        return faults.isEmpty() && file.isPresent()
                ? new ReadFile.Sound(file.get())
                : new ReadFile.Faulty(path, faults.sorted());
    }

    private static ReadFile faulty(Path path, String message) {
        return new ReadFile.Faulty(path, List.of(FileFault.ofFile(path, message)));
    }

    private Optional<ScenarioFile> file(Path path, Cursor root) {
        Members members = root.members(FILE);
        StubNames stubs = new StubNames(members);
        DefinitionLoader definitions = new DefinitionLoader(compilers, path, members.find("settings"), stubs.actions());
        Optional<DefinitionLoader.Loaded> loaded = tested(members, definitions);
        loaded.ifPresent(it -> definitions.tests(it.program().workflow()));
        Given all = members.find("given")
                .map(it -> Given.read(it, Given.NOTHING, definitions))
                .orElse(Given.NOTHING);
        List<Scenario> scenarios = members.need("scenarios")
                .map(it -> scenarios(it, all, definitions))
                .orElse(List.of());
        loaded.ifPresent(it -> {
            Set<Program> programs = new LinkedHashSet<>(List.of(it.program()));
            scenarios.forEach(scenario -> {
                programs.addAll(scenario.given().versions());
                programs.addAll(scenario.given().workflows());
            });
            stubs.check(programs);
        });
        return loaded.map(it -> new ScenarioFile(path, it.name(), it.program(), scenarios));
    }

    private static Optional<DefinitionLoader.Loaded> tested(Members members, DefinitionLoader definitions) {
        Optional<Cursor> program = members.find(DefinitionLoader.PROGRAM);
        if (program.isEmpty()) {
            return members.need("definition").flatMap(definitions::load);
        }
        members.find("definition").ifPresent(it -> it.fault("a file tests a definition or a program, not both"));
        return program.flatMap(definitions::program);
    }

    private static List<Scenario> scenarios(Cursor value, Given all, DefinitionLoader definitions) {
        List<Scenario> scenarios = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<Cursor> items = value.items();
        for (Cursor item : items) {
            scenario(item, all, names, definitions).ifPresent(scenarios::add);
        }
        if (items.isEmpty() && value.value() instanceof JsonArray) {
            value.fault("there is no scenario here");
        }
        return scenarios;
    }

    private static Optional<Scenario> scenario(
            Cursor item, Given all, Set<String> names, DefinitionLoader definitions) {
        Members members = item.members(SCENARIO);
        Optional<String> name = members.need("name").flatMap(it -> name(it, names));
        Given given = members.find("given")
                .map(it -> Given.read(it, all, definitions))
                .orElse(all);
        List<StepKind.Placed> when = members.find("when").map(StepKind::readAll).orElse(List.of());
        Optional<Expectation> then = members.need("then")
                .map(it -> Expectation.read("then", it).orStatus("then.status", it.line(), "succeeded"));
        return name.isPresent() && then.isPresent()
                ? Optional.of(new Scenario(name.get(), item.line(), given, when, then.get()))
                : Optional.empty();
    }

    private static Optional<String> name(Cursor value, Set<String> names) {
        Optional<String> name = value.text();
        if (name.isPresent() && (name.get().isBlank() || name.get().length() > LONGEST_NAME)) {
            value.fault("a scenario's name has 1 to " + LONGEST_NAME + " characters");
        }
        if (name.isPresent() && !names.add(name.get())) {
            value.fault("two scenarios of this file are named '" + name.get() + "'");
        }
        return name;
    }
}
