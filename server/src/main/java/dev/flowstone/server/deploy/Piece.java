package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.TriggerFile;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** One thing that a folder deploys; its name is its own among those of its kind. */
public sealed interface Piece {
    Path file();

    String name();

    Kind kind();

    /** The kinds, in the order in which they are made. */
    enum Kind {
        SET,
        TEMPLATE,
        WORKFLOW,
        TRIGGER;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A definition.
     *
     * @param checksum as a server has it of a version
     * @param calls the workflows that it calls
     */
    record Workflow(Path file, String name, JsonObject definition, Sha256 checksum, Set<String> calls)
            implements Piece {
        public Workflow {
            requireNonNull(file);
            requireNonNull(name);
            requireNonNull(definition);
            requireNonNull(checksum);
            calls = Set.copyOf(calls);
        }

        @Override
        public Kind kind() {
            return Kind.WORKFLOW;
        }
    }

    /**
     * A trigger.
     *
     * @param said what the file says, with the names of secrets
     * @param form what is meant, with the secrets themselves
     */
    record Trigger(Path file, String name, JsonObject said, TriggerFile form) implements Piece {
        public Trigger {
            requireNonNull(file);
            requireNonNull(name);
            requireNonNull(said);
            requireNonNull(form);
        }

        @Override
        public Kind kind() {
            return Kind.TRIGGER;
        }

        /** Without its secrets. */
        @Override
        public String toString() {
            return "trigger " + name + " of " + file;
        }
    }

    /**
     * A set of document templates.
     *
     * @param said what it is to say
     * @param hides whether it may hide one of every tenant's
     */
    record TemplateSet(Path file, String name, JsonObject said, String checksum, boolean hides) implements Piece {
        public TemplateSet {
            requireNonNull(file);
            requireNonNull(name);
            requireNonNull(said);
            requireNonNull(checksum);
        }

        @Override
        public Kind kind() {
            return Kind.SET;
        }
    }

    /**
     * A document template.
     *
     * @param said what its newest version is to say
     */
    record Template(Path file, String set, String id, JsonObject said, String checksum) implements Piece {
        public Template {
            requireNonNull(file);
            requireNonNull(set);
            requireNonNull(id);
            requireNonNull(said);
            requireNonNull(checksum);
        }

        /** {@code SET/ID}. */
        @Override
        public String name() {
            return set + "/" + id;
        }

        @Override
        public Kind kind() {
            return Kind.TEMPLATE;
        }
    }
}
