package dev.flowstone.kernel.id;

/** A workflow's name, unique in its tenant, shared by all its versions. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record WorkflowId(String value) implements Comparable<WorkflowId> {
    public WorkflowId {
        Names.check("workflow id", value);
    }

    @Override
    public int compareTo(WorkflowId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
