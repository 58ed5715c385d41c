package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the run decides on beyond its input and results: its subject, its variables. A part of a {@link Draft}, under the same rules. */
public final class DraftData {
    /** What the run was bound to at its start; of its versions only the first. */
    @Nullable
    SubjectBinding subject;

    @Nullable
    Long subjectVersion;

    SortedTree<String, Variable> variables = SortedTree.empty();

    long variableBytes;

    DraftData() {}

    DraftData(DraftData other) {
        this.subject = other.subject;
        this.subjectVersion = other.subjectVersion;
        this.variables = other.variables;
        this.variableBytes = other.variableBytes;
    }

    /** What the run was bound to at its start. */
    public Optional<SubjectBinding> subject() {
        return Optional.ofNullable(subject);
    }

    /** Of the subject, as far as the run knows; empty while it is not bound to one. */
    public Optional<Long> subjectVersion() {
        return Optional.ofNullable(subjectVersion);
    }

    /** By name. */
    public JsonObject variables() {
        return variables.isEmpty() ? JsonObject.EMPTY : JsonObject.view(new VariableView(variables));
    }

    /** Bytes of all variables if these were set. */
    public long variableBytesWith(Map<String, JsonValue> assigned) {
        long bytes = variableBytes;
        for (Map.Entry<String, JsonValue> one : assigned.entrySet()) {
            Variable before = variables.get(one.getKey());
            bytes += DataApplier.variable(one.getKey(), one.getValue()).bytes() - (before == null ? 0 : before.bytes());
        }
        return bytes;
    }
}
