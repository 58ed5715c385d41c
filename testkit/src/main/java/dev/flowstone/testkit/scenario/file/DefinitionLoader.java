package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.testkit.scenario.program.ProgramForm;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.FileFault;
import dev.flowstone.testkit.scenario.source.Sources;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The definitions that a file tests and those beside: from other files, inline, or programs in short form. Their faults are
 * told where their text stands.
 */
final class DefinitionLoader {
    /** What a program in short form stands under. */
    static final String PROGRAM = "program";

    private final Path file;
    private final Optional<DefinitionCompiler> compiler;
    private Optional<WorkflowId> tested = Optional.empty();

    /** Settings that no dialect knows are a fault, told once, and nothing compiles then. */
    DefinitionLoader(Compilers compilers, Path file, Optional<Cursor> settings, Set<String> actions) {
        this.file = requireNonNull(file);
        this.compiler = compiler(compilers, settings, actions);
    }

    /** The workflow under test, once it is known. */
    Optional<WorkflowId> tested() {
        return tested;
    }

    void tests(WorkflowId workflow) {
        this.tested = Optional.of(workflow);
    }

    /** A definition that compiles, and what reports call it. */
    record Loaded(String name, Program program) {}

    private static Optional<DefinitionCompiler> compiler(
            Compilers compilers, Optional<Cursor> settings, Set<String> actions) {
        try {
            return Optional.of(compilers.compiler(
                    actions, settings.map(DefinitionLoader::settings).orElse(Map.of())));
        } catch (IllegalArgumentException e) {
            settings.ifPresent(it -> it.fault(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    /** A program in short form. */
    Optional<Loaded> program(Cursor program) {
        return ProgramForm.read(program).map(it -> new Loaded(file.toString(), it));
    }

    /** One beside: a file's name, a definition, or {@code {program: …}}. */
    Optional<Loaded> beside(Cursor value) {
        Optional<Cursor> program =
                value.value() instanceof JsonObject ? value.anyMembers().find(PROGRAM) : Optional.empty();
        return program.isPresent() ? program(program.get()) : load(value);
    }

    Optional<Loaded> load(Cursor definition) {
        return compiler.flatMap(it -> load(definition, it));
    }

    private Optional<Loaded> load(Cursor definition, DefinitionCompiler compiler) {
        return switch (definition.value()) {
            case JsonString name -> fromFile(definition, name.value(), compiler);
            case JsonObject inline -> inline(definition, inline, compiler);
            case JsonNumber _, JsonBoolean _, JsonArray _, JsonNull _ -> {
                definition.expected("a file's name, or a whole definition,");
                yield Optional.empty();
            }
        };
    }

    private static Map<String, String> settings(Cursor value) {
        Map<String, String> settings = new LinkedHashMap<>();
        value.anyMembers().all().forEach((name, setting) -> {
            switch (setting.value()) {
                case JsonString text -> settings.put(name, text.value());
                case JsonNumber _, JsonBoolean _ -> settings.put(name, CanonicalJson.exactText(setting.value()));
                case JsonObject _, JsonArray _, JsonNull _ -> setting.expected("a text, a number, true or false");
            }
        });
        return settings;
    }

    private Optional<Loaded> fromFile(Cursor definition, String name, DefinitionCompiler compiler) {
        byte[] bytes;
        Path path;
        try {
            path = file.resolveSibling(name).normalize();
            bytes = Sources.bytes(path);
        } catch (NoSuchFileException e) {
            definition.fault("there is no file " + file.resolveSibling(name).normalize());
            return Optional.empty();
        } catch (IOException | InvalidPathException e) {
            definition.fault("the definition can't be read: " + e.getMessage());
            return Optional.empty();
        }
        return switch (compiler.compile(bytes)) {
            case DefinitionCompiler.Compiled compiled -> loaded(path.toString(), compiled);
            case DefinitionCompiler.Faulty faulty -> {
                for (DefinitionFault fault : faulty.faults()) {
                    definition
                            .faults()
                            .elsewhere(new FileFault(path, fault.line(), fault.column(), fault.pointer(), told(fault)));
                }
                yield Optional.empty();
            }
        };
    }

    private Optional<Loaded> inline(Cursor definition, JsonObject inline, DefinitionCompiler compiler) {
        return switch (compiler.compile(CanonicalJson.exact(inline))) {
            case DefinitionCompiler.Compiled compiled -> loaded(file.toString(), compiled);
            case DefinitionCompiler.Faulty faulty -> {
                faulty.faults()
                        .forEach(fault -> definition.faults().at(definition.pointer() + fault.pointer(), told(fault)));
                yield Optional.empty();
            }
        };
    }

    private static Optional<Loaded> loaded(String name, DefinitionCompiler.Compiled compiled) {
        return Optional.of(new Loaded(name, ProgramCodec.decode(compiled.programBytes())));
    }

    private static String told(DefinitionFault fault) {
        String hint = fault.code().equals("UNKNOWN_ACTION") ? ", or stub it under given.handlers" : "";
        return fault.code() + ": " + fault.message() + "; " + fault.remedy() + hint;
    }
}
